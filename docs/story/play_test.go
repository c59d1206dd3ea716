package story

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStories(t *testing.T) {
	Play(t, "testdata/*.story", func(testing.TB) Machine { return &memory{} })
}

func TestStoriesInBubbles(t *testing.T) {
	PlayInBubble(t, "testdata/bubble/*.story", func(testing.TB) Machine {
		return &alarms{Lanes: NewLanes("bedside")}
	})
}

// A memory is the smallest machine worth a story.
type memory struct{ words []string }

func (m *memory) Do(c Command) error {
	switch c.Name {
	case "remember":
		times, err := strconv.Atoi(c.Opt("times", "1"))
		for range times {
			m.words = append(m.words, c.Args...)
		}
		return err
	case "forget":
		m.words = nil
		return nil
	}
	return c.Unknown()
}

func (m *memory) State() string {
	if len(m.words) == 0 {
		return ""
	}
	return fmt.Sprintf("remembers %d\n\n  %s \n", len(m.words), strings.Join(m.words, "\n  "))
}

// Alarms are the smallest machine with goroutines: each alarm is one, and reports when it rings.
type alarms struct{ *Lanes }

func (a *alarms) Do(c Command) error {
	d, err := time.ParseDuration(c.Arg(1))
	time.AfterFunc(d, func() { a.Report(c.Arg(0), "rings") })
	return err
}

func (a *alarms) State() string { return a.String() }

func TestAStoryThatIsWrongFails(t *testing.T) {
	t.Setenv("STORY", "") // also while others are being rewritten
	for _, c := range []struct{ law, text, failure, output string }{
		{"the failure says what was promised, the output what was seen",
			"# Why.\nremember a\n----\nremembers 2\n",
			`x.story:2: after "remember a" the story promises` + "\n    remembers 2\n",
			"Why.\n▸ remember a\n    remembers 1\n      a\n\n"},
		{"a state must be complete", "remember a\n----\nremembers 1\n", "x.story:1: after", "      a\n"},
		{"a state must be empty where the story says so", "remember a\n----\n", "x.story:1: after", "▸"},
		{"it ends at the broken step", "remember a\n----\n\n# Never.\nforget\n----\n",
			"x.story:1: after", "▸ remember a\n    remembers 1\n      a\n\n"},
		{"an unknown command is named", "forget\ndream\n",
			`x.story:2: no such command: "dream"`, ""},
		{"a stage without goroutines has no clock", "wait 1s\n", "x.story:1: this story has no clock", ""},
		{"a wait says how long", "wait long\n", `x.story:1: time: invalid duration "long"`, ""},
		{"a text that is no story is refused", "# Why.\n", "x.story: the story ends with prose", ""},
	} {
		failure, output := playText(t, c.text)
		assert.Contains(t, failure, c.failure, c.law)
		assert.Contains(t, output, c.output, c.law)
		assert.NotContains(t, output, "Never.", c.law)
	}
}

func TestAStoryThatIsRightIsPrinted(t *testing.T) {
	failure, output := playText(t, "# Quiet.\nforget\nremember a\n\n"+
		"# Loud.\nremember b\n----\nremembers 2\n  a\n  b\n")
	assert.Empty(t, failure)
	assert.Equal(t, "Quiet.\n\nLoud.\n▸ remember b\n    remembers 2\n      a\n      b\n\n", output,
		"of set-up only the prose is shown")
}

func TestRewriteAcceptsWhatTheStageShows(t *testing.T) {
	path := storyFile(t, "# Why.\nremember a\nremember b\n----\nwrong\n")
	t.Setenv("STORY", "rewrite")
	failure, _ := playFile(t, path)
	assert.Empty(t, failure)
	assert.Equal(t, "# Why.\nremember a\nremember b\n----\nremembers 2\n  a\n  b\n", read(t, path))

	t.Setenv("STORY", "")
	failure, _ = playFile(t, path)
	assert.Empty(t, failure, "what was rewritten holds")
}

func TestRewriteLeavesAStoryThatCannotBePlayed(t *testing.T) {
	const text = "remember a\n----\nwrong\n\ndream\n"
	path := storyFile(t, text)
	t.Setenv("STORY", "rewrite")
	failure, _ := playFile(t, path)
	assert.Contains(t, failure, "no such command")
	assert.Equal(t, text, read(t, path))
}

// A witness stands in for the *testing.T of a story that is meant to fail.
type witness struct {
	testing.TB
	failure string
	output  bytes.Buffer
}

func (w *witness) Output() io.Writer { return &w.output }

func (w *witness) Fatalf(format string, args ...any) {
	w.failure = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func playText(t *testing.T, text string) (failure, output string) {
	return playFile(t, storyFile(t, text))
}

func playFile(t *testing.T, path string) (failure, output string) {
	w := &witness{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(w, path, &memory{}, noClock, func() {})
	}()
	<-done
	return w.failure, w.output.String()
}

func storyFile(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "x.story")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func read(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
