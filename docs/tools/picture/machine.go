package picture

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/reflector"
)

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
		draw: func(c *canvas) { drawTable(c, table) }}.svg("", narrowWidth, "")
}

// done says in a word or two what a reflector does before it enters the next state.
var done = map[string]string{
	"back off": "pause", "ask for the latest": "latest",
	"back off, ask for the latest": "pause, latest",
}

// drawTable draws a box for each state, and in it a line for each outcome. The line leads to the
// right, into the lane of the next state; a dot shows where.
func drawTable(c *canvas, table []reflector.Transition) {
	const boxLeft, boxRight, each = 0, 212, 21
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
		y, lane := tops[t.From]+each*row+14, boxRight+4+13*(slices.Index(states, t.To)+1)
		into := fmt.Sprintf("M%d,%dH%dV%d", boxRight, y, lane, tops[t.To]+12)
		c.text("mono", boxLeft+10, y+4, t.On.String())
		c.text("soft", boxLeft+14*letter+10, y+4, done[t.Do.String()])
		c.printf(`<circle class="dot" cx="%d" cy="%d" r="2.5"/>`, lane, y)
		c.arrow("line", left, boxRight, tops[t.To]+12, into)
	}
}
