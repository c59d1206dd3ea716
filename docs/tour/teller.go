package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// teller writes the story: words, pictures and the pauses between them.
type teller struct {
	out     io.Writer
	ink     ink
	picture picture
	columns int
	fast    bool // no pauses

	sinceHeader int // lines written since the lanes were named
}

func newTeller(out io.Writer, fast bool) *teller {
	t := &teller{out: out, ink: inkFor(out, os.Getenv), columns: columnsOf(out), fast: fast}
	t.picture = newPicture(t.columns, t.ink)
	return t
}

// say writes a line, wrapped.
func (t *teller) say(format string, args ...any) {
	t.write(t.paragraph(fmt.Sprintf(format, args...), ""))
}

// title writes the number and the name of a step, and the sentence that explains it.
func (t *teller) title(number int, name, why string) {
	head := t.ink.bold(fmt.Sprintf("%2d  %s", number, name))
	t.write([]string{"", head})
	t.write(t.paragraph(why, "    "))
	t.write([]string{""})
}

// paragraph fills lines with words.
func (t *teller) paragraph(text, indent string) []string {
	var lines []string
	for _, line := range wrap(text, t.columns-len(indent)-2) {
		lines = append(lines, indent+strings.TrimSpace(line))
	}
	return lines
}

// header names the lanes.
func (t *teller) header() {
	t.write(t.picture.header())
	t.sinceHeader = 0
}

// draw writes a picture, line by line, so that one sees things travel.
func (t *teller) draw(ctx context.Context, marks []mark) {
	for _, line := range t.picture.draw(marks) {
		t.write([]string{line})
		t.pause(ctx, 35*time.Millisecond)
	}
}

// pause gives the reader time, unless there is none to give.
func (t *teller) pause(ctx context.Context, d time.Duration) {
	if t.fast {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// write ignores errors: whoever has closed our output does not want to know.
func (t *teller) write(lines []string) {
	t.sinceHeader += len(lines)
	for _, line := range lines {
		_, _ = fmt.Fprintln(t.out, line)
	}
}
