package story

import (
	"fmt"
	"slices"
	"strings"
)

// Edge is one row of a table of transitions: in state From, the outcome On leads to state To, by
// way of Do. A stage's stories print such a table, and its chapter draws it.
type Edge struct {
	From, On, Do, To string
}

// marks say in pictures what is done on the way. A star is a pause.
var marks = map[string]string{
	"go on":                        "",
	"back off":                     "*",
	"ask for the latest":           " (latest)",
	"back off, ask for the latest": " (latest)*",
}

// Table prints a line for each edge, below a line of headings.
func Table(edges []Edge) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s%-15s%-30s%s\n", "in state", "upon", "do", "and enter")
	for i, e := range edges {
		from := e.From
		if i > 0 && edges[i-1].From == from {
			from = "" // the line above says it
		}
		fmt.Fprintf(&b, "%-16s%-15s%-30s%s\n", from, e.On, e.Do, e.To)
	}
	return b.String()
}

// Mermaid draws the edges as a state diagram of Mermaid, which GitHub shows as a picture. There
// must be at least one; the first edge leads from the first state. Outcomes that lead to the same
// state share an arrow. A star behind an outcome means a pause.
func Mermaid(edges []Edge) string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	for _, state := range states(edges) {
		fmt.Fprintf(&b, "    %s : %s\n", identifier(state), state)
	}
	fmt.Fprintf(&b, "    [*] --> %s\n", identifier(edges[0].From))
	for _, a := range arrows(edges) {
		fmt.Fprintf(&b, "    %s --> %s : %s\n", identifier(a.From), identifier(a.To), a.On)
	}
	return b.String()
}

// states lists the states that edges lead from, in order.
func states(edges []Edge) (names []string) {
	for _, e := range edges {
		if !slices.Contains(names, e.From) {
			names = append(names, e.From)
		}
	}
	return names
}

// arrows joins the edges between two states, because a picture has one arrow for them. Its On lists
// the outcomes, each with its mark.
func arrows(edges []Edge) (drawn []Edge) {
	for _, e := range edges {
		label := e.On + marks[e.Do]
		at := slices.IndexFunc(drawn, func(a Edge) bool { return a.From == e.From && a.To == e.To })
		if at >= 0 {
			drawn[at].On += ", " + label
			continue
		}
		drawn = append(drawn, Edge{From: e.From, On: label, To: e.To})
	}
	return drawn
}

// identifier makes "opening watch" into "OpeningWatch": Mermaid's names have no spaces.
func identifier(state string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(state) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
