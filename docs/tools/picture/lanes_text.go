package picture

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/watchglass/docs/tools/program"
)

// lanesText draws lanes with characters, for terminals and files. The lanes have these widths, in
// columns; between two lanes there are two columns more.
type lanesText struct {
	lanes  lanes
	widths []int
	ink    program.Ink
}

// header returns two lines: the names of the lanes, and a rule.
func (t lanesText) header() []string {
	var names, rule strings.Builder
	for l, width := range t.widths {
		fmt.Fprintf(&names, " %-*s ", width, t.lanes.names[l])
		rule.WriteString(strings.Repeat("─", width+1))
		if l < len(t.widths)-1 {
			rule.WriteString("┬")
		}
	}
	return []string{
		t.ink.Bold(strings.TrimRight(names.String(), " ")),
		t.ink.Faint(rule.String()),
	}
}

// draw returns the rows of the picture. A row has as many lines as its highest cell.
func (t lanesText) draw(cells []cell) (rows []string) {
	for _, row := range t.lanes.grid(cells, t.widths) {
		lines := make([]string, height(row))
		for i := range lines {
			var b strings.Builder
			for l := range row {
				t.cell(&b, row, l, i)
			}
			lines[i] = strings.TrimRight(b.String(), " ")
		}
		rows = append(rows, strings.Join(lines, "\n"))
	}
	return rows
}

// cell writes line i of a cell, and a rule towards the next lane, or an arrow if the object moves
// on to it.
func (t lanesText) cell(b *strings.Builder, row []field, l, i int) {
	b.WriteString(" ")
	room := t.widths[l]
	if i < len(row[l].lines) {
		line := row[l].lines[i]
		room -= utf8.RuneCountInString(line)
		b.WriteString(t.paint(row[l].cell, line))
	}
	switch {
	case l == len(row)-1:
	case i == 0 && carries(row, l):
		b.WriteString(t.ink.Faint(arrow(room)))
	default:
		b.WriteString(strings.Repeat(" ", room) + t.ink.Faint("│"))
	}
}

// paint gives each object a colour of its own, so that a reader can follow it through the lanes.
// The colour is never the only sign: the text says which object it is.
func (t lanesText) paint(c *cell, text string) string {
	switch {
	case c.alarm:
		return t.ink.Alarm(text)
	case c.object == "":
		return text
	}
	return t.ink.Object(colour(c.object), text)
}

// arrow fills the rest of a cell, and replaces the rule after it.
func arrow(room int) string {
	if room == 0 {
		return "▶"
	}
	return " " + strings.Repeat("─", room-1) + "▶"
}
