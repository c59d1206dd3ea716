package picture

import (
	"fmt"
	"slices"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/tape"
)

// questions are those of chapter 7 whose answers lead from a fault to what a handler notices. A
// story has the fault, which is a command, and proves the answer. The last question has both
// answers.
var questions = []struct{ asks, says, leaf, file, fault string }{
	{"Does the program go on?", "no", "Deletions since then are never told.",
		"informer/testdata/26_an_informer_that_was_stopped_starts_as_a_new_one.story", "stop"},
	{"Does the server still have its history?", "yes", "Nothing is lost. It comes late.",
		"informer/testdata/06_a_dropped_watch_resumes_without_a_list.story", "disconnect"},
	{"So a list follows. Does it have the object?", "yes", "States in between are lost.",
		"informer/testdata/16_changes_in_a_gap_arrive_as_one_update.story", "disconnect"},
	{"", "no", "Its last state may be lost: a tombstone.",
		"informer/testdata/07_compaction_relists_and_finds_the_deletion.story", "disconnect"},
}

// faultTree is the picture of chapter 7.
func faultTree(a archive) (plan, error) {
	var leaves []leaf
	p := plan{claim: "When a connection or a server fails, a running informer still brings the " +
		"latest state of " +
		"every object, and says which objects are gone. What can be lost are states in between.",
		draw: func(c *canvas) { drawTree(c, leaves) }}
	for _, q := range questions {
		r := a.play(q.file)
		l := readLeaf(r, q.fault)
		if r.err != nil {
			return p, r.err
		}
		leaves = append(leaves, l)
		p.says += fmt.Sprintf("%s %s: %s Written: %s. Told: %s. ", q.asks, q.says, q.leaf,
			list(l.written),
			list(l.told))
	}
	return p, nil
}

// leaf is what a fault leads to: what was written from then on, and what a handler was told.
type leaf struct{ written, told []object }

var signs = map[string]string{"ADDED": "+ ", "MODIFIED": "~ ", "DELETED": "− ", "add": "+ ",
	"update": "~ ",
	"delete": "− "}

// readLeaf reads what comes after a fault.
func readLeaf(r *reel, fault string) (l leaf) {
	r.next("story", "do", fault)
	for _, e := range r.rest() {
		if log := e.State.Server.Log; e.Lane == tape.API && e.Kind == "commit" && len(log) > 0 {
			made := log[len(log)-1]
			l.written = append(l.written, object{made.Key, signs[made.Type], fmt.Sprint(made.RV), "gone"})
		}
		for _, h := range e.State.Handlers {
			if e.Lane == tape.Handler(h.Name) && e.Kind == "call" {
				o := object{h.Hand.Key, signs[h.Hand.Type], h.Hand.RV, ""}
				if h.Hand.Tombstone {
					o.look = "tomb"
				}
				l.told = append(l.told, o)
			}
		}
	}
	if len(l.written) == 0 || len(l.told) == 0 {
		r.fail("nothing was written, or no handler was called")
	}
	for i, w := range l.written {
		if slices.ContainsFunc(l.told, func(o object) bool { return o.key == w.key && o.rv == w.rv }) {
			l.written[i].look = ""
		}
	}
	return l
}

// drawTree draws the questions below each other. An answer that ends at a leaf leads to the right,
// the other one down.
func drawTree(c *canvas, leaves []leaf) {
	x, width, answer, y, below := 292, 216, 244, 8, 0
	if !c.wide {
		x, width, answer = 46, c.width, 28
	}
	for i, q := range questions {
		if q.asks != "" {
			lines := program.Wrap(q.asks, int(float64(width-20)/prose))
			if i > 0 {
				c.arrow("line", down, 8, y, "M8,%d", below)
			}
			below = y + 14 + line*len(lines)
			c.box("box", 0, y, width, below-y)
			c.para("strong", 12, y+20, width-20, q.asks)
		}
		from := fmt.Sprintf("M8,%dV%d", below, y+16)
		if q.asks != "" && c.wide {
			from = fmt.Sprintf("M%d,%d", width, y+16)
		} else if q.asks != "" {
			y = below + 14
			from = fmt.Sprintf("M24,%dV%d", below, y+16)
		}
		c.arrow("line", right, x-6, y+16, from)
		c.text("strong", answer, y+5, q.says)
		c.text("strong", x, y+20, q.leaf)
		c.text("soft", x, y+47, "written")
		y = c.objects(leaves[i].written, x+58, y+30, c.width-x-58)
		c.text("soft", x, y+17, "told")
		y = c.objects(leaves[i].told, x+58, y, c.width-x-58) + 14
	}
	c.para("soft", 0, y+14, c.width,
		"Struck out: no handler is told of this state. Dashed: a tombstone.")
}
