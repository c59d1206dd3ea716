package picture

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/lanes"
	"example.com/watchglass/docs/tools/tape"
)

// questions are those of chapter 7 whose answers lead from a fault to what a handler notices. The last
// one has both answers.
var questions = []struct{ asks, says, leaf, file, fault string }{
	{"Does the program go on?", "no", "Deletions since then are never told.",
		"docs/tools/tape/scenes/stop_and_start.story", "story stop"},
	{"Does the server still have its history?", "yes", "Nothing is lost. It comes late.",
		"informer/testdata/06_a_dropped_watch_resumes_without_a_list.story", "story disconnect"},
	{"So a list follows. Does it have the object?", "yes", "States in between are lost.",
		"informer/testdata/16_changes_in_a_gap_arrive_as_one_update.story", "story disconnect"},
	{"", "no", "Its last state may be lost: a tombstone.",
		"informer/testdata/07_compaction_relists_and_finds_the_deletion.story", "story disconnect"},
}

// leaf is what a fault leads to: what was written from then on, and what the handlers were told.
type leaf struct {
	written, told []object
}

// faultTree is the picture of chapter 7.
func faultTree(a *archive) (plan, error) {
	p := plan{claim: "When a connection or a server fails, a running informer still brings the latest state of " +
		"every object, and says which objects are gone. What can be lost are states in between."}
	var leaves []leaf
	for _, q := range questions {
		r := a.play(q.file)
		lane, kind, _ := strings.Cut(q.fault, " ")
		l := readLeaf(r, lane, kind)
		if r.err != nil {
			return p, r.err
		}
		leaves = append(leaves, l)
		p.says += fmt.Sprintf("%s %s: %s Written: %s. Told: %s. ", q.asks, q.says, q.leaf, list(l.written),
			list(l.told))
		p.stories = append(p.stories, q.file)
	}
	p.draw = func(c *canvas) { drawTree(c, leaves) }
	return p, nil
}

var signs = map[string]string{"ADDED": "+", "MODIFIED": "~", "DELETED": "−", "add": "+", "update": "~",
	"delete": "−"}

// readLeaf reads what comes after a fault.
func readLeaf(r *reel, lane, kind string) (l leaf) {
	r.next("story", "do")
	if kind == "stop" {
		r.next("reflector", "transition")
		for r.err == nil && r.events[r.at].State.Reflector.State != "stopped" {
			r.next("reflector", "transition")
		}
	} else {
		r.next(lane, kind)
	}
	for _, e := range r.rest() {
		switch {
		case e.Lane == "api" && e.Kind == "commit":
			log := e.State.Server.Log
			last := log[len(log)-1]
			l.written = append(l.written, object{key: last.Key, sign: signs[last.Type], rv: fmt.Sprint(last.RV)})
		case e.Kind == "call":
			h := e.State.Handlers[slices.IndexFunc(e.State.Handlers,
				func(h tape.HandlerState) bool { return "handler:"+h.Name == e.Lane })]
			o := object{key: h.Hand.Key, sign: signs[h.Hand.Type], rv: h.Hand.RV}
			if h.Hand.Tombstone {
				o.look = "tomb"
			}
			l.told = append(l.told, o)
		}
	}
	if len(l.written) == 0 || len(l.told) == 0 {
		r.fail("after the fault, nothing was written or no handler was called")
	}
	for i, w := range l.written {
		if !slices.ContainsFunc(l.told, func(o object) bool { return o.key == w.key && o.rv == w.rv }) {
			l.written[i].look = "gone"
		}
	}
	return l
}

// drawTree draws the questions below each other. An answer that ends at a leaf leads to the right, the
// other one down.
func drawTree(c *canvas, leaves []leaf) {
	x, width, y := 292, 216, 0
	if !c.wide {
		x, width = 46, c.width
	}
	for i, q := range questions {
		below := y + 50 // where the other answer leaves
		if q.asks != "" {
			lines := lanes.Wrap(q.asks, int(float64(width-20)/prose))
			below = y + 14 + line*len(lines)
			c.box("box", 0, y, width, below-y)
			c.para("strong", 12, y+20, width-20, q.asks)
		}
		switch {
		case c.wide && q.asks != "":
			c.arrow("line", width, y+16, x-8, y+16)
		case c.wide:
			c.arrow("line", 8, y+16, x-8, y+16)
		case q.asks != "":
			c.path("line", "M24,%dV%dH36", below, below+26)
			y = below + 14
			c.head("line", right, 42, y+12)
		default:
			c.arrow("line", 8, y+12, 42, y+12)
		}
		if c.wide {
			c.text("strong", width+14, y+11, q.says)
		} else {
			c.text("strong", 28, y+4, q.says)
		}
		bottom := c.leaf(leaves[i], q.leaf, x, y)
		switch next := bottom + 14; {
		case i+1 == len(questions):
		case questions[i+1].asks != "":
			c.arrow("line", 8, below, 8, next)
		case c.wide:
			c.path("line", "M8,%dV%d", below, next+16)
		default:
			c.path("line", "M8,%dV%d", below, next+12)
		}
		y = bottom + 14
	}
	c.para("soft", 0, y+14, c.width, "Struck out: no handler is told of this state. Dashed: a tombstone.")
}

// leaf draws what a fault leads to, and returns where that ends.
func (c *canvas) leaf(l leaf, says string, x, y int) int {
	c.text("strong", x, y+16, says)
	c.text("soft", x, y+43, "written")
	y = c.objects(l.written, x+58, y+26, c.width-x-58)
	c.text("soft", x, y+17, "told")
	return c.objects(l.told, x+58, y, c.width-x-58)
}
