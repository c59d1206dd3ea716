package chaos

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/informer"
)

// TestChaos plays random scripts: writers, faults, and handlers that join, leave and call back. At
// the end of each, server, caches, indices and handlers must agree, and resyncs must come on time;
// or all is stopped in the middle. Nothing may hang, and no goroutine may be left. The variable
// SEEDS says how many scripts to play with each queue, of a few virtual hours each; SEED plays only
// the script of that seed; without both, one script of a quarter of the length is played. A script that fails is shrunk and printed as a story. SCRIPT plays such
// a story from a file, with the queue that QUEUE names.
//
// A script replays at the same virtual times. The order of what several goroutines do at the same
// moment may differ: a failure that depends on that may need several runs.
func TestChaos(t *testing.T) {
	if path := os.Getenv("SCRIPT"); path != "" {
		playFile(t, path, os.Getenv("QUEUE"))
		return
	}
	first, seeds, lines := 0, 1, 50
	if n, err := strconv.Atoi(os.Getenv("SEEDS")); err == nil {
		seeds, lines = n, 200
	}
	if n, err := strconv.Atoi(os.Getenv("SEED")); err == nil {
		first, seeds, lines = n, 1, 200
	}
	for queue := range bothQueues {
		t.Run(queue, func(t *testing.T) {
			t.Parallel()
			a := newAttempts(t, queue)
			for seed := first; seed < first+seeds && !t.Failed(); seed++ {
				if report := a.investigate(randomScript(uint64(seed), lines)); report != "" {
					t.Errorf("seed %d: %s", seed, report)
				}
			}
		})
	}
}

// bothQueues holds all kinds of queues, by name.
var bothQueues = map[string]informer.QueueKind{
	"DeltaFIFO": informer.DeltaFIFO, "RealFIFO": informer.RealFIFO,
}

// playFile plays a script from a file. It writes to stderr what went wrong. If the program crashes,
// the runtime writes the panic and the stacks there.
func playFile(t *testing.T, path, queue string) {
	kind, ok := bothQueues[queue]
	if !ok {
		t.Fatalf("QUEUE=%q is no queue", queue)
	}
	if err := playSteps(t, kind, readScript(t, path)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		t.Fail()
	}
}

func readScript(t *testing.T, path string) []story.Step {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := story.Parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return steps
}

// TestChaosStories plays the scripts in testdata/scripts: each shrunk script that is worth keeping,
// and one with several faults.
func TestChaosStories(t *testing.T) {
	paths, err := filepath.Glob("testdata/scripts/*.story")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no stories in testdata/scripts (%v)", err)
	}
	for queue, kind := range bothQueues {
		for _, path := range paths {
			t.Run(queue+"/"+filepath.Base(path), func(t *testing.T) {
				if err := playSteps(t, kind, readScript(t, path)); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// playSteps plays a script in a bubble of its own, and returns what did not agree. It is not
// story.PlayInBubble, because that lets the machine settle after each command: no handler would
// join or leave while an object is on its way.
func playSteps(t *testing.T, queue informer.QueueKind, steps []story.Step) (broken error) {
	synctest.Test(t, func(t *testing.T) {
		watchdog := time.AfterFunc(longest, func() {
			panic(fmt.Sprintf("the script still plays after %v of virtual time", longest))
		})
		s := newStorm(t, queue)
		t.Cleanup(func() {
			s.end()
			watchdog.Stop()
			broken = errors.Join(s.broken...)
		})
		for _, step := range steps {
			s.breaks(step.Command.Text, s.play(step))
			step.Print(t.Output())
		}
	})
	return broken
}

// longest is how long a script may play: five times what one usually takes.
const longest = 30 * time.Hour

// play plays a step. It returns an error of the script itself, or a state that the story does not
// promise. What the storm finds wrong is in s.broken.
func (s *storm) play(step story.Step) error {
	if step.Command.Name == "wait" {
		d, err := time.ParseDuration(step.Command.Arg(0))
		time.Sleep(d)
		return err
	}
	err := s.Do(step.Command)
	shown := strings.TrimSpace(s.State())
	if want := strings.Join(step.State, "\n"); step.Loud && shown != want && len(s.broken) == 0 {
		return fmt.Errorf("the story promises %q, but the storm shows %q", want, shown)
	}
	return err
}
