package chaos

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
)

// TestChaos plays random scripts: writers, faults, and handlers that join, leave and call back. At
// the end of each, server, caches, indices and handlers must agree, or all is stopped in the
// middle. Nothing may hang, and no goroutine may be left. The variable SEEDS says how many scripts
// to play with each queue, of a few virtual hours each; SEED plays only the script of that seed;
// without both, one script of a quarter of the length is played. QUEUE names the only queue to play
// with. A script in which something disagrees is shrunk and printed as a story; SCRIPT plays such a
// story from a file. If the program crashes, what it has printed last says which seeds it played.
//
// A script replays at the same virtual times. The order of what several goroutines do at the same
// moment may differ: a failure that depends on that may need several runs.
func TestChaos(t *testing.T) {
	first, seeds, lines := 0, 1, 50
	if n, err := strconv.Atoi(os.Getenv("SEEDS")); err == nil {
		seeds, lines = n, 200
	}
	if n, err := strconv.Atoi(os.Getenv("SEED")); err == nil {
		first, seeds, lines = n, 1, 200
	}
	path, only := os.Getenv("SCRIPT"), os.Getenv("QUEUE")
	if _, known := bothQueues[only]; only != "" && !known {
		t.Fatalf("QUEUE=%q is no queue: expected DeltaFIFO, RealFIFO, or nothing for both", only)
	}
	for queue, kind := range bothQueues {
		if only != "" && queue != only {
			continue
		}
		t.Run(queue, func(t *testing.T) {
			t.Parallel()
			if path != "" {
				require.NoError(t, playSteps(t, kind, readScript(t, path), t.Output()))
				return
			}
			for seed := first; seed < first+seeds && !t.Failed(); seed++ {
				fmt.Printf("seed %d, %s\n", seed, queue)
				script := randomScript(uint64(seed), lines)
				if broken := play(t, kind, script); broken != nil {
					script = shrink(script, func(s []string) bool { return failsInFive(t, kind, s) })
					t.Errorf("seed %d: %v\n\nShrunk, as a story (make chaos QUEUE=%s SCRIPT=file plays "+
						"it):\n\n%s", seed, broken, queue, asStory(script, broken))
				}
			}
		})
	}
}

// What is usually played is one short script, which would not show this.
func TestEachFaultOfARandomScriptCanHappen(t *testing.T) {
	s := &storm{server: fakeapi.New(fakeapi.Options{})}
	defer s.server.Close()
	for seed := range uint64(500) {
		steps, err := story.Parse(strings.Join(randomScript(seed, 200), "\n") + "\n")
		require.NoError(t, err)
		for _, step := range steps {
			if step.Command.Name == "fault" {
				require.NotPanics(t, func() { _ = s.mishap(step.Command) }, step.Command.Text)
			}
		}
	}
}

// bothQueues holds all kinds of queues, by name.
var bothQueues = map[string]informer.QueueKind{
	"DeltaFIFO": informer.DeltaFIFO, "RealFIFO": informer.RealFIFO,
}

// play plays a script once and returns what did not agree.
func play(t *testing.T, queue informer.QueueKind, script []string) error {
	steps, err := story.Parse(strings.Join(script, "\n") + "\n")
	require.NoError(t, err)
	return playSteps(t, queue, steps, io.Discard)
}

// failsInFive reports whether a script fails in one of five plays: some failures need luck.
func failsInFive(t *testing.T, queue informer.QueueKind, script []string) bool {
	for range 5 {
		if play(t, queue, script) != nil {
			return true
		}
	}
	return false
}

// shrink leaves lines out as long as the script still fails: half of them, a quarter, ... one.
func shrink(script []string, fails func([]string) bool) []string {
	for size := len(script) / 2; size > 0; size /= 2 {
		for at := 0; at+size < len(script); { // the last line is agree or stop
			fewer := append(append([]string{}, script[:at]...), script[at+size:]...)
			if fails(fewer) {
				script = fewer
			} else {
				at += size
			}
		}
	}
	return script
}

// asStory writes a script as a story in which nothing is wrong at the end.
func asStory(script []string, broken error) string {
	last := len(script) - 1
	first, _, _ := strings.Cut(broken.Error(), "\n")
	good := allAgree
	if script[last] == "stop" {
		good = allStopped
	}
	return fmt.Sprintf("%s\n\n# Found: %s\n%s\n----\n%s",
		strings.Join(script[:last], "\n"), first, script[last], good)
}

func readScript(t *testing.T, path string) []story.Step {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	steps, err := story.Parse(string(text))
	require.NoError(t, err, path)
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
				if err := playSteps(t, kind, readScript(t, path), t.Output()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// playSteps plays a script in a bubble of its own, and returns what did not agree. out gets the
// steps. It is not story.PlayInBubble, because that lets the machine settle after each command: no
// handler would join or leave while an object is on its way.
func playSteps(
	t *testing.T, queue informer.QueueKind, steps []story.Step, out io.Writer,
) (broken error) {
	// Goroutines that wait for a mutex stop the clock of a bubble: this timer is outside.
	hangs := time.AfterFunc(5*time.Minute, func() {
		debug.SetTraceback("all") // shows what they wait for
		panic("the script hangs")
	})
	defer hangs.Stop()
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
			s.breaks(step.Command.Text, s.playStep(step))
			step.Print(out)
		}
	})
	return broken
}

// longest is how long a script may play: five times what one usually takes.
const longest = 30 * time.Hour

// playStep plays a step. It returns an error of the script itself, or a state that the story does
// not promise. What the storm finds wrong is in s.broken.
func (s *storm) playStep(step story.Step) error {
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
