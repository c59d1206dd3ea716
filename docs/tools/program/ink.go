package program

import (
	"os"
	"strings"
	"unicode/utf8"
)

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

// paragraph breaks text into lines of at most this many columns. Each line is indented by indent
// columns, which are part of that.
func paragraph(text string, columns, indent int) []string {
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
func InkFor(w any) Ink {
	return Ink{Colour: isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// isTerminal reports whether f is an *os.File of a character device, as terminals are. It is also
// true for other such devices, for example /dev/null.
func isTerminal(f any) bool {
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

// Alarm returns s in red.
func (i Ink) Alarm(s string) string { return i.sgr("31", s) }

// objectColours are those of the live page: green, blue, amber, pink.
var objectColours = [...]string{"32", "36", "33", "35"}

// Object returns text about an object in the colour of that number, 0 to 3.
func (i Ink) Object(number int, s string) string { return i.sgr(objectColours[number], s) }

func (i Ink) sgr(code, s string) string {
	if !i.Colour || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
