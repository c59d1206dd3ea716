package picture

import (
	"fmt"
	"strings"
)

// threeSets is the picture of chapter 3: a list against what is queued and what is cached, and what
// Replace makes of the difference.
func threeSets(a archive) (plan, error) {
	r := a.play("informer/testdata/24_a_list_finds_what_is_gone.story")
	_, version, _ := strings.Cut(r.last("reflector", "listed").Text, ", ")
	e := r.next("queue", "replaced", "")
	var rows []row
	says, cases := "", map[string]bool{}
	for _, queued := range e.State.Queue.Rows {
		deltas := queued.Deltas
		last := deltas[len(deltas)-1]
		w := row{does: last.Type, made: state(queued.Key, last.RV), why: "listed"}
		for _, d := range deltas[:len(deltas)-1] {
			w.sets[1] = append(w.sets[1], state(queued.Key, d.RV))
		}
		for _, o := range e.State.Cache.Objects {
			if o.Key == queued.Key {
				w.sets[2] = append(w.sets[2], state(o.Key, o.RV))
			}
		}
		if !last.Tombstone {
			w.sets[0] = []object{w.made}
		} else if w.made.look, w.why = "tomb", "queued, not listed: a tombstone"; len(w.sets[1]) == 0 {
			w.why = "cached, not listed: a tombstone"
		}
		rows, cases[w.why] = append(rows, w), true
		says += fmt.Sprintf("%s %v: %s. ", w.does, w.made, w.why)
	}
	if len(cases) < 3 {
		r.fail("one of three cases is missing, there are only %v", cases)
	}
	return plan{
		claim: "A list does not say what was deleted. Replace compares: what is queued or cached, and " +
			"not in " +
			"the list, is gone. Its deletion carries a tombstone, with the newest state that was seen.",
		says: says,
		draw: func(c *canvas) { drawSets(c, version, rows) },
	}, r.err
}

// row is an object in the three sets, and what Replace adds for it.
type row struct {
	sets      [3][]object
	does, why string
	made      object
}

// drawSets draws the sets as three boxes, with a row for each object, and beside or below them what
// Replace adds.
func drawSets(c *canvas, version string, rows []row) {
	width, apart, bottom := 130, 146, 52+56*len(rows)
	x, y := 3*apart+36, 0
	if !c.wide {
		width, apart = 106, 117
		x, y = 0, bottom+6
	}
	c.text("strong", x, y+20, "Replace queues")
	for k, name := range []string{"in the list", "in the queue", "in the cache"} {
		c.box("box", k*apart, 0, width, bottom)
		c.text("strong", k*apart+11, 22, name)
		for i, w := range rows {
			c.objects(w.sets[k], k*apart+11, 52+56*i, width)
			if len(w.sets[k]) == 0 {
				c.box("slot", k*apart+11, 52+56*i, w.made.width(), high)
				c.text("soft mid", k*apart+11+w.made.width()/2, 69+56*i, []string{"not listed", "–", "–"}[k])
			}
		}
	}
	c.text("soft", 11, 40, version)
	for i, w := range rows {
		y := 52 + 56*i
		if c.wide {
			c.arrow("ink", right, x-8, y+high/2, "M%d,%d", x-44, y+high/2)
		} else {
			y += bottom - 14
		}
		c.text("strong", x, y+17, w.does)
		c.object(w.made, x+78, y)
		c.text("soft", x, y+40, w.why)
	}
}
