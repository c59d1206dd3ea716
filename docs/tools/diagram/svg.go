package diagram

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// The measures of a picture, in pixels. All letters have one width, so the width of a label is
// known without the font.
const (
	letter     = 7.3 // the width of a letter, at the size that the style of class "machine" gives
	row        = 22  // the height of a line of text
	space      = 16  // between two states
	margin     = 30  // to the left, where the first state is entered, and between box and label
	lane       = 16  // the width of a lane
	headOfLine = 9   // the length of an arrow's head
)

// SVG draws what [Mermaid] describes, as an element for a page of HTML. States are boxes, one below
// the other. Each line beside a box is an outcome in that state. It leads to the right, into the
// lane of the next state. A dot shows where it joins the lane; lines that cross without a dot are
// not connected. The page sets the colours: lines and dots have the classes lane0, lane1 … in the
// order of the states.
func SVG(edges []Edge) string {
	p := newPicture(edges)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="machine" role="img" viewBox="0 0 %.0f %.0f" width="%.0f" `+
		`xmlns="http://www.w3.org/2000/svg"><title>%s</title>`+"\n", p.width(), p.height(), p.width(),
		html.EscapeString(strings.Join(p.states, ", ")))
	p.drawEntry(&b)
	for i, state := range p.states {
		p.drawState(&b, i, state)
	}
	for i := range p.states {
		p.drawLane(&b, i)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// A picture holds the places of all boxes and labels.
type picture struct {
	states []string
	arrows []Edge
	tops   []float64 // of the boxes
	boxes  float64   // the width of a box
	labels float64   // the width of the longest label
}

func newPicture(edges []Edge) *picture {
	p := &picture{states: states(edges), arrows: arrows(edges)}
	top := 1.0
	for _, state := range p.states {
		p.tops = append(p.tops, top)
		top += float64(row*(1+len(p.from(state))) + space)
		p.boxes = max(p.boxes, width(state)+margin)
	}
	for _, a := range p.arrows {
		p.labels = max(p.labels, width(a.On))
	}
	return p
}

func width(text string) float64 { return letter * float64(len([]rune(text))) }

func (p *picture) from(state string) (out []Edge) {
	return slices.DeleteFunc(slices.Clone(p.arrows), func(a Edge) bool { return a.From != state })
}

// right returns the x at which the boxes end.
func (p *picture) right() float64 { return margin + p.boxes }

// middle returns the y of a line of text in a box. Line 0 has the name of the state.
func (p *picture) middle(state, line int) float64 {
	return p.tops[state] + row*(float64(line)+0.5)
}

func (p *picture) laneOf(state int) float64 {
	return p.right() + margin + p.labels + float64(lane*(state+1))
}

func (p *picture) width() float64 { return p.laneOf(len(p.states)-1) + lane }

func (p *picture) height() float64 {
	last := len(p.states) - 1
	return p.middle(last, len(p.from(p.states[last]))) + row
}

// drawEntry shows which state comes first.
func (p *picture) drawEntry(b *strings.Builder) {
	y := p.middle(0, 0)
	fmt.Fprintf(b, `<circle class="entry" cx="6" cy="%.0f" r="5"/>`, y)
	fmt.Fprintf(b, `<path class="entry line" d="M11,%.0f H%d"/>`, y, margin-headOfLine)
	fmt.Fprintf(b, `<path class="entry head" d="M%d,%.0f l-%d,-4 v8 z"/>`+"\n", margin, y, headOfLine)
}

// drawState draws a box, and the lines that lead from it into the lanes.
func (p *picture) drawState(b *strings.Builder, i int, state string) {
	out := p.from(state)
	fmt.Fprintf(b, `<rect class="box" x="%d" y="%.0f" width="%.1f" height="%d" rx="5"/>`,
		margin, p.tops[i], p.boxes, row*(1+len(out)))
	fmt.Fprintf(b, `<text class="state" x="%.1f" y="%.0f">%s</text>`+"\n",
		margin+margin/2.0, p.middle(i, 0)+4, html.EscapeString(state))
	for k, a := range out {
		y, to := p.middle(i, k+1), slices.Index(p.states, a.To)
		start := p.right() + margin - 6
		fmt.Fprintf(b, `<path class="line" d="M%.1f,%.0f h%d"/>`, p.right(), y, margin-12)
		fmt.Fprintf(b, `<text x="%.1f" y="%.0f">%s</text>`, start, y+4, html.EscapeString(a.On))
		fmt.Fprintf(b, `<path class="line lane%d" d="M%.1f,%.0f H%.1f"/>`,
			to, start+width(a.On)+6, y, p.laneOf(to))
		fmt.Fprintf(b, `<circle class="lane%d" cx="%.1f" cy="%.0f" r="3"/>`+"\n", to, p.laneOf(to), y)
	}
}

// drawLane draws the way into a state: down or up a lane, and from the right into the box.
func (p *picture) drawLane(b *strings.Builder, to int) {
	y, x := p.middle(to, 0), p.laneOf(to)
	high, low := y, y
	for i, state := range p.states {
		for k, a := range p.from(state) {
			if a.To == p.states[to] {
				high, low = min(high, p.middle(i, k+1)), max(low, p.middle(i, k+1))
			}
		}
	}
	if high == low {
		return // no arrow leads here
	}
	fmt.Fprintf(b, `<path class="line lane%d" d="M%.1f,%.0f V%.0f M%.1f,%.0f H%.1f"/>`,
		to, x, high, low, x, y, p.right()+headOfLine)
	fmt.Fprintf(b, `<path class="head lane%d" d="M%.1f,%.0f l%d,-4 v8 z"/>`+"\n",
		to, p.right(), y, headOfLine)
}
