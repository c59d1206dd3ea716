package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// lane is a column: one stage of the pipe, or an end of it.
type lane int

// The lanes, from left to right.
const (
	apiServer lane = iota
	reflecting
	queueing
	indexing
	processing
	handling
	lanes
)

var laneNames = [lanes]string{
	"api server", "reflector", "deltafifo", "indexer", "processor", "handler",
}

// How wide the lanes are in the widest picture and in the narrowest. In the narrow one many cells
// take two lines, which is why the lanes do not shrink alike: each keeps room for its longest word.
var (
	wideLanes   = [lanes]int{14, 14, 17, 13, 12, 19}
	narrowLanes = [lanes]int{12, 12, 16, 7, 9, 13}
)

// Pictures are as wide as the lanes and what is between them. Longer lines would be hard to read.
const (
	mostColumns   = 100
	fewestColumns = 80
)

// mark is one cell of a picture: something that a trace has reported.
type mark struct {
	lane   lane
	object string // the key of the object it is about; empty if it is about none
	text   string
	alarm  bool // something went wrong
}

// place gives each mark its row. Marks come in the order in which they were reported, and in a lane
// they keep it. A mark about an object stands to the right of the one before it about that object,
// or below: that is what caused it. The first one about an object stands no higher than what the
// lane to its left was busy with, a list for example. A mark about no object (a list, a watch)
// stands no higher than its neighbours of the same kind: they are the other end of the talk.
//
// What has no cause in common may share a row although it happened at another time. That is no
// flaw of the picture: there is no order between those.
func place(marks []mark) []int {
	rows := make([]int, len(marks))
	next := [lanes]int{}      // the first free row of each lane
	cause := map[string]int{} // the last mark about an object
	quiet := [lanes]int{}     // row of the last mark about none
	for i, m := range marks {
		row := next[m.lane]
		last, known := cause[m.object]
		switch {
		case m.object == "":
			for l := max(m.lane-1, 0); l <= min(m.lane+1, lanes-1); l++ {
				row = max(row, quiet[l])
			}
			quiet[m.lane] = row
		case known && marks[last].lane < m.lane:
			row = max(row, rows[last])
		case known:
			row = max(row, rows[last]+1)
		case m.lane > 0:
			row = max(row, quiet[m.lane-1])
		}
		if m.object != "" {
			cause[m.object] = i
		}
		rows[i] = row
		next[m.lane] = row + 1
	}
	return rows
}

// picture draws marks as lanes.
type picture struct {
	widths  [lanes]int
	ink     ink
	colours map[string]int // of objects, by number, in the order in which they appear
}

// newPicture returns a picture for so many columns.
func newPicture(columns int, ink ink) picture {
	p := picture{ink: ink, colours: map[string]int{}}
	extra := min(max(columns, fewestColumns), mostColumns) - fewestColumns
	for l, narrow := range narrowLanes {
		p.widths[l] = narrow + (wideLanes[l]-narrow)*extra/(mostColumns-fewestColumns)
	}
	return p
}

// header names the lanes.
func (p picture) header() []string {
	var names, rule strings.Builder
	for l, width := range p.widths {
		fmt.Fprintf(&names, " %-*s ", width, laneNames[l])
		rule.WriteString(strings.Repeat("─", width+1))
		if l < len(p.widths)-1 {
			rule.WriteString("┬")
		}
	}
	return []string{
		p.ink.bold(strings.TrimRight(names.String(), " ")),
		p.ink.faint(rule.String()),
	}
}

// mostRows is how many rows of one picture are drawn. A first list may be thousands.
const mostRows = 24

// draw returns the lines of the picture.
func (p picture) draw(marks []mark) []string {
	grid := map[int]*[lanes]*mark{}
	last := -1
	for i, row := range place(marks) {
		if grid[row] == nil {
			grid[row] = &[lanes]*mark{}
		}
		grid[row][marks[i].lane] = &marks[i]
		last = max(last, row)
	}
	var lines []string
	for row := 0; row <= last; row++ {
		if left := last + 1 - row; row == mostRows/2 && left > mostRows/2 {
			row = last + 1 - mostRows/2
			lines = append(lines, p.ink.faint(
				fmt.Sprintf(" … %d more rows …", row-mostRows/2)))
		}
		lines = append(lines, p.row(grid[row])...)
	}
	return lines
}

// row draws one row, as many lines high as its highest cell.
func (p picture) row(cells *[lanes]*mark) []string {
	var text [lanes][]string
	height := 1
	for l, m := range cells {
		if m != nil {
			text[l] = wrap(m.text, p.widths[l])
			height = max(height, len(text[l]))
		}
	}
	lines := make([]string, height)
	for i := range lines {
		var b strings.Builder
		for l := range lanes {
			line := ""
			if i < len(text[l]) {
				line = text[l][i]
			}
			p.cell(&b, cells, l, line, i == 0)
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// cell writes one line of a cell and what separates it from the next lane: a line, or an arrow that
// carries an object over.
func (p picture) cell(b *strings.Builder, cells *[lanes]*mark, l lane, line string, first bool) {
	m := cells[l]
	b.WriteString(" ")
	room := p.widths[l] - utf8.RuneCountInString(line)
	if m != nil {
		b.WriteString(p.paint(m, line))
	}
	if l == lanes-1 {
		return
	}
	if right := cells[l+1]; first && m != nil && right != nil && m.object != "" &&
		m.object == right.object {
		b.WriteString(p.ink.faint(arrow(room)))
		return
	}
	b.WriteString(strings.Repeat(" ", room) + p.ink.faint("│"))
}

// paint gives each object a colour of its own, so that the eye can follow it through the lanes. It
// is never the only sign: the text says which object it is.
func (p picture) paint(m *mark, text string) string {
	switch {
	case m.alarm:
		return p.ink.alarm(text)
	case m.object == "":
		return text
	}
	number, known := p.colours[m.object]
	if !known {
		number = len(p.colours)
		p.colours[m.object] = number
	}
	return p.ink.object(number, text)
}

// arrow fills what a cell has left, and the line behind it.
func arrow(room int) string {
	if room == 0 {
		return "▶"
	}
	return " " + strings.Repeat("─", room-1) + "▶"
}

// wrap breaks text into lines of at most width columns: between words, and inside a word only if
// that is too long for a line. Lines after the first are indented.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		word = shorten(word, width-1)
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = " " + word
		}
	}
	return append(lines, line)
}

// shorten takes out the middle of a word that does not fit: names of objects differ at both ends.
func shorten(word string, width int) string {
	runes := []rune(word)
	if len(runes) <= width {
		return word
	}
	head := (width - 1) / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(width-1-head):])
}
