package picture

import (
	"fmt"
	"strconv"

	"example.com/watchglass/docs/tools/tape"
)

// fivePlaces is the picture of chapter 0: where one object is at one moment, the last write of a
// story in which all that could be slow is slow. Every place must have an older state than the one
// before.
func fivePlaces(a archive) (plan, error) {
	r := a.play("informer/testdata/25_five_places_hold_five_states.story")
	e := r.last("api", "commit")
	places := []place{
		{name: "API server", note: "the newest state"},
		{name: "connection", note: "an event on its way"},
		{name: "queue", note: "waits for its turn"},
		{name: "cache", note: "what your code reads"},
		{name: "handler", note: "is called with this"},
	}
	holds := func(place int, key, rv string) {
		if key == e.Key && places[place].rv == "" {
			places[place].rv = rv
		}
	}
	for _, o := range e.State.Server.Objects {
		holds(0, o.Key, o.RV)
	}
	for _, m := range e.State.Wire.Before {
		holds(1, m.Key, m.RV)
	}
	for _, row := range e.State.Queue.Rows {
		holds(2, row.Key, row.Deltas[0].RV)
	}
	for _, o := range e.State.Cache.Objects {
		holds(3, o.Key, o.RV)
	}
	for _, h := range e.State.Handlers {
		if h.Hand != nil {
			holds(4, h.Hand.Key, h.Hand.RV)
		}
	}
	says := ""
	for i, p := range places {
		before, _ := strconv.Atoi(places[max(0, i-1)].rv)
		if now, err := strconv.Atoi(p.rv); err != nil || i > 0 && now >= before {
			r.fail("the %s holds version %q of %s, and the place before it version %d", p.name, p.rv, e.Key,
				before)
		}
		says += fmt.Sprintf("%s: %s. ", p.name, state(e.Key, p.rv))
	}
	return plan{
		claim: "One object, five places, five states. Each place is behind the one before it: while " +
			"your " +
			"handler is called with one state, the cache may hold a newer one, and the server a newer " +
			"one still.",
		says: says,
		draw: func(c *canvas) { drawPlaces(c, e.Key, places) },
	}, r.err
}

type place struct{ name, note, rv string }

// drawPlaces draws stairs that lead down, from the newest state to the oldest.
func drawPlaces(c *canvas, key string, places []place) {
	for i, p := range places {
		if x, y := i*32, i*78; !c.wide {
			c.box("box", x, y, 212, 62)
			c.text("strong", x+10, y+22, p.name)
			c.object(state(key, p.rv), x+112, y+6)
			c.text("soft", x+10, y+50, p.note)
			if i > 0 {
				c.arrow("line", right, x, y+24, "M%d,%dV%d", x-16, y-16, y+24)
			}
			continue
		}
		x, y := i*148, i*44
		c.box("box", x, y, 128, 94)
		c.text("strong", x+10, y+20, p.name)
		c.object(state(key, p.rv), x+10, y+28)
		c.para("soft", x+10, y+69, 114, p.note)
		if i > 0 {
			c.arrow("line", down, x+30, y, "M%d,%dH%d", x-20, y-20, x+30)
		}
	}
	if c.wide {
		c.para("soft", 0, 204, 260,
			fmt.Sprintf("%s at one moment: it has changed %d times, and each change "+
				"passes these places one after the other.", tape.Short(key), len(places)-1))
	}
}
