package picture

import (
	"fmt"
	"strings"

	"example.com/watchglass/docs/tools/tape"
	"example.com/watchglass/docs/tools/words"
)

// syncedMoments is the picture of chapter 6: when the cache and each handler have synced, on one line
// of time.
func syncedMoments(a *archive) (plan, error) {
	r := a.play("informer/testdata/05_the_cache_syncs_first_then_each_handler.story")
	from, synced := r.last("reflector", "listed"), r.next("cache", "synced")
	inCache := moment{name: "cache", from: from.At, synced: synced.At}
	for _, o := range synced.State.Cache.Objects {
		inCache.holds = append(inCache.holds, object{key: o.Key, rv: o.RV})
	}
	moments := []moment{inCache}
	end := r.events[len(r.events)-1].At
	last := r.events[len(r.events)-1].State
	for _, l := range last.Listeners {
		m := moment{name: l.Name, from: -1, synced: -1}
		for _, e := range r.events {
			m.read(e)
		}
		if m.synced < 0 || len(m.calls) == 0 {
			r.fail("handler %s has not synced, or was not called", l.Name)
		}
		moments = append(moments, m)
	}
	says := ""
	for _, m := range moments {
		says += fmt.Sprintf("%s: synced after %d s. ", m.name, m.synced/1000)
	}
	return plan{
		claim: "“Synced” is a moment of its own for the cache and for each handler. The cache has synced when " +
			"it holds the first list; a handler, when the calls for its own first list have returned.",
		says: says, stories: []string{r.file},
		draw: func(c *canvas) { drawMoments(c, moments, end) },
	}, r.err
}

// moment is when something has synced, in milliseconds.
type moment struct {
	name         string
	from, synced int64
	holds        []object // what the cache has then
	calls        []call
}

// call is a call of a handler; to is -1 while it lasts.
type call struct {
	object
	initial  bool // it is for the handler's first list
	from, to int64
}

// read reads an event of a handler.
func (m *moment) read(e *tape.Event) {
	for i, l := range e.State.Listeners {
		if l.Name != m.name {
			continue
		}
		if m.from < 0 {
			m.from = e.At
		}
		if m.synced < 0 && l.Synced {
			m.synced = e.At
		}
		switch hand := e.State.Handlers[i].Hand; {
		case e.Lane != words.Handler(m.name):
		case e.Kind == "call":
			m.calls = append(m.calls, call{object{key: hand.Key, rv: hand.RV},
				strings.HasSuffix(e.Text, "in the initial list"), e.At, -1})
		case e.Kind == "returned" && len(m.calls) > 0:
			m.calls[len(m.calls)-1].to = e.At
		}
	}
}

func drawMoments(c *canvas, moments []moment, end int64) {
	left, each := 64, 78
	if !c.wide {
		left = 4
	}
	tail := end / 5 // what comes after the last event
	at := func(ms int64) int { return left + int(int64(c.width-left)*ms/(end+tail)) }
	bottom := each*len(moments) + 2
	for ms := int64(0); ms <= end; ms += end / 2 {
		c.path("slot", "M%d,0V%d", at(ms), bottom)
		c.text("soft", max(0, at(ms)-14), bottom+16, fmt.Sprintf("%d s", ms/1000))
	}
	c.para("soft", 0, bottom+38, c.width, "A bar is a call of a handler; outlined: for its first list.")
	for i, m := range moments {
		y := i * each
		if c.wide {
			c.text("strong", at(m.from)-left+4, y+54, m.name)
		} else {
			c.text("strong", at(m.from)+4, y+30, m.name)
		}
		c.path("line", "M%d,%dH%d", at(m.from), y+64, c.width)
		c.objects(m.holds, at(m.synced)+8, y+38, c.width)
		for _, call := range m.calls {
			if call.to < 0 {
				call.to = end + tail
			}
			c.call(call, at(call.from)+1, y+38, at(call.to)-at(call.from)-2)
		}
		c.path("way", "M%d,%dV%d", at(m.synced), y+14, y+65)
		x := at(m.synced) + 6
		if !c.wide && len(m.holds) > 0 {
			x += 50 // the name stands there
		}
		c.text("strong", x, y+24, "synced")
	}
}

// call draws how long a call of a handler takes, with as many words as there is room for.
func (c *canvas) call(call call, x, y, width int) {
	c.tint(call.object, x, y, width, 26)
	if call.initial {
		c.path("line", "M%d,%dv-26h%dv26", x, y+26, width)
	}
	c.mark(call.key, x+12, y+13)
	if width >= call.width() {
		c.text("mono", x+22, y+18, call.String())
	}
	if call.initial && width > 200 {
		c.text("soft", x+22+letter*8, y+18, "of its first list")
	}
}
