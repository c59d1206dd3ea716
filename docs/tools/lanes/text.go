package lanes

import (
	"fmt"
	"os"
	"strings"
	"unicode/utf8"
)

// Text draws lanes with characters, for terminals and files. The lanes have these widths, in columns; between two
// lanes there are two columns more.
type Text struct {
	Lanes  Lanes
	Widths []int
	Ink    Ink
}

// Header returns two lines: the names of the lanes, and a rule.
func (t Text) Header() []string {
	var names, rule strings.Builder
	for l, width := range t.Widths {
		fmt.Fprintf(&names, " %-*s ", width, t.Lanes.Names[l])
		rule.WriteString(strings.Repeat("─", width+1))
		if l < len(t.Widths)-1 {
			rule.WriteString("┬")
		}
	}
	return []string{
		t.Ink.Bold(strings.TrimRight(names.String(), " ")),
		t.Ink.Faint(rule.String()),
	}
}

// Draw returns the rows of the picture. A row has as many lines as its highest cell.
func (t Text) Draw(cells []Cell) (rows []string) {
	for _, row := range t.Lanes.grid(cells, t.Widths) {
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
func (t Text) cell(b *strings.Builder, row []field, l, i int) {
	b.WriteString(" ")
	room := t.Widths[l]
	if i < len(row[l].lines) {
		line := row[l].lines[i]
		room -= utf8.RuneCountInString(line)
		b.WriteString(t.paint(row[l].Cell, line))
	}
	switch {
	case l == len(row)-1:
	case i == 0 && carries(row, l):
		b.WriteString(t.Ink.Faint(arrow(room)))
	default:
		b.WriteString(strings.Repeat(" ", room) + t.Ink.Faint("│"))
	}
}

// paint gives each object a colour of its own, so that a reader can follow it through the lanes.
// The colour is never the only sign: the text says which object it is.
func (t Text) paint(c *Cell, text string) string {
	switch {
	case c.Alarm:
		return t.Ink.alarm(text)
	case c.Object == "":
		return text
	}
	return t.Ink.object(colour(c.Object), text)
}

// arrow fills the rest of a cell, and replaces the rule after it.
func arrow(room int) string {
	if room == 0 {
		return "▶"
	}
	return " " + strings.Repeat("─", room-1) + "▶"
}

// Wrap breaks text between words into lines of at most width columns. A word that is too long for a
// line loses its middle. Lines after the first are indented by one column.
func Wrap(text string, width int) []string {
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

// Paragraph breaks text into lines of at most this many columns. Each line is indented by indent
// columns, which are part of that.
func Paragraph(text string, columns, indent int) []string {
	lines := Wrap(text, columns-indent)
	for i, line := range lines {
		lines[i] = strings.Repeat(" ", indent) + strings.TrimSpace(line)
	}
	return lines
}

// shorten replaces the middle of a word that is too long by …, because the names of objects differ
// at both ends.
func shorten(word string, width int) string {
	runes := []rune(word)
	if len(runes) <= width {
		return word
	}
	head := (width - 1) / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(width-1-head):])
}

// Ink gives text the colours of a terminal. The zero value leaves text as it is.
type Ink struct {
	Colour bool
}

// InkFor returns the ink for w. It has colour if w is a terminal, unless the environment variable
// NO_COLOR is not empty (see no-color.org) or TERM is "dumb".
func InkFor(w any, getenv func(string) string) Ink {
	return Ink{Colour: IsTerminal(w) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"}
}

// IsTerminal reports whether f is an *os.File of a character device, as terminals are. It is also
// true for other such devices, for example /dev/null.
func IsTerminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Bold returns s in bold letters.
func (i Ink) Bold(s string) string { return i.sgr("1", s) }

// Faint returns s in a weaker colour.
func (i Ink) Faint(s string) string { return i.sgr("2", s) }

func (i Ink) alarm(s string) string { return i.sgr("31", s) }

// objectColours are those of the live page: green, blue, amber, pink.
var objectColours = [colours]string{"32", "36", "33", "35"}

// object writes text about an object in the colour of that number.
func (i Ink) object(number int, s string) string { return i.sgr(objectColours[number], s) }

func (i Ink) sgr(code, s string) string {
	if !i.Colour || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
