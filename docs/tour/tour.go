package main

import (
	"context"
	"fmt"
	"time"
)

// tour plays the script. events is after how many of them to stop, 0 for not before the end.
func tour(ctx context.Context, t *teller, events int) error {
	seen := newRecorder()
	s, err := newStage(ctx, seen, t.fast)
	played := 0
	if err == nil {
		played, err = t.perform(ctx, s, events)
		s.close()
	}
	t.say("")
	switch {
	case ctx.Err() != nil:
		t.say("Interrupted in step %d of %d. The informer and the server have been stopped.",
			min(played+1, len(script)), len(script))
	case err != nil:
		return err
	case played < len(script):
		t.say("Stopped as -n asked, after %d steps of %d and %s of handlers.", played, len(script),
			plural(seen.soFar().calls, "call"))
	default:
		t.finale(seen.soFar())
	}
	return nil
}

// perform plays step after step and returns how many it has played to the end.
func (t *teller) perform(ctx context.Context, s *stage, events int) (played int, err error) {
	t.overture(s.url)
	for i, step := range script {
		if err := t.play(ctx, s, i+1, step); err != nil {
			return i, fmt.Errorf("step %d, %s: %w", i+1, step.name, err)
		}
		if events > 0 && s.seen.soFar().calls >= events {
			return i + 1, nil
		}
	}
	return len(script), nil
}

// play is one step: what will happen, what happened.
func (t *teller) play(ctx context.Context, s *stage, number int, step step) error {
	t.title(number, step.name, step.why)
	t.header()
	t.pause(ctx, 450*time.Millisecond)
	if err := step.do(ctx, s); err != nil {
		return err
	}
	if err := s.seen.await(ctx, step.rest...); err != nil {
		return err
	}
	marks, _ := s.seen.take()
	t.draw(ctx, marks)
	t.pause(ctx, 700*time.Millisecond)
	return nil
}

func (t *teller) overture(url string) {
	t.say("%s", t.ink.bold("Watchglass: what happens between an API server and your handler"))
	t.say("")
	t.say("A small API server listens on %s", url)
	t.say("and an informer watches it over TCP. Every cell below was reported by the stage it " +
		"stands under. Read a column downwards: that is the exact order. Follow an arrow: that is " +
		"one object on its way. @5 is a resourceVersion, the server's count of all its writes.")
}

func (t *teller) finale(sum tally) {
	t.say("%s", t.ink.bold("That was the whole pipe."))
	t.say("%s, %s and %s from the server became %s of handlers.", plural(sum.lists, "list"),
		plural(sum.watches, "watch"), plural(sum.events, "event"), plural(sum.calls, "call"))
	t.say("")
	t.say("What to read next:")
	for _, next := range reading {
		t.write([]string{fmt.Sprintf("  %s  %s", t.ink.bold(fmt.Sprintf("%-30s", next[0])), next[1])})
	}
}

// reading is where to go from here.
var reading = [][2]string{
	{"docs/0-the-map.md", "the pipe on one page, and where to go on"},
	{"make watch STAGE=deltafifo", "the queue as a story, step by step"},
	{"deltafifo/replace.go", "where the tombstone of step 6 was made"},
	{"go run ./docs/tour -h", "how to watch a real cluster like this"},
}
