package picture

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/tape"
	"example.com/watchglass/reflector"
)

// brokenWatch is the picture of chapter 2: the table of a reflector that lists first, with the way
// on which a story leads it from the end of a watch to the next one.
func brokenWatch(a archive) (plan, error) {
	r := a.play("informer/testdata/07_compaction_relists_and_finds_the_deletion.story")
	r.next("story", "disconnect", "")
	table, way := reflector.Table(true), []step(nil)
	for _, e := range r.rest() {
		if e.Lane == tape.Reflector && e.Kind == "transition" {
			way = append(way, step{Step: *e.State.Reflector.Last})
			if _, why, ok := strings.Cut(strings.TrimSuffix(e.Text, ")"), " ("); ok {
				way[len(way)-1].said = []string{why}
			}
		} else if n := len(way); n > 0 && e.Lane == tape.Reflector && e.Kind != "listed" &&
			e.Kind != "event" {
			way[n-1].said = append(way[n-1].said, e.Text)
		}
	}
	if len(way) == 0 || way[0].From != "watching" ||
		way[len(way)-1].To != way[0].From ||
		!slices.ContainsFunc(way, func(s step) bool { return s.To == "listing" }) {
		r.fail("the reflector does not go from the state watching by listing back to watching, but %s",
			list(way))
	}
	return plan{
		claim: "The table makes every decision. When a watch breaks, the reflector watches again from " +
			"the " +
			"last version. Here the server has forgotten that version (410), so a list follows.",
		says: "The way of a broken watch: " + list(way),
		draw: func(c *canvas) {
			drawTable(c, table, way)
			x, y := 340, 14
			if !c.wide {
				x, y = 0, c.height+28
			}
			c.text("strong", x, y, "The watch breaks:")
			for i, s := range way {
				y += 8 + line
				c.text("strong", x, y, fmt.Sprint(i+1))
				c.text("mono strong", x+18, y, s.On+" → "+s.To)
				if len(s.said) > 0 {
					y = c.para("soft", x+18, y+line, c.width-x-18, strings.Join(s.said, "; ")) - line
				}
			}
		},
	}, r.err
}

// step is a transition on the way, with its cause and what the reflector does then.
type step struct {
	tape.Step
	said []string
}

func (s step) String() string {
	return fmt.Sprintf("%s: %s → %s (%s)", s.From, s.On, s.To, strings.Join(s.said, "; "))
}

// Table draws the whole table of a reflector that streams its lists, for the place where the
// chapter has it as a diagram of Mermaid. It is one SVG, for columns of any width.
func Table() string {
	table := reflector.Table(false)
	var all []string
	for _, t := range table {
		all = append(all, fmt.Sprintf("%v: %v, %v → %v", t.From, t.On, t.Do, t.To))
	}
	return plan{claim: "All decisions of a reflector that streams its lists",
		says: strings.Join(all, "; "),
		draw: func(c *canvas) { drawTable(c, table, nil) }}.svg("", narrowWidth)
}

// done says in a word or two what a reflector does before it enters the next state.
var done = map[string]string{
	"back off": "pause", "ask for the latest": "latest",
	"back off, ask for the latest": "pause, latest",
}

// drawTable draws a box for each state, and in it a line for each outcome. The line leads to the
// right, into the lane of the next state; a dot shows where. Steps of the way are numbered, and
// drawn in ink.
func drawTable(c *canvas, table []reflector.Transition, way []step) {
	const boxLeft, boxRight, each = 30, 242, 21
	var states []reflector.State
	tops, y := map[reflector.State]int{}, -12
	for i := 0; i < len(table); {
		from, first := table[i].From, i
		for i < len(table) && table[i].From == from {
			i++
		}
		states, tops[from] = append(states, from), y+12
		c.box("box", boxLeft, y+12, boxRight-boxLeft, each*(i-first+1)+3)
		c.text("strong", boxLeft+10, y+29, from.String())
		y += each*(i-first+1) + 15
	}
	c.text("soft", boxLeft+10, y+20, "latest: the request names no version")
	row := 0 // of the state
	for i, t := range table {
		if row++; i > 0 && table[i-1].From != t.From {
			row = 1
		}
		var steps []string
		for n, s := range way {
			if s.From == t.From.String() && s.On == t.On.String() {
				steps = append(steps, fmt.Sprint(n+1))
			}
		}
		y, lane := tops[t.From]+each*row+14, boxRight+4+13*(slices.Index(states, t.To)+1)
		into := fmt.Sprintf("M%d,%dH%dV%d", boxRight, y, lane, tops[t.To]+12)
		bold := ""
		if len(steps) > 0 {
			bold = " strong"
			defer c.arrow("way", left, boxRight, tops[t.To]+12, into) // above all other lines
		}
		c.text("strong", 0, y+4, strings.Join(steps, " "))
		c.text("mono"+bold, boxLeft+10, y+4, t.On.String())
		c.text("soft", boxLeft+14*letter+10, y+4, done[t.Do.String()])
		c.printf(`<circle class="dot" cx="%d" cy="%d" r="2.5"/>`, lane, y)
		c.arrow("line", left, boxRight, tops[t.To]+12, into)
	}
}
