package picture

import (
	"fmt"
	"strconv"

	"example.com/watchglass/docs/tools/tape"
	"example.com/watchglass/docs/tools/words"
)

// fivePlaces is the picture of chapter 0: where one object is at one moment, the last write of a story
// in which all that could be slow is slow. Every place must have an older state than the one before.
func fivePlaces(a *archive) (plan, error) {
	r := a.play("docs/tools/tape/scenes/five_places_hold_five_states.story")
	e := r.last("api", "commit")
	s, key := e.State, e.Key
	mark := func(where string, marks []tape.Mark) string {
		for _, m := range marks {
			if m.Key == key || m.Key == "" {
				return m.RV
			}
		}
		r.fail("at event %d, %s is not %s", e.Seq, key, where)
		return ""
	}
	var queued, called []tape.Mark
	for _, row := range s.Queue.Rows {
		if row.Key == key {
			queued = row.Deltas
		}
	}
	if len(s.Handlers) > 0 && s.Handlers[0].Hand != nil {
		called = []tape.Mark{*s.Handlers[0].Hand}
	}
	places := []place{
		{"API server", "the newest state", r.versionOf(key, "the server", s.Server.Objects)},
		{"wire", "a frame on its way", mark("on the wire", s.Wire.Before)},
		{"queue", "waits for its turn", mark("in the queue", queued)},
		{"cache", "what your code reads", r.versionOf(key, "the cache", s.Cache.Objects)},
		{"handler", "is called with this", mark("in the hand of a handler", called)},
	}
	says := ""
	for i, p := range places {
		says += fmt.Sprintf("%s: %s. ", p.name, object{key: key, rv: p.rv})
		now, _ := strconv.Atoi(p.rv)
		if before, _ := strconv.Atoi(places[max(0, i-1)].rv); i > 0 && now >= before {
			r.fail("at event %d, the %s is not behind the %s", e.Seq, p.name, places[i-1].name)
		}
	}
	return plan{
		claim: "One object, five places, five states. Each place is behind the one before it: while " +
			"your handler is called with one state, the cache may hold a newer one, and the server a newer " +
			"one still.",
		says: says, stories: []string{r.file},
		draw: func(c *canvas) { drawPlaces(c, key, places) },
	}, r.err
}

type place struct{ name, note, rv string }

// drawPlaces draws stairs that lead down, from the newest state to the oldest.
func drawPlaces(c *canvas, key string, places []place) {
	width, high, step, indent := 128, 94, 44, 148
	if !c.wide {
		width, high, step, indent = 212, 62, 78, 32
	}
	for i, p := range places {
		x, y := i*indent, i*step
		if i > 0 && c.wide {
			c.path("line", "M%d,%dH%dV%d", x-20, y-step+24, x+30, y-8)
			c.head("line", down, x+30, y)
		} else if i > 0 {
			c.path("line", "M%d,%dV%dH%d", x-16, y-step+high, y+24, x-8)
			c.head("line", right, x, y+24)
		}
		c.box("box", x, y, width, high)
		if !c.wide {
			c.text("strong", x+10, y+22, p.name)
			c.object(object{key: key, rv: p.rv}, x+112, y+6)
			c.para("soft", x+10, y+50, width-16, p.note)
			continue
		}
		c.text("strong", x+10, y+20, p.name)
		c.object(object{key: key, rv: p.rv}, x+10, y+28)
		c.para("soft", x+10, y+69, width-14, p.note)
	}
	if c.wide {
		c.para("soft", 0, 204, 260, fmt.Sprintf("%s at one moment: it has changed %d times, and each "+
			"change passes these places one after the other.", words.Short(key), len(places)-1))
	}
}
