package picture

import (
	"fmt"
	"strings"

	"example.com/watchglass/docs/tools/tape"
)

// syncedMoments is the picture of chapter 6: when the cache and each handler have synced, on one
// line of time.
func syncedMoments(a archive) (plan, error) {
	r := a.play("informer/testdata/05_the_cache_syncs_first_then_each_handler.story")
	e := r.next("cache", "synced", "")
	moments := []moment{{name: "cache", at: e.At}}
	for _, o := range e.State.Cache.Objects {
		moments[0].holds = append(moments[0].holds, state(o.Key, o.RV))
	}
	end := int64(0)
	for _, e := range r.events {
		for i, l := range e.State.Listeners {
			if i+1 == len(moments) {
				moments = append(moments, moment{name: l.Name, at: -1})
			}
			m := &moments[i+1]
			if m.at < 0 && l.Synced {
				m.at = e.At
			}
			if hand := e.State.Handlers[i].Hand; e.Lane != tape.Handler(l.Name) {
			} else if e.Kind == "call" {
				first := strings.HasSuffix(e.Text, "in the initial list")
				m.calls = append(m.calls, call{state(hand.Key, hand.RV), first, e.At, -1})
			} else if n := len(m.calls); e.Kind == "returned" && n > 0 {
				m.calls[n-1].to = e.At
			}
		}
		end = e.At
	}
	if len(moments) != 3 {
		r.fail("%d handlers have joined, and the picture has two", len(moments)-1)
	}
	for i, m := range moments {
		if i > 0 && (m.at <= moments[i-1].at || len(m.calls) < 2 || !m.calls[0].first ||
			m.calls[1].first) {
			r.fail("%s does not sync later than %s, by the first one of two calls", m.name,
				moments[i-1].name)
		}
	}
	return plan{
		claim: "“Synced” is a moment of its own for the cache and for each handler. The cache has " +
			"synced when " +
			"it holds the first list; a handler, when the calls for its own first list have returned.",
		says: list(moments),
		draw: func(c *canvas) { drawMoments(c, moments, end) },
	}, r.err
}

// moment is when something has synced, in milliseconds.
type moment struct {
	name  string
	at    int64
	holds []object // what the cache has then
	calls []call
}

func (m moment) String() string {
	return fmt.Sprintf("%s has synced after %d s", m.name, m.at/1000)
}

// call is a call of a handler. It is one of the first list, or not; to is -1 while it lasts.
type call struct {
	object
	first    bool
	from, to int64
}

func drawMoments(c *canvas, moments []moment, end int64) {
	const each = 78
	tail := end / 5 // what comes after the last event
	at := func(ms int64) int { return 2 + int(int64(c.width-2)*ms/(end+tail)) }
	bottom := each*len(moments) + 2
	for ms := int64(0); ms <= end; ms += end / 2 {
		c.path("slot", "M%d,0V%d", at(ms), bottom)
		c.text("soft", max(0, at(ms)-14), bottom+16, fmt.Sprintf("%d s", ms/1000))
	}
	c.para("soft", 0, bottom+38, c.width,
		"A bar is a call of a handler; outlined: for its first list.")
	for i, m := range moments {
		x, y := at(m.at), i*each
		c.objects(m.holds, x+8, y+38, c.width)
		if i == 0 {
			c.text("strong", x+7, y+26, m.name+": synced")
		} else {
			c.text("strong", x+7, y+26, "synced")
			c.text("strong", at(m.calls[0].from)+4, y+26, m.name)
		}
		for _, call := range m.calls {
			if call.to < 0 {
				call.to = end + tail
			}
			x, width := at(call.from)+1, at(call.to)-at(call.from)-2
			if c.tint(call.object, x, y+38, width, 26); call.first {
				c.path("line", "M%d,%dv-26h%dv26", x, y+64, width)
			}
			if c.mark(call.object, x+12, y+51); width >= call.width() {
				c.text("mono", x+22, y+56, call.String())
			}
		}
		c.path("line", "M%d,%dH%d", at(m.at), y+64, c.width)
		c.path("way", "M%d,%dV%d", x, y+14, y+65)
	}
}
