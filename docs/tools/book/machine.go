package main

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// The measures of a machine, in pixels. All letters have one width, so the width of a label is
// known without the font.
const (
	letter     = 7.3 // the width of a letter, at the size that the style of class "machine" gives
	lineHeight = 22
	space      = 16 // between two states
	margin     = 30 // to the left, where the first state is entered, and between box and label
	lane       = 16 // the width of a lane
	headOfLine = 9  // the length of an arrow's head
)

// A machine is a state diagram of Mermaid, with the places of what is drawn.
type machine struct {
	states []state
	boxes  float64 // the width of a box
	labels float64 // the width of the longest label
	out    strings.Builder
}

type state struct {
	id, name string
	top      float64 // of the box
	arrows   []arrow
}

type arrow struct {
	label string
	to    int // the index of a state
}

// drawMachine draws a state diagram of Mermaid as an element for a page of HTML. States are boxes,
// one below the other. Each line beside a box is an outcome in that state. It leads to the right,
// into the lane of the next state. A dot shows where it joins the lane; lines that cross without a
// dot are not connected. The style sets the colours: lines and dots have the classes lane0, lane1 …
// in the order of the states. The result is "" if the text has no states.
func drawMachine(mermaid string) string {
	m := parseMachine(mermaid)
	if len(m.states) == 0 {
		return ""
	}
	var names []string
	top := 1.0
	for i := range m.states {
		s := &m.states[i]
		s.top = top
		top += float64(lineHeight*(1+len(s.arrows)) + space)
		names = append(names, s.name)
		m.boxes = max(m.boxes, width(s.name)+margin)
		for _, a := range s.arrows {
			m.labels = max(m.labels, width(a.label))
		}
	}
	wide, high := m.laneOf(len(m.states)), top-space+lineHeight/2
	m.printf(`<svg class="machine" role="img" viewBox="0 0 %.0f %.0f" width="%.0f" `+
		`xmlns="http://www.w3.org/2000/svg"><title>%s</title>`+"\n", wide, high, wide,
		html.EscapeString(strings.Join(names, ", ")))
	y := m.middle(0, 0) // of the first state's entry
	m.printf(`<circle class="entry" cx="6" cy="%.0f" r="5"/>`, y)
	m.printf(`<path class="entry line" d="M11,%.0f H%d"/>`, y, margin-headOfLine)
	m.printf(`<path class="entry head" d="M%d,%.0f l-%d,-4 v8 z"/>`+"\n", margin, y, headOfLine)
	for i := range m.states {
		m.drawState(i)
	}
	for i := range m.states {
		m.drawLane(i)
	}
	return m.out.String() + "</svg>\n"
}

// parseMachine reads the lines "Id : name" and "Id --> Id : label". States come before arrows.
func parseMachine(mermaid string) *machine {
	m := &machine{}
	find := func(id string) int {
		return slices.IndexFunc(m.states, func(s state) bool { return s.id == id })
	}
	for line := range strings.Lines(mermaid) {
		id, label, _ := strings.Cut(strings.TrimSpace(line), " : ")
		from, to, isArrow := strings.Cut(id, " --> ")
		switch i := find(from); {
		case label == "":
		case !isArrow:
			m.states = append(m.states, state{id: id, name: label})
		case i >= 0 && find(to) >= 0:
			m.states[i].arrows = append(m.states[i].arrows, arrow{label, find(to)})
		}
	}
	return m
}

func (m *machine) printf(format string, args ...any) { fmt.Fprintf(&m.out, format, args...) }

func width(text string) float64 { return letter * float64(len([]rune(text))) }

// right returns the x at which the boxes end.
func (m *machine) right() float64 { return margin + m.boxes }

// middle returns the y of a line of text in a box. Line 0 has the name of the state.
func (m *machine) middle(state, line int) float64 {
	return m.states[state].top + lineHeight*(float64(line)+0.5)
}

func (m *machine) laneOf(state int) float64 {
	return m.right() + margin + m.labels + float64(lane*(state+1))
}

// drawState draws a box, and the lines that lead from it into the lanes.
func (m *machine) drawState(i int) {
	s := m.states[i]
	m.printf(`<rect class="box" x="%d" y="%.0f" width="%.1f" height="%d" rx="5"/>`,
		margin, s.top, m.boxes, lineHeight*(1+len(s.arrows)))
	m.printf(`<text class="state" x="%.1f" y="%.0f">%s</text>`+"\n",
		margin+margin/2.0, m.middle(i, 0)+4, html.EscapeString(s.name))
	for k, a := range s.arrows {
		y, start := m.middle(i, k+1), m.right()+margin-6
		m.printf(`<path class="line" d="M%.1f,%.0f h%d"/>`, m.right(), y, margin-12)
		m.printf(`<text x="%.1f" y="%.0f">%s</text>`, start, y+4, html.EscapeString(a.label))
		m.printf(`<path class="line lane%d" d="M%.1f,%.0f H%.1f"/>`,
			a.to, start+width(a.label)+6, y, m.laneOf(a.to))
		m.printf(`<circle class="lane%d" cx="%.1f" cy="%.0f" r="3"/>`+"\n", a.to, m.laneOf(a.to), y)
	}
}

// drawLane draws the way into a state: down or up a lane, and from the right into the box.
func (m *machine) drawLane(to int) {
	y, x := m.middle(to, 0), m.laneOf(to)
	high, low := y, y
	for i, s := range m.states {
		for k, a := range s.arrows {
			if a.to == to {
				high, low = min(high, m.middle(i, k+1)), max(low, m.middle(i, k+1))
			}
		}
	}
	if high == low {
		return // no arrow leads here
	}
	m.printf(`<path class="line lane%d" d="M%.1f,%.0f V%.0f M%.1f,%.0f H%.1f"/>`,
		to, x, high, low, x, y, m.right()+headOfLine)
	m.printf(`<path class="head lane%d" d="M%.1f,%.0f l%d,-4 v8 z"/>`+"\n",
		to, m.right(), y, headOfLine)
}
