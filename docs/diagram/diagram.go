// Package diagram prints a table of transitions: as a table for people, as a Mermaid state diagram,
// which GitHub shows as a picture, and as a picture in SVG. Stories, chapters and the site of the
// docs use it to draw the reflector's own table, so that their pictures show the machine that runs.
package diagram

import (
	"fmt"
	"slices"
	"strings"
)

// Edge is one row of a table: in state From, the outcome On leads to state To, by way of Do.
type Edge struct {
	From, On, Do, To string
}

// plain is the action that pictures leave out.
const plain = "go on"

// Table prints a line per edge, below a line of headings.
func Table(edges []Edge) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s%-19s%-10s%s\n", "in state", "upon", "do", "and enter")
	for i, e := range edges {
		from := e.From
		if i > 0 && edges[i-1].From == from {
			from = "" // the line above says it
		}
		fmt.Fprintf(&b, "%-22s%-19s%-10s%s\n", from, e.On, e.Do, e.To)
	}
	return b.String()
}

// Mermaid draws the edges. There must be at least one; the first edge leads from the first state.
// Outcomes with the same effect share an arrow. Arrows to the state without are left out.
func Mermaid(edges []Edge, without string) string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	for _, state := range states(edges) {
		fmt.Fprintf(&b, "    %s : %s\n", Identifier(state), state)
	}
	fmt.Fprintf(&b, "    [*] --> %s\n", Identifier(edges[0].From))
	for _, a := range arrows(edges, without) {
		fmt.Fprintf(&b, "    %s --> %s : %s\n", Identifier(a.From), Identifier(a.To), a.On)
	}
	return b.String()
}

// states are the states that edges lead from, in order.
func states(edges []Edge) (names []string) {
	for _, e := range edges {
		if !slices.Contains(names, e.From) {
			names = append(names, e.From)
		}
	}
	return names
}

// arrows are the edges as a picture shows them: one arrow for all edges with the same effect, whose
// On is the label. Edges to the state without are left out.
func arrows(edges []Edge, without string) (drawn []Edge) {
	seen := map[Edge]bool{}
	for _, e := range edges {
		arrow := Edge{From: e.From, Do: e.Do, To: e.To}
		if e.To == without || seen[arrow] {
			continue
		}
		seen[arrow] = true
		arrow.On = label(edges, arrow)
		drawn = append(drawn, arrow)
	}
	return drawn
}

// label lists the outcomes that share an arrow.
func label(edges []Edge, arrow Edge) string {
	var outcomes []string
	for _, e := range edges {
		if e.From == arrow.From && e.To == arrow.To && e.Do == arrow.Do {
			outcomes = append(outcomes, e.On)
		}
	}
	text := strings.Join(outcomes, ", ")
	if arrow.Do != plain {
		text += " (" + arrow.Do + ")"
	}
	return text
}

// Identifier makes "listing latest" into "ListingLatest": Mermaid's names have no spaces.
func Identifier(state string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(state) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
