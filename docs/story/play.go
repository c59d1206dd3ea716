package story

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A Machine is a stage as a story sees it.
type Machine interface {
	// Do carries out one command. An error says that the story is wrong (no such command, no such
	// object), not that the stage refused: what the stage answers belongs in the state.
	Do(Command) error
	// State returns the complete state after the last command, with a newline between lines.
	// It is called once after every step, so it may show what is new and then forget it; what a
	// quiet step did is not shown.
	State() string
}

// Play plays every file that glob names as a subtest, each against a machine of its own. It is for
// stages without goroutines.
func Play(t *testing.T, glob string, open func(testing.TB) Machine) {
	play(t, glob, func(t *testing.T, path string) {
		run(t, path, open(t), noClock, func() {})
	})
}

func noClock(time.Duration) error {
	return errors.New("this story has no clock to wait for: play it in a bubble")
}

// PlayInBubble is [Play] for stages with goroutines. Each file plays in a bubble of its own
// (testing/synctest): after every command the stage settles, which is to say that all its
// goroutines wait for something; "wait 30s" lets virtual time pass; and a goroutine left over at
// the end fails the story. The machine ends what it started in open's t.Cleanup.
func PlayInBubble(t *testing.T, glob string, open func(testing.TB) Machine) {
	play(t, glob, func(t *testing.T, path string) {
		synctest.Test(t, func(t *testing.T) {
			run(t, path, open(t), func(d time.Duration) error {
				time.Sleep(d)
				return nil
			}, synctest.Wait)
		})
	})
}

func play(t *testing.T, glob string, one func(t *testing.T, path string)) {
	t.Helper()
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no story at %s (%v)", glob, err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".story")
		t.Run(name, func(t *testing.T) { one(t, path) })
	}
}

const broken = `%s:%d: after %q the story promises
    %s
and the stage shows what stands above. If the stage is right, STORY=rewrite go test accepts it.`

func run(t testing.TB, path string, m Machine, wait func(time.Duration) error, settle func()) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := Parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	rewrite := os.Getenv("STORY") == "rewrite"
	for i := range steps {
		step := &steps[i]
		if err := do(m, step.Command, wait); err != nil {
			t.Fatalf("%s:%d: %v", path, step.Line, err)
		}
		settle()
		want, shown := step.State, lines(m.State())
		if step.Loud {
			step.State = shown
		}
		step.Print(t.Output())
		if !rewrite && !slices.Equal(want, step.State) {
			t.Fatalf(broken, path, step.Line, step.Command.Text, strings.Join(want, "\n    "))
		}
	}
	if rewrite {
		if err := os.WriteFile(path, []byte(Format(steps)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func do(m Machine, c Command, wait func(time.Duration) error) error {
	if c.Name != "wait" {
		return m.Do(c)
	}
	d, err := time.ParseDuration(c.Arg(0))
	if err != nil {
		return err
	}
	return wait(d)
}

// lines splits a state. Blank lines go, because a blank line ends a step.
func lines(state string) []string {
	var kept []string
	for line := range strings.Lines(state) {
		if line = strings.TrimRight(line, " \t\n"); line != "" {
			kept = append(kept, line)
		}
	}
	return kept
}
