package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"example.com/watchglass/docs/tools/lanes"
)

// teller writes the tour: words and pictures, with pauses between them.
type teller struct {
	out       io.Writer
	ink       lanes.Ink
	picture   *lanes.Text
	columns   int
	fast      bool // no pauses
	key       func(context.Context) (byte, error)
	explained map[*entry]bool
}

// newTeller returns a teller that calls key between scenes to wait for a key. If key is nil, it
// pauses instead. A fast teller makes no pauses.
func newTeller(out io.Writer, fast bool, key func(context.Context) (byte, error)) *teller {
	t := &teller{out: out, ink: lanes.InkFor(out, os.Getenv), columns: columnsOf(out),
		fast: fast, key: key, explained: map[*entry]bool{}}
	widths := wideLanes
	if t.columns < mostColumns {
		widths = narrowLanes
	}
	t.picture = lanes.NewText(stages, widths, t.ink)
	return t
}

// say writes a paragraph.
func (t *teller) say(format string, args ...any) {
	t.write(lanes.Paragraph(fmt.Sprintf(format, args...), t.columns-2, 0)...)
}

// title writes the number and the name of a scene, and what to expect.
func (t *teller) title(ctx context.Context, number int, s scene) {
	t.write("", t.ink.Bold(fmt.Sprintf("%2d  %s", number, s.name)))
	t.write(lanes.Paragraph(s.why, t.columns-2, 4)...)
	t.write("")
	t.pause(ctx, time.Second)
}

// draw writes a picture, line by line, so that the reader sees objects travel.
func (t *teller) draw(ctx context.Context, cells []lanes.Cell) {
	t.write(t.picture.Header()...)
	for _, line := range t.picture.Draw(cells) {
		t.write(line)
		t.pause(ctx, 35*time.Millisecond)
	}
}

// explain writes what the cells mean that appear for the first time.
func (t *teller) explain(ctx context.Context, cells []lanes.Cell) {
	gap := []string{""} // above the first line
	for lane, name := range stages.Names {
		for _, c := range cells {
			e := explanation(c)
			if c.Lane != lane || e == nil || t.explained[e] {
				continue
			}
			t.explained[e] = true
			sample := c.Text
			if lines := lanes.Wrap(sample, 21); len(lines) > 1 {
				sample = lines[0] + " …"
			}
			says := lanes.Paragraph(e.says, t.columns-2, 39)
			says[0] = fmt.Sprintf("    %s%s%s", t.ink.Faint(fmt.Sprintf("%-11s", name)),
				t.ink.Bold(fmt.Sprintf("%-24s", sample)), strings.TrimSpace(says[0]))
			t.write(append(gap, says...)...)
			gap = nil
			if t.key == nil { // otherwise the reader decides how long to read
				t.pause(ctx, 300*time.Millisecond)
			}
		}
	}
}

// prompt is shown below a scene while the tour waits for a key.
const prompt = "  Enter or any other key: go on   a: play on by itself   q: end "

// wait gives the reader time for a scene: until a key is pressed, or for a moment if there is no
// keyboard. It reports whether the tour goes on.
func (t *teller) wait(ctx context.Context) bool {
	if t.key == nil {
		t.pause(ctx, 700*time.Millisecond)
		return true
	}
	_, _ = io.WriteString(t.out, "\n"+t.ink.Faint(prompt))
	key, err := t.key(ctx)
	_, _ = io.WriteString(t.out, "\r"+strings.Repeat(" ", len(prompt))+"\r")
	switch {
	case err != nil || key == 'a' || key == 'A': // err: no more keys
		t.key = nil
	case key == 'q' || key == 'Q':
		return false
	}
	return true
}

// pause waits, so that the reader can follow. A fast teller does not wait.
func (t *teller) pause(ctx context.Context, d time.Duration) {
	if t.fast {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// write ignores errors: when the output is closed, there is no reader any more.
func (t *teller) write(lines ...string) {
	for _, line := range lines {
		_, _ = fmt.Fprintln(t.out, line)
	}
}
