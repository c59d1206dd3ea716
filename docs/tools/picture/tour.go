package picture

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/tape"
)

// Tour prints tapes as lanes, with an explanation of each kind of cell when it appears for the
// first time.
type Tour struct {
	*program.Screen
	pipe  lanes           // of the tape that is shown
	known map[string]bool // entries of the legend
}

// NewTour returns a tour on a screen.
func NewTour(s *program.Screen) *Tour { return &Tour{Screen: s, known: map[string]bool{}} }

// over reports whether the tour was ended before its end.
func (t *Tour) over(ctx context.Context) bool { return t.Quit || ctx.Err() != nil }

// overture says how the pictures are read.
func (t *Tour) overture(ctx context.Context) {
	t.Write(t.Bold("Watchglass: what happens between an API server and your handler"), "")
	t.Write(t.Paragraph("A small API server and an informer have run through a story, in virtual "+
		"time. "+
		"Every cell below was reported by the stage in whose column it stands. A column read downwards "+
		"is the exact order. An arrow is one object that moves on. @5 is a resourceVersion, the number "+
		"that the server gives to each write. ▸ is a command of the story.", 0)...)
	t.Wait(ctx, "")
}

// lesson shows a lesson, as Play returns it: how things stand, what happens, a question,
// and the events that answer it. What was before the first beat is left out.
func (t *Tour) lesson(
	ctx context.Context, number int, l tape.Lesson, played *tape.Tape,
) {
	t.pipe = pipe(played)
	t.title(ctx, fmt.Sprintf("%2d  %s", number, l.Title), t.Paragraph(l.Beats[0].Says, 4)...)
	says := map[int64]string{}
	for _, b := range l.Beats[1:] {
		says[int64(b.Seq)] = b.Says
	}
	proof := slices.IndexFunc(l.Beats, func(b tape.Beat) bool { return b.Seq == l.ProofAt })
	before, end := l.Beats[proof-1].Seq+1, l.Beats[len(l.Beats)-1].Seq+1
	t.events(ctx, played.Events[l.Beats[0].Seq+1:before], says)
	t.ask(ctx, l)
	t.events(ctx, played.Events[before:end], says)
}

// story shows a tape with the prose of its story.
func (t *Tour) story(ctx context.Context, played *tape.Tape) {
	t.pipe = pipe(played)
	t.title(ctx, played.Meta.Story)
	says := map[int64]string{}
	for _, e := range played.Events {
		if e.Kind == "say" {
			says[e.Seq] = e.Text
		}
	}
	t.events(ctx, played.Events, says)
}

func (t *Tour) title(ctx context.Context, title string, lines ...string) {
	t.Block(ctx, append([]string{t.Bold(title)}, lines...)...)
	t.Pause(ctx, time.Second)
}

// events shows what commands have led to, act by act.
func (t *Tour) events(ctx context.Context, events []*tape.Event, says map[int64]string) {
	for len(events) > 0 && !t.over(ctx) {
		n := actOf(events, says)
		t.act(ctx, events[:n], says)
		events = events[n:]
	}
}

// actOf returns how many events the first act has: some commands, and what has come of them.
// Commands of which nothing is said belong to the next act.
func actOf(events []*tape.Event, says map[int64]string) int {
	done, told := false, false
	for n, e := range events {
		said := says[e.Seq] != ""
		if done && said && e.Kind == "say" || told && e.Kind == "do" {
			return n
		}
		done = done || e.Kind == "do"
		told = said && e.Kind != "say" || told && e.Kind != "do"
	}
	return len(events)
}

// act shows commands, what is said of their events, the cells, and what is new among these.
func (t *Tour) act(ctx context.Context, events []*tape.Event, says map[int64]string) {
	commands, said := "", []string(nil)
	for _, e := range events {
		if e.Kind == "do" {
			commands += "  ▸ " + e.Text
		}
	}
	if commands != "" {
		t.Fit(ctx, 6)
		for _, line := range t.Paragraph(commands, 2) {
			said = append(said, t.Bold(line))
		}
	}
	for _, e := range events {
		if text, ok := says[e.Seq]; ok {
			lines := t.Paragraph(text, 6)
			lines[0] = "    - " + lines[0][6:]
			said = append(said, lines...)
		}
	}
	t.Block(ctx, said...)
	events = drawn(events)
	t.draw(ctx, cells(events))
	t.explain(ctx, events)
}

// draw writes a picture, row by row, so that the reader sees objects travel. A picture that is too
// high for the screen goes on below a new header after a wait.
func (t *Tour) draw(ctx context.Context, cells []cell) {
	if len(cells) == 0 {
		return
	}
	widths := wideLanes
	if t.Columns < program.MostColumns {
		widths = narrowLanes
	}
	picture := lanesText{lanes: t.pipe, widths: widths, ink: t.Ink}
	rows, header := picture.draw(cells), picture.header()
	t.Fit(ctx, len(header)+1+strings.Count(rows[0], "\n")+2)
	t.Write(append([]string{""}, header...)...)
	for _, row := range rows {
		if t.Fit(ctx, strings.Count(row, "\n")+1) {
			t.Write(header...)
		}
		t.Write(row)
		t.Pause(ctx, 35*time.Millisecond)
	}
}

// explain writes an explanation for each kind of cell that appears for the first time, column by
// column: below the picture if there is room, or else after a wait.
func (t *Tour) explain(ctx context.Context, events []*tape.Event) {
	var all [][]string
	for lane, name := range t.pipe.names {
		for _, e := range events {
			says := tape.Legend[e.Means]
			if column(e) != lane || says == "" || t.known[e.Means] {
				continue
			}
			t.known[e.Means] = true
			all = append(all, t.entry(name, e.Brief, says))
		}
	}
	t.Block(ctx)
	t.Fit(ctx, len(slices.Concat(all...)))
	for _, lines := range all {
		t.Fit(ctx, len(lines))
		t.Write(lines...)
		if t.Enter == nil { // otherwise the reader decides how long to read
			t.Pause(ctx, 300*time.Millisecond)
		}
	}
}

// entry is the explanation of a cell of a column.
func (t *Tour) entry(name, cell, says string) []string {
	if lines := program.Wrap(cell, 21); len(lines) > 1 {
		cell = lines[0] + " …"
	}
	lines := t.Paragraph(says, 39)
	lines[0] = fmt.Sprintf("    %s%s%s", t.Faint(fmt.Sprintf("%-11s", name)),
		t.Bold(fmt.Sprintf("%-24s", cell)), strings.TrimSpace(lines[0]))
	return lines
}

// ask asks the lesson's question, waits for an answer, and says what is right.
func (t *Tour) ask(ctx context.Context, l tape.Lesson) {
	if t.over(ctx) {
		return
	}
	right := slices.IndexFunc(l.Answers, func(a tape.Answer) bool { return a.Reply == "" })
	lines := t.Paragraph(l.Question, 4)
	for i, a := range l.Answers {
		answer := t.Paragraph(a.Text, 7)
		answer[0] = fmt.Sprintf("    %d  %s", i+1, strings.TrimSpace(answer[0]))
		lines = append(lines, answer...)
	}
	t.Block(ctx, lines...)
	verdict := fmt.Sprintf("%d is right.", right+1)
	typed, _ := strconv.Atoi(t.Wait(ctx, "1 to 4: answer   "))
	if said := typed - 1; said >= 0 && said < len(l.Answers) && said != right {
		verdict = fmt.Sprintf("%d is wrong. %s %s", said+1, l.Answers[said].Reply, verdict)
	}
	t.Block(ctx, t.Paragraph(verdict, 4)...)
}

// Play shows a story, by its file or a part of its name; without one, the lesson of this number, or
// all of them if that is 0.
func (t *Tour) Play(ctx context.Context, r *tape.Recorder, story string, only int) error {
	if story != "" {
		found, err := r.Story(story)
		if err != nil {
			return err
		}
		played, err := r.Record(found)
		if err != nil {
			return err
		}
		t.story(ctx, played)
		return nil
	}
	if only == 0 {
		t.overture(ctx)
	}
	for i, l := range tape.Lessons {
		if only > 0 && only != i+1 || t.over(ctx) {
			continue
		}
		l, played, err := l.Play(r)
		if err != nil {
			return err
		}
		t.lesson(ctx, i+1, l, played)
		if only == 0 {
			t.Wait(ctx, "")
		}
	}
	switch {
	case t.over(ctx):
		t.Quit = false
		t.Write("", "The tour has ended early.")
	case only == 0:
		t.finale()
	}
	return nil
}

// finale says what a reader can open or run next.
func (t *Tour) finale() {
	t.Write("", t.Bold("That was the whole pipe."), "What to read next:")
	for _, next := range [][2]string{
		{"docs/0-the-map.md", "the pipe on one page, and where to go on"},
		{"make live", "the same lessons as a page, and a machine of your own to break"},
		{"make watch STAGE=deltafifo", "the queue as a story, step by step"},
		{"deltafifo/replace.go", "where the tombstone of lesson 5 was made"},
		{`make tour ARGS="-story relist"`, "another story of the informer"},
	} {
		t.Write(fmt.Sprintf("  %s  %s", t.Bold(fmt.Sprintf("%-31s", next[0])), next[1]))
	}
}
