package picture

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/tape"
	"example.com/watchglass/reflector"
)

// brokenWatch is the picture of chapter 2: the table of a reflector that lists first, with the way on
// which a story leads it from the end of a watch to the next one.
func brokenWatch(a *archive) (plan, error) {
	r := a.play("informer/testdata/07_compaction_relists_and_finds_the_deletion.story")
	r.next("story", "disconnect")
	way := readWay(r)
	table := reflector.Table(true)
	for _, s := range way {
		if !slices.ContainsFunc(table, s.is) {
			r.fail("the reflector's table has no %q in state %q", s.On, s.From)
		}
	}
	return plan{
		claim: "The table makes every decision. When a watch breaks, the reflector watches again from the " +
			"last version. Here the server has forgotten that version (410), so a list follows.",
		says: "The way of a broken watch: " + list(way), stories: []string{r.file},
		draw: func(c *canvas) {
			x, y := drawTable(c, table, way)+24, 14
			if !c.wide {
				x, y = 0, c.height+28
			}
			c.text("strong", x, y, "The watch breaks:")
			for i, s := range way {
				y += 8 + line
				c.text("strong", x, y, fmt.Sprint(i+1))
				c.text("mono strong", x+18, y, s.On+" → "+s.To)
				if s.said() != "" {
					y = c.para("soft", x+18, y+line, c.width-x-18, s.said()) - line
				}
			}
		},
	}, r.err
}

// Table draws the whole table of a reflector that streams its lists, for the place where the chapter
// has it as a diagram of Mermaid. It is one SVG, for columns of any width.
func Table() string {
	table := reflector.Table(false)
	var all []string
	for _, t := range table {
		all = append(all, fmt.Sprintf("%v: %v, %v → %v", t.From, t.On, t.Do, t.To))
	}
	return plan{claim: "All decisions of a reflector that streams its lists", says: strings.Join(all, "; "),
		draw: func(c *canvas) { drawTable(c, table, nil) }}.svg("", narrowWidth)
}

// step is a transition on the way, with what the tape says about it.
type step struct {
	tape.Step
	why  string   // the cause
	does []string // what the reflector does then, until the next transition
}

func (s step) String() string {
	return fmt.Sprintf("%s: %s → %s (%s)", s.From, s.On, s.To, s.said())
}

// said is the cause, and what follows.
func (s step) said() string {
	all := s.does
	if s.why != "" {
		all = append([]string{s.why}, all...)
	}
	return strings.Join(all, "; ")
}

func (s step) is(t reflector.Transition) bool {
	return s.From == t.From.String() && s.On == t.On.String()
}

// readWay reads the transitions up to the end of the tape.
func readWay(r *reel) (way []step) {
	for _, e := range r.rest() {
		if e.Lane != "reflector" {
			continue
		}
		if e.Kind == "transition" {
			_, why, _ := strings.Cut(strings.TrimSuffix(e.Text, ")"), " (")
			way = append(way, step{Step: *e.State.Reflector.Last, why: why})
		} else if n := len(way); n > 0 && (e.Kind == "back off" || e.Kind == "list" || e.Kind == "watch") {
			way[n-1].does = append(way[n-1].does, e.Text)
		}
	}
	if len(way) == 0 {
		r.fail("no transition of the reflector after event %d", r.at)
	}
	return way
}

// done says in a word or two what a reflector does before it enters the next state.
var done = map[reflector.Action]string{reflector.BackOff: "pause", reflector.AskLatest: "latest",
	reflector.BackOff | reflector.AskLatest: "pause, latest"}

// Sizes of a table, and where its columns begin.
const (
	rowHigh   = 21
	boxLeft   = 30
	doLeft    = boxLeft + 10 + 14*letter
	boxRight  = doLeft + 90
	laneWidth = 13
)

// drawTable draws a box for each state, and in it a line for each outcome. It leads to the right, into
// the lane of the next state; a dot shows where. Steps of the way are numbered, and drawn in ink. It
// returns where the last lane is.
func drawTable(c *canvas, table []reflector.Transition, way []step) (right int) {
	tops, states := map[reflector.State]int{}, []reflector.State(nil)
	rows, y := make([]int, len(table)), 0
	for i, t := range table {
		if i == 0 || table[i-1].From != t.From {
			if i > 0 {
				y += 12
			}
			states, tops[t.From] = append(states, t.From), y
			y += rowHigh + 3
		}
		rows[i] = y + rowHigh/2
		y += rowHigh
	}
	lane := func(s reflector.State) int { return boxRight + 4 + laneWidth*(slices.Index(states, s)+1) }
	for i, s := range states {
		bottom := y
		if i+1 < len(states) {
			bottom = tops[states[i+1]] - 12
		}
		c.box("box", boxLeft, tops[s], boxRight-boxLeft, bottom-tops[s])
		c.text("strong", boxLeft+10, tops[s]+17, s.String())
	}
	c.text("soft", boxLeft+10, y+20, "latest: the request names no version")
	for i, t := range table {
		c.enter("line", rows[i], lane(t.To), tops[t.To]+rowHigh/2+2)
		c.printf(`<circle class="dot" cx="%d" cy="%d" r="2.5"/>`, lane(t.To), rows[i])
	}
	for i, t := range table {
		var numbers []string
		for n, s := range way {
			if s.is(t) {
				numbers = append(numbers, fmt.Sprint(n+1))
			}
		}
		class := ""
		if len(numbers) > 0 {
			class = " strong"
			c.enter("way", rows[i], lane(t.To), tops[t.To]+rowHigh/2+2)
		}
		c.text("strong", 0, rows[i]+4, strings.Join(numbers, " "))
		c.text("mono"+class, boxLeft+10, rows[i]+4, t.On.String())
		c.text("soft", doLeft, rows[i]+4, done[t.Do])
	}
	return lane(states[len(states)-1])
}

// enter draws the way from a row into a lane, and along it into the box of a state.
func (c *canvas) enter(class string, row, lane, state int) {
	c.path(class, "M%d,%dH%dV%dH%d", boxRight, row, lane, state, boxRight+8)
	c.head(class, left, boxRight, state)
}
