package picture

import (
	"fmt"

	"example.com/watchglass/docs/tools/tape"
	"example.com/watchglass/docs/tools/words"
)

// twoRings is the picture of chapter 5: what waits in the rings of a fast and of a slow handler.
func twoRings(a *archive) (plan, error) {
	r := a.play("informer/testdata/04_a_slow_handler_delays_no_other.story")
	var most *tape.Event
	for _, e := range r.events {
		if len(e.State.Listeners) == 2 && e.State.Handlers[1].Busy != "" &&
			(most == nil || waiting(e) >= waiting(most)) {
			most = e // in the last of these moments the fast handler has had all its calls
		}
	}
	if most == nil || waiting(most) == 0 || len(most.State.Listeners[0].Ring.Waiting) > 0 {
		r.fail("at no moment are there two handlers, and only the second one is behind")
		return plan{}, r.err
	}
	says := ""
	for i, l := range most.State.Listeners {
		says += fmt.Sprintf("%s: %d of %d slots, %d calls have returned. ", l.Name, len(l.Ring.Waiting),
			l.Ring.Cap, most.State.Handlers[i].Told)
	}
	return plan{
		claim: "Each handler has a ring of its own. What a slow handler has not been told yet waits in its " +
			"ring alone: neither the process loop nor the other handler waits for it.",
		says: says, stories: []string{r.file},
		draw: func(c *canvas) { drawRings(c, most.State) },
	}, nil
}

// waiting is what waits for the second handler.
func waiting(e *tape.Event) int { return len(e.State.Listeners[1].Ring.Waiting) }

// drawRings draws, for each handler, its ring, the objects in it and the handler.
func drawRings(c *canvas, s tape.State) {
	if c.wide {
		c.box("box", 0, 102, 116, 44)
		c.middle("strong", 58, 129, "process loop")
	} else {
		c.box("box", 0, 0, c.width, 36)
		c.middle("strong", c.width/2, 23, "process loop")
	}
	for i, l := range s.Listeners {
		x, y := 240, 58+132*i
		if c.wide {
			c.path("line", "M116,124H146V%dH174", y)
			c.head("line", right, x-58, y)
			from := x + 62
			if n := c.waiting(l.Ring, x+66, y, 3); n > 0 {
				from = x + 156
			}
			c.arrow("line", from, y, x+188, y)
			x, y = x+190, y-42
		} else {
			x, y = 76+188*i, 126
			c.arrow("line", x, 36, x, y-58)
			n := c.waiting(l.Ring, x-43, y+88, 2)
			c.arrow("line", x, y+62+n*26, x, y+136)
			x, y = 188*i, y+138
		}
		drawHandler(c, l.Name, s.Handlers[i], x, y)
		if x, y = 240, 58+132*i; !c.wide {
			x, y = 76+188*i, 126
		}
		drawRing(c, l.Ring, x, y)
	}
}

// waiting draws the first objects of a ring below each other, around y, and returns how many.
func (c *canvas) waiting(ring tape.RingState, x, y, most int) int {
	n := min(len(ring.Waiting), most)
	for i, m := range ring.Waiting[:n] {
		c.object(object{key: m.Key, rv: m.RV}, x, y-n*13+i*26+1)
	}
	return n
}

func drawHandler(c *canvas, name string, h tape.HandlerState, x, y int) {
	c.box("box", x, y, min(260, c.width-188), 84)
	c.text("strong", x+11, y+20, name)
	c.text("soft", x+11, y+40, "returned from "+words.Count(h.Told, "call"))
	if h.Busy == "" || h.Hand == nil {
		c.text("soft", x+11, y+58, "is idle")
		return
	}
	c.text("soft", x+11, y+65, "is in")
	c.object(object{key: h.Hand.Key, rv: h.Hand.RV}, x+48, y+48)
}

// drawRing draws the slots of a ring around x and y. The next call is at the top.
func drawRing(c *canvas, ring tape.RingState, x, y int) {
	const inner, outer, gap = 34, 56, 0.006
	for i := range ring.Cap {
		from, to := float64(i)/float64(ring.Cap)+gap, float64(i+1)/float64(ring.Cap)-gap
		x1, y1 := around(x, y, outer, from)
		x2, y2 := around(x, y, outer, to)
		x3, y3 := around(x, y, inner, to)
		x4, y4 := around(x, y, inner, from)
		c.path("line", "M%.1f,%.1fA%d,%d 0 0 1 %.1f,%.1fL%.1f,%.1fA%d,%d 0 0 0 %.1f,%.1fZ",
			x1, y1, outer, outer, x2, y2, x3, y3, inner, inner, x4, y4)
		if i < len(ring.Waiting) {
			mx, my := around(x, y, (inner+outer)/2, (from+to)/2)
			c.mark(ring.Waiting[i].Key, int(mx+.5), int(my+.5))
		}
	}
	c.reach(y + outer)
	c.middle("large", x, y+1, fmt.Sprint(len(ring.Waiting)))
	c.middle("soft", x, y+16, fmt.Sprintf("of %d", ring.Cap))
}
