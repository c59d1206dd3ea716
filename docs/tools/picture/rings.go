package picture

import (
	"fmt"
	"math"

	"example.com/watchglass/docs/tools/tape"
)

// twoRings is the picture of chapter 5: what waits in the rings of a fast and of a slow handler.
func twoRings(a archive) (plan, error) {
	r := a.play("informer/testdata/04_a_slow_handler_delays_no_other.story")
	var rings []ring
	for _, e := range r.events {
		s := e.State
		if len(s.Listeners) == 2 && s.Handlers[1].Busy != "" && s.Handlers[1].Hand != nil &&
			(rings == nil || len(s.Listeners[1].Ring.Waiting) >= len(rings[1].Ring.Waiting)) {
			rings = []ring{{s.Listeners[0], s.Handlers[0]}, {s.Listeners[1], s.Handlers[1]}}
		}
	}
	if rings == nil || len(rings[0].Ring.Waiting) > 0 || len(rings[1].Ring.Waiting) == 0 {
		r.fail("at no time is the second of two handlers behind, and the first is not")
	}
	return plan{
		claim: "Each handler has a ring of its own. What a slow handler has not been told yet waits " +
			"in its " +
			"ring alone: neither the process loop nor the other handler waits for it.",
		says: list(rings),
		draw: func(c *canvas) { drawRings(c, rings) },
	}, r.err
}

// ring is what waits for a handler, and the handler.
type ring struct {
	tape.ListenerState
	handler tape.HandlerState
}

func (r ring) String() string {
	return fmt.Sprintf("%s has returned from %s, and in its ring %d of %d slots are taken", r.Name,
		tape.Count(r.handler.Told, "call"), len(r.Ring.Waiting), r.Ring.Cap)
}

func drawRings(c *canvas, rings []ring) {
	if c.wide {
		c.box("box", 0, 102, 116, 44)
		c.text("strong mid", 58, 129, "process loop")
	} else {
		c.box("box", 0, 0, c.width, 36)
		c.text("strong mid", c.width/2, 23, "process loop")
	}
	for i, r := range rings {
		waiting := r.Ring.Waiting[:min(len(r.Ring.Waiting), 3)]
		x, y := 240, 58+132*i
		if c.wide {
			c.arrow("line", right, x-58, y, "M116,124H146V%d", y)
			from := x + 62
			for k, m := range waiting {
				c.object(state(m.Key, m.RV), x+66, y+k*26-len(waiting)*13+1)
				from = x + 156
			}
			c.arrow("line", right, x+188, y, "M%d,%d", from, y)
			c.handler(r.handler, x+190, y-42, 260)
		} else {
			x, y = 76+188*i, 126
			c.arrow("line", down, x, y-58, "M%d,36", x)
			for k, m := range waiting {
				c.object(state(m.Key, m.RV), x-43, y+62+k*26)
			}
			c.arrow("line", down, x, y+166, "M%d,%d", x, y+62+26*len(waiting))
			c.handler(r.handler, 188*i, y+168, 152)
		}
		c.ring(r.Ring, x, y)
	}
}

func (c *canvas) handler(h tape.HandlerState, x, y, width int) {
	c.box("box", x, y, width, 84)
	c.text("strong", x+11, y+20, h.Name)
	c.text("soft", x+11, y+40, "returned from "+tape.Count(h.Told, "call"))
	if h.Busy == "" {
		c.text("soft", x+11, y+60, "idle")
		return
	}
	c.text("soft", x+11, y+65, "in call")
	c.object(state(h.Hand.Key, h.Hand.RV), x+60, y+48)
}

// ring draws the slots of a ring around x and y. The next call is at the top.
func (c *canvas) ring(ring tape.RingState, x, y int) {
	const inner, outer = 34, 56
	point := func(radius, slot float64) (float64, float64) {
		sin, cos := math.Sincos(slot / float64(ring.Cap) * 2 * math.Pi)
		return float64(x) + radius*sin, float64(y) - radius*cos
	}
	for i := range ring.Cap {
		from, to := float64(i)+.1, float64(i)+.9
		x1, y1 := point(outer, from)
		x2, y2 := point(outer, to)
		x3, y3 := point(inner, to)
		x4, y4 := point(inner, from)
		c.path("line", "M%.1f,%.1fL%.1f,%.1fL%.1f,%.1fL%.1f,%.1fZ", x1, y1, x2, y2, x3, y3, x4, y4)
		if i < len(ring.Waiting) {
			mx, my := point((inner+outer)/2, float64(i)+.5)
			c.mark(state(ring.Waiting[i].Key, ""), int(math.Round(mx)), int(math.Round(my)))
		}
	}
	c.height = max(c.height, y+outer)
	c.text("large mid", x, y+1, fmt.Sprint(len(ring.Waiting)))
	c.text("soft mid", x, y+16, fmt.Sprintf("of %d", ring.Cap))
}
