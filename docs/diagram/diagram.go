// Package diagram prints a table of transitions: as a table for people, and as a Mermaid state
// diagram, which GitHub shows as a picture. Stories and chapters show the reflector's machine with
// it, so that what they show is what runs.
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

// plain is the action that a picture does not mention.
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

// Mermaid draws the edges, beginning where the first one does. Outcomes that lead the same way
// share an arrow. Arrows to the state without are left out.
func Mermaid(edges []Edge, without string) string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	var states []string
	for _, e := range edges {
		if !slices.Contains(states, e.From) {
			states = append(states, e.From)
			fmt.Fprintf(&b, "    %s : %s\n", Identifier(e.From), e.From)
		}
	}
	fmt.Fprintf(&b, "    [*] --> %s\n", Identifier(states[0]))
	drawn := map[Edge]bool{}
	for _, e := range edges {
		arrow := Edge{From: e.From, Do: e.Do, To: e.To}
		if e.To == without || drawn[arrow] {
			continue
		}
		drawn[arrow] = true
		fmt.Fprintf(&b, "    %s --> %s : %s\n", Identifier(e.From), Identifier(e.To),
			label(edges, arrow))
	}
	return b.String()
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
