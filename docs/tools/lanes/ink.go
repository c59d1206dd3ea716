package lanes

import (
	"os"
	"strings"
)

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

// objectColours are easy to tell from each other and from the red of an alarm.
var objectColours = [...]string{"36", "33", "35", "32", "34", "96"}

// object colours text about the object of that number.
func (i Ink) object(number int, s string) string {
	return i.sgr(objectColours[number%len(objectColours)], s)
}

func (i Ink) sgr(code, s string) string {
	if !i.Colour || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
