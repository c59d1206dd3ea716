package story

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A Machine carries out the commands of a story on a stage, and shows the stage's state.
type Machine interface {
	// Do carries out one command. An error says that the story is wrong (no such command, no such
	// object), not that the stage refused the command: the stage's answer belongs in the state.
	Do(Command) error
	// State returns the complete state after the last command, with a newline between lines. It is
	// called once after every step, quiet ones included, so it may return only what is new and then
	// forget it.
	State() string
}

// Play plays every file that glob matches as a subtest, each with a machine of its own, which open
// returns. It is for stages without goroutines. A story that breaks fails its subtest.
func Play(t *testing.T, glob string, open func(testing.TB) Machine) {
	t.Helper()
	play(t, glob, func(t *testing.T, s *script) { s.run(t, open(t), noClock) })
}

// PlayInBubble does what [Play] does, for stages with goroutines. Each file plays in a bubble of
// its own (testing/synctest). After every command the story waits until all goroutines of the stage
// are blocked. "wait 30s" lets virtual time pass. A goroutine that is left over at the end fails
// the story: open has to register a t.Cleanup that ends what the machine starts.
func PlayInBubble(t *testing.T, glob string, open func(testing.TB) Machine) {
	t.Helper()
	play(t, glob, func(t *testing.T, s *script) {
		synctest.Test(t, func(t *testing.T) { s.run(t, open(t), virtual) })
	})
}

// Perform carries out a command of a story in the bubble that it is called in, and returns the
// lines of the state that the machine shows then. It is for a program that keeps what a story
// leaves.
func Perform(m Machine, c Command) ([]string, error) { return virtual.perform(m, c) }

// A clock says how time passes in a story.
type clock struct {
	wait   func(time.Duration) error
	settle func() // returns when nothing moves any more
}

var (
	noClock = clock{
		wait: func(time.Duration) error {
			return errors.New("this story has no clock to wait for: play it in a bubble")
		},
		settle: func() {},
	}
	virtual = clock{
		wait: func(d time.Duration) error {
			time.Sleep(d)
			return nil
		},
		settle: synctest.Wait,
	}
)

// perform carries out a command, and returns the state after it.
func (k clock) perform(m Machine, c Command) ([]string, error) {
	if err := do(m, c, k.wait); err != nil {
		return nil, err
	}
	k.settle()
	return lines(m.State()), nil
}

// Bubble tries to break a law, which is the name of the subtest, in a bubble of its own. Time is
// virtual there. A goroutine that is left over, or a deadlock, breaks the law, too.
func Bubble(t *testing.T, law string, try func(t *testing.T)) {
	t.Helper()
	t.Run(law, func(t *testing.T) { synctest.Test(t, try) })
}

func play(t *testing.T, glob string, one func(*testing.T, *script)) {
	t.Helper()
	if r := replaying; r != nil {
		if !r.begun { // a stage may have stories in two folders
			r.begun = true
			one(t, &script{replay: r})
		}
		return
	}
	template := filepath.Join(filepath.Dir(glob), "story.template")
	scripts, err := scriptsFor(os.Getenv("STORY"), glob, template)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		s.template = template
		name := strings.TrimSuffix(filepath.Base(s.path), ".story")
		t.Run(name, func(t *testing.T) { one(t, s) })
	}
	if run := flag.Lookup("test.run"); run != nil && run.Value.String() == "" {
		fmt.Fprintln(t.Output(), lastLine)
	}
}

// lastLine is printed below the stories if other tests follow them.
const lastLine = `
The stories end here. Below are the laws that no story tells: each is a line --- PASS.`

// A script is a file, and what to do with it. The zero value plays and compares.
type script struct {
	path     string
	template string  // the file that lists the stage's commands
	rewrite  bool    // accept what the stage shows
	show     bool    // show the state after each command, and compare nothing
	mute     bool    // print nothing
	own      bool    // the file is the reader's, and not one of the stage's
	replay   *replay // a text that is played in place of a file
}

// scriptsFor returns what to play for a value of STORY: all stories, which is the default, or a
// file of the reader's own. FILE shows it, accept:FILE writes what the stage shows into it, and
// compare:FILE plays it like one of the stage's. The template beside the stories is played with
// them, because readers' own stories begin with it.
func scriptsFor(wanted, glob, template string) (scripts []*script, err error) {
	if path, ok := strings.CutPrefix(wanted, "compare:"); ok {
		return []*script{{path: path, own: true}}, nil
	}
	if path, ok := strings.CutPrefix(wanted, "accept:"); ok {
		return []*script{{path: path, rewrite: true}}, nil
	}
	if wanted != "" && wanted != "rewrite" {
		return []*script{{path: wanted, show: true}}, begin(wanted, template)
	}
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no story at %s (%v)", glob, err)
	}
	for _, path := range paths {
		scripts = append(scripts, &script{path: path, rewrite: wanted == "rewrite"})
	}
	if _, err := os.Stat(template); err == nil {
		scripts = append(scripts, &script{path: template, mute: true})
	}
	return scripts, nil
}

// begin copies the template to the file of a reader's own story, if there is no such file yet.
func begin(path, template string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := os.ReadFile(template)
	if err != nil {
		return fmt.Errorf("begin the story %s: %w", path, err)
	}
	return os.WriteFile(path, text, 0o644)
}

const broken = `%s:%d: after %q the story promises
    %s
and the stage shows what stands above.%s`

func (s *script) run(t testing.TB, m Machine, in clock) {
	if s.replay != nil {
		s.replay.run(m, in)
		return
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := Parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", s.path, err)
	}
	for i := range steps {
		step := &steps[i]
		shown, err := in.perform(m, step.Command)
		if err != nil {
			t.Fatalf("%s:%d: %s: %v%s", s.path, step.Line, step.Command.Text, err, s.commands(err))
		}
		want := step.State
		if s.show {
			step.Loud, step.Apart = true, i > 0
		}
		if step.Loud {
			step.State = shown
		}
		if !s.mute {
			step.Print(t.Output())
		}
		if !s.rewrite && !s.show && !slices.Equal(want, step.State) {
			advice := " If the stage is right, STORY=rewrite go test accepts it."
			if s.own {
				advice = ""
			}
			t.Fatalf(broken, s.path, step.Line, step.Command.Text, strings.Join(want, "\n    "), advice)
		}
	}
	if s.rewrite {
		accepted := notes(string(text)) + Format(steps)
		if err := os.WriteFile(s.path, []byte(accepted), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// commands returns the stage's commands, if the error is that there is no such command. The
// template has them in comments that are indented.
func (s *script) commands(err error) string {
	text, _ := os.ReadFile(s.template) // a story of other tests has none
	return commands(err, ", from "+s.template, string(text))
}

func commands(err error, from, template string) string {
	if !errors.Is(err, errUnknown) || template == "" {
		return ""
	}
	said := fmt.Sprintf("; those that there are%s:\n", from)
	for line := range strings.Lines(notes(template)) {
		if command, ok := strings.CutPrefix(line, "//\t"); ok {
			said += "  " + command
		}
	}
	return said
}

// notes returns the lines above the first step that are for the author of the story: those that
// begin with two slashes, and the blank lines between them.
func notes(text string) string {
	if found := authors.FindString(text); found != "" {
		return strings.TrimRight(found, "\n") + "\n\n"
	}
	return ""
}

var authors = regexp.MustCompile(`^(?:(?://.*|[ \t]*)\n)*//.*`)

func do(m Machine, c Command, wait func(time.Duration) error) error {
	if c.Name != "wait" {
		if err := m.Do(c); err != nil {
			return err
		}
		return c.allRead()
	}
	d, err := time.ParseDuration(c.Rest())
	if err != nil {
		return fmt.Errorf("%w; expected one like 30s", err)
	}
	return wait(d)
}

// lines splits a state. Blank lines are left out, because a blank line ends a step.
func lines(state string) []string {
	var kept []string
	for line := range strings.Lines(state) {
		if line = strings.TrimRight(line, " \t\n"); line != "" {
			kept = append(kept, line)
		}
	}
	return kept
}
