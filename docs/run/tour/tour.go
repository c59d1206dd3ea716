package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/watchglass/docs/tools/lanes"
)

// tour plays the script and shows all scenes, or only the scene number only, if that is not 0.
func tour(ctx context.Context, t *teller, listener net.Listener, only int) error {
	s, err := newStage(ctx, listener)
	if err != nil {
		return err
	}
	defer s.close()
	t.overture(ctx, s.url)
	last := cmp.Or(only, len(script))
	var shown []lanes.Cell
	for i, scene := range script[:last] {
		number := i + 1
		show := only == 0 || only == number
		if show {
			t.title(ctx, number, scene)
		}
		cells, err := s.play(ctx, scene)
		switch {
		case err != nil && ctx.Err() == nil:
			return err
		case err == nil && show:
			t.draw(ctx, cells)
			t.explain(ctx, t.news(cells))
			shown = append(shown, cells...)
			if only == 0 {
				t.wait(ctx)
			}
		case err == nil:
			t.news(cells) // the tour explains them in their own scene
		}
		if ctx.Err() != nil || t.quit {
			s.close()
			t.quit = false
			t.write("")
			t.say("Ended in scene %d of %d. The informer and the server have been stopped.",
				number, len(script))
			return nil
		}
	}
	if only == 0 {
		t.finale(shown)
	} else {
		t.encore(ctx, only)
	}
	return nil
}

func (t *teller) overture(ctx context.Context, url string) {
	t.write(t.ink.Bold("Watchglass: what happens between an API server and your handler"), "")
	t.say("A small API server listens on %s", url)
	t.say("and an informer watches it over TCP. Every cell below was reported by the stage in whose " +
		"column it stands. A column read downwards is the exact order. An arrow is one object that " +
		"moves on. @5 is a resourceVersion, the number that the server gives to each write.")
	if t.columns < fewestColumns {
		t.write("")
		t.say("This terminal has %d columns, and a picture needs %d. Make it wider and start again, or "+
			"the lines will break.", t.columns, fewestColumns)
	}
	t.wait(ctx)
}

// encore ends the tour of a single scene.
func (t *teller) encore(ctx context.Context, number int) {
	const more = "Kinds of cells that an earlier scene has are explained there."
	lines := []string{""}
	if number > 1 {
		lines = append(lines, t.paragraph(more, 0)...)
	}
	if tab := script[number-1].live; tab != "" {
		lines = append(lines, t.paragraph(fmt.Sprintf("The same on the live page: make live, scene %q.",
			tab), 0)...)
	}
	if len(lines) > 1 {
		t.fit(ctx, len(lines))
		t.write(lines...)
	}
}

func (t *teller) finale(shown []lanes.Cell) {
	t.write("", t.ink.Bold("That was the whole pipe."))
	calls := 0
	for _, did := range []string{" added ", " updated ", " deleted "} {
		calls += count(shown, handling, did)
	}
	t.say("%d lists, %d watches and %d events from the server led to %d calls of handlers.",
		count(shown, reflecting, "objects @"), count(shown, reflecting, "watch opened"),
		count(shown, reflecting, "ED "), calls)
	t.write("", "What to read next:")
	for _, next := range reading {
		t.write(fmt.Sprintf("  %s  %s", t.ink.Bold(fmt.Sprintf("%-31s", next[0])), next[1]))
	}
	t.write("", "Scenes of the live page (make live), and those of the tour that show the same:")
	for _, tab := range tabs() {
		t.write("  " + tab)
	}
}

// tabs returns a line for each scene of the live page that shows the same as scenes of the tour.
func tabs() (lines []string) {
	numbers := map[string][]string{}
	var names []string
	for i, scene := range script {
		if scene.live != "" && numbers[scene.live] == nil {
			names = append(names, scene.live)
		}
		numbers[scene.live] = append(numbers[scene.live], strconv.Itoa(i+1))
	}
	for _, name := range names {
		lines = append(lines, fmt.Sprintf("%-31s  %s", name, strings.Join(numbers[name], ", ")))
	}
	return lines
}

// reading is what a reader can open or run next.
var reading = [][2]string{
	{"docs/0-the-map.md", "the pipe on one page, and where to go on"},
	{"make watch STAGE=deltafifo", "the queue as a story, step by step"},
	{"deltafifo/replace.go", "where the tombstone of scene 6 was made"},
	{"go run ./docs/run/tour -scene 6", "one scene again"},
}

// teller writes the tour: words and pictures, with pauses between them. All that it writes between
// two pauses for a key is on the screen together.
type teller struct {
	out           io.Writer
	ink           lanes.Ink
	picture       *lanes.Text
	rows, columns int // of the screen; rows are 0 if there is none
	used          int // rows since the last key
	fast          bool
	key           func(context.Context) (byte, error)
	quit          bool // the reader has ended the tour: nothing more is written
	explained     map[*entry]bool
}

// newTeller returns a teller that calls key to wait for a key. If key is nil, it pauses instead. A
// fast teller makes no pauses.
func newTeller(out io.Writer, fast bool, key func(context.Context) (byte, error)) *teller {
	t := &teller{out: out, ink: lanes.InkFor(out, os.Getenv), fast: fast, key: key,
		explained: map[*entry]bool{}}
	t.fill(sizeOf(out))
	return t
}

// fill makes pictures for a screen of this size.
func (t *teller) fill(rows, columns int) {
	t.rows, t.columns = rows, columns
	widths := wideLanes
	if columns < mostColumns {
		widths = narrowLanes
	}
	t.picture = lanes.NewText(stages, widths, t.ink)
}

// paragraph breaks text into lines that fit. Beside an indent it needs 40 columns.
func (t *teller) paragraph(text string, indent int) []string {
	return lanes.Paragraph(text, min(max(t.columns, indent+41), mostColumns)-2, indent)
}

// say writes a paragraph.
func (t *teller) say(format string, args ...any) {
	t.write(t.paragraph(fmt.Sprintf(format, args...), 0)...)
}

// title writes the number and the name of a scene, and what to expect.
func (t *teller) title(ctx context.Context, number int, s scene) {
	t.write("", t.ink.Bold(fmt.Sprintf("%2d  %s", number, s.name)))
	t.write(t.paragraph(s.why, 4)...)
	t.write("")
	t.pause(ctx, time.Second)
}

// draw writes a picture, row by row, so that the reader sees objects travel. A picture that is too
// high for the screen goes on below a new header after a key.
func (t *teller) draw(ctx context.Context, cells []lanes.Cell) {
	t.write(t.picture.Header()...)
	for _, row := range t.picture.Draw(cells) {
		if t.fit(ctx, strings.Count(row, "\n")+1) {
			t.write(t.picture.Header()...)
		}
		t.write(row)
		t.pause(ctx, 35*time.Millisecond)
	}
}

// news returns an explanation for each kind of cell that appears for the first time, lane by lane.
func (t *teller) news(cells []lanes.Cell) (paragraphs [][]string) {
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
			says := t.paragraph(e.says, 39)
			says[0] = fmt.Sprintf("    %s%s%s", t.ink.Faint(fmt.Sprintf("%-11s", name)),
				t.ink.Bold(fmt.Sprintf("%-24s", sample)), strings.TrimSpace(says[0]))
			paragraphs = append(paragraphs, says)
		}
	}
	return paragraphs
}

// explain writes explanations below the picture if there is room, or else after a key.
func (t *teller) explain(ctx context.Context, paragraphs [][]string) {
	if len(paragraphs) == 0 {
		return
	}
	t.fit(ctx, 1+len(slices.Concat(paragraphs...)))
	t.write("")
	for _, says := range paragraphs {
		t.fit(ctx, len(says))
		t.write(says...)
		if t.key == nil { // otherwise the reader decides how long to read
			t.pause(ctx, 300*time.Millisecond)
		}
	}
}

// prompt is shown while the tour waits for a key.
const prompt = "  Enter or any other key: go on   a: play on by itself   q: end "

// fit waits for a key if this many lines more, and a prompt below them, would push lines off the
// screen that were written since the last key. It reports whether it has waited.
func (t *teller) fit(ctx context.Context, lines int) bool {
	const promptRows = 2
	if t.key == nil || t.rows == 0 || t.used == 0 || t.used+lines+promptRows <= t.rows {
		return false
	}
	t.wait(ctx)
	return true
}

// wait gives the reader time: until a key is pressed, or for a moment if there is no keyboard.
func (t *teller) wait(ctx context.Context) {
	if t.quit {
		return
	}
	t.used = 0
	if t.key == nil {
		t.pause(ctx, 700*time.Millisecond)
		return
	}
	_, _ = io.WriteString(t.out, "\n"+t.ink.Faint(prompt))
	key, err := t.key(ctx)
	_, _ = io.WriteString(t.out, "\r"+strings.Repeat(" ", len(prompt))+"\r")
	switch {
	case err != nil || key == 'a' || key == 'A': // err: no more keys
		t.key = nil
	case key == 'q' || key == 'Q':
		t.quit = true
	}
}

// pause waits, so that the reader can follow. A fast teller does not wait.
func (t *teller) pause(ctx context.Context, d time.Duration) {
	if t.fast || t.quit {
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
		switch {
		case t.quit:
			return
		case t.key != nil && t.used == 0 && line == "":
			continue // the prompt has left one
		}
		t.used += strings.Count(line, "\n") + 1
		_, _ = fmt.Fprintln(t.out, line)
	}
}
