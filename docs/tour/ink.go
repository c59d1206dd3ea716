package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// ink colours text, or leaves it alone: its zero value writes plain text.
type ink struct {
	colour bool
}

// inkFor says how to write to w. Colour is for terminals whose owner has not declined it, by
// NO_COLOR (see no-color.org) or by a terminal that cannot do it.
func inkFor(w io.Writer, getenv func(string) string) ink {
	return ink{colour: isTerminal(w) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"}
}

// isTerminal reports whether someone is looking at w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// columnsOf is how wide pictures on w may be. A file has room enough; a terminal is asked through
// stty, and where there is none it is taken for a small one.
func columnsOf(w io.Writer) int {
	if !isTerminal(w) {
		return mostColumns
	}
	stty := exec.Command("stty", "size")
	stty.Stdin = w.(*os.File)
	out, _ := stty.Output()
	rows, columns := 0, 0
	if n, _ := fmt.Sscan(string(out), &rows, &columns); n < 2 || columns <= 0 {
		columns = fewestColumns
	}
	return min(max(columns, fewestColumns), mostColumns)
}

func (i ink) bold(s string) string  { return i.sgr("1", s) }
func (i ink) faint(s string) string { return i.sgr("2", s) }
func (i ink) alarm(s string) string { return i.sgr("31", s) }

// objectColours are far enough from each other and from the red of an alarm.
var objectColours = [...]string{"36", "33", "35", "32", "34", "96"}

// object colours what is about the object of that number.
func (i ink) object(number int, s string) string {
	return i.sgr(objectColours[number%len(objectColours)], s)
}

func (i ink) sgr(code, s string) string {
	if !i.colour || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
