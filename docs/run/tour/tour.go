package main

import (
	"cmp"
	"context"
	"fmt"
	"net"

	"example.com/watchglass/docs/tools/lanes"
)

// tour plays the script and shows all scenes, or only the scene number only, if that is not 0.
func tour(ctx context.Context, t *teller, listener net.Listener, only int) error {
	s, err := newStage(ctx, listener)
	if err != nil {
		return err
	}
	defer s.close()
	t.overture(s.url)
	last := cmp.Or(only, len(script))
	var shown []lanes.Cell
	for i, scene := range script[:last] {
		number := i + 1
		show := only == 0 || only == number
		if show {
			t.title(ctx, number, scene)
		}
		cells, err := s.play(ctx, scene)
		if err != nil && ctx.Err() == nil {
			return err
		}
		goOn := true
		if show && err == nil {
			t.draw(ctx, cells)
			t.explain(ctx, cells)
			shown = append(shown, cells...)
			goOn = number == last || t.wait(ctx)
		}
		if ctx.Err() != nil || !goOn {
			s.close()
			t.write("")
			t.say("Ended in scene %d of %d. The informer and the server have been stopped.",
				number, len(script))
			return nil
		}
	}
	if only == 0 {
		t.finale(shown)
	}
	return nil
}

func (t *teller) overture(url string) {
	t.write(t.ink.Bold("Watchglass: what happens between an API server and your handler"), "")
	t.say("A small API server listens on %s", url)
	t.say("and an informer watches it over TCP. Every cell below was reported by the stage in whose " +
		"column it stands. A column read downwards is the exact order. An arrow is one object that " +
		"moves on. @5 is a resourceVersion, the number that the server gives to each write.")
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
		t.write(fmt.Sprintf("  %s  %s", t.ink.Bold(fmt.Sprintf("%-28s", next[0])), next[1]))
	}
}

// reading is what a reader can open or run next.
var reading = [][2]string{
	{"docs/0-the-map.md", "the pipe on one page, and where to go on"},
	{"make watch STAGE=deltafifo", "the queue as a story, step by step"},
	{"deltafifo/replace.go", "where the tombstone of scene 6 was made"},
	{"go run ./docs/run/tour -scene 6", "one scene again"},
}
