package picture

import (
	"fmt"
	"strings"

	"example.com/watchglass/docs/tools/tape"
)

// threeSets is the picture of chapter 3: a list against what is queued and what is cached, and what
// Replace makes of the difference.
func threeSets(a *archive) (plan, error) {
	r := a.play("docs/tools/tape/scenes/a_list_finds_what_is_gone.story")
	listed := r.last("reflector", "listed")
	e := r.next("queue", "replaced")
	var rows []row
	says, kinds := "", map[string]bool{}
	for _, queued := range e.State.Queue.Rows {
		deltas := queued.Deltas
		last := deltas[len(deltas)-1]
		made := row{key: queued.Key, does: last.Type, made: object{key: queued.Key, rv: last.RV}}
		for _, d := range deltas[:len(deltas)-1] {
			made.queued = append(made.queued, object{key: queued.Key, rv: d.RV})
		}
		for _, o := range e.State.Cache.Objects {
			if o.Key == queued.Key {
				made.cached = append(made.cached, object{key: o.Key, rv: o.RV})
			}
		}
		made.sort(last)
		rows, kinds[made.why] = append(rows, made), true
		says += fmt.Sprintf("%v is %s: %s. ", made.made, made.why, made.does)
	}
	if len(kinds) < 3 {
		r.fail("at event %d, one of the three cases is missing: there is only %v", e.Seq, kinds)
	}
	return plan{
		claim: "A list does not say what was deleted. Replace compares: what is queued or cached, and not in " +
			"the list, is gone. Its deletion carries a tombstone, with the newest state that was seen.",
		says: says, stories: []string{r.file},
		draw: func(c *canvas) { drawSets(c, listed.Text, rows) },
	}, r.err
}

// row is an object in the three sets, and what Replace adds for it.
type row struct {
	key                    string
	listed, queued, cached []object
	does, why              string
	made                   object
}

// sort says which of the cases this is.
func (w *row) sort(last tape.Mark) {
	switch {
	case !last.Tombstone:
		w.listed, w.why = []object{w.made}, "listed"
	case len(w.queued) > 0:
		w.made.look, w.why = "tomb", "queued, not listed: a tombstone"
	default:
		w.made.look, w.why = "tomb", "cached, not listed: a tombstone"
	}
}

// drawSets draws the sets as three boxes, with a row for each object, and beside or below them what
// Replace adds.
func drawSets(c *canvas, listed string, rows []row) {
	width, apart := 130, 146
	if !c.wide {
		width, apart = 106, 117
	}
	const top, each = 52, 56
	_, version, _ := strings.Cut(listed, ", ")
	bottom := top + each*len(rows)
	for i, name := range []string{"in the list", "in the queue", "in the cache"} {
		c.box("box", i*apart, 0, width, bottom)
		c.text("strong", i*apart+11, 22, name)
	}
	c.text("soft", 11, 40, version)
	for i, w := range rows {
		y := top + i*each
		for k, set := range [][]object{w.listed, w.queued, w.cached} {
			if c.objects(set, k*apart+11, y, width); len(set) == 0 {
				c.printf(`<rect class="slot" x="%d" y="%d" width="%d" height="%d" rx="5" fill="none" `+
					`stroke="currentColor"/>`, k*apart+11, y, w.made.width(), high)
				c.middle("soft", k*apart+11+w.made.width()/2, y+17, []string{"not listed", "–", "–"}[k])
			}
		}
		x := 3*apart + 36
		if c.wide {
			c.arrow("ink", 3*apart-10, y+high/2, x-8, y+high/2)
		} else {
			x, y = 0, bottom+38+i*54
		}
		c.text("strong", x, y+17, w.does)
		c.object(w.made, x+78, y)
		c.text("soft", x, y+40, w.why)
	}
	if c.wide {
		c.text("strong", 3*apart+36, 22, "Replace queues")
	} else {
		c.text("strong", 0, bottom+26, "Replace queues")
	}
}
