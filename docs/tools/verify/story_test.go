package verify

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

func TestStories(t *testing.T) {
	story.Play(t, "testdata/*.story", func(testing.TB) story.Machine { return &memory{} })
}

// A memory is a machine without goroutines. It remembers words.
type memory struct{ words []string }

func (m *memory) Do(c story.Command) error {
	switch c.Name {
	case "remember":
		times, err := strconv.Atoi(c.Opt("times", "1"))
		for range times {
			m.words = append(m.words, c.Args()...)
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

// play plays stories in a process of its own, where one that is wrong fails. It returns what is
// printed below the first line, without what go test puts before each line.
func play(t *testing.T, wanted string) (printed string, ok bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run", "^TestStories$")
	cmd.Env = append(os.Environ(), "STORY="+wanted)
	out, err := cmd.CombinedOutput()
	return strings.ReplaceAll("\n"+string(out), "\n    ", "\n"), err == nil
}

func storyFile(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "x.story")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func textOf(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func TestAStoryThatIsWrongFails(t *testing.T) {
	for _, c := range []struct{ law, text, says string }{
		{"the failure says what was promised, the output what was seen",
			"# Why.\nremember a\n----\nremembers 2\n",
			"Why.\n▸ remember a\n    remembers 1\n      a\n"},
		{"a state must be complete", "remember a\n----\nremembers 1\n", "x.story:1: after"},
		{"a state must be empty where the story says so", "remember a\n----\n", "x.story:1: after"},
		{"the story ends at the broken step", "remember a\n----\n\n# Never.\nforget\n----\n", "x.story:1: after"},
		{"an unknown command is named", "forget\ndream now\n", "x.story:2: dream now: no such command"},
		{"the commands that there are follow, from the template", "dream\n", "  forget            forgets all\n"},
		{"a machine's error comes with the file and the line", "remember a times=x\n",
			`x.story:1: remember a times=x: strconv.Atoi: parsing "x"`},
		{"a word that the machine does not read is an error", "forget everything\n",
			"x.story:1: forget everything: forget does not use everything"},
		{"a stage without goroutines has no clock", "wait 1s\n", "x.story:1: wait 1s: this story has no clock"},
		{"a wait needs a duration", "wait long\n", `time: invalid duration "long"; expected one like 30s`},
		{"prose needs a command", "forget\n\n# The end.\n", "the story ends with prose that no command follows"},
		{"dashes need a command", "# Why.\n----\nx\n", `line 2: "----" belongs to no command`},
		{"a blank line ends a state", "forget\n----\na\n\n  b\n", `line 5: "  b" belongs to no command`},
		{"a quote is closed on its line", "forget\nsay \"a\n", `line 2: "say \"a" opens a quote`},
	} {
		printed, ok := play(t, "compare:"+storyFile(t, c.text))
		assert.False(t, ok, c.law)
		assert.Contains(t, printed, c.says, c.law)
		assert.NotContains(t, printed, "Never.", c.law)
	}
}

func TestWhatIsPlayed(t *testing.T) {
	printed, ok := play(t, "")
	assert.True(t, ok)
	for _, name := range []string{"TestStories/1_a_step", "TestStories/story.template"} {
		assert.Contains(t, printed, "--- PASS: "+name)
	}
	assert.NotContains(t, printed, "▸ remember this", "the template is played without output")

	mine := filepath.Join(t.TempDir(), "mine.story")
	_, ok = play(t, mine)
	assert.True(t, ok)
	template := textOf(t, "testdata/story.template")
	assert.Equal(t, template, textOf(t, mine), "a story of yours begins as a copy of the template")

	const text = "// Mine.\n# Quiet.\nforget\nremember a\n\n# Loud.\nremember b\n----\nwrong\n"
	mine = storyFile(t, text)
	printed, ok = play(t, mine)
	assert.True(t, ok, "it is not compared")
	assert.Contains(t, printed, "Quiet.\n▸ forget\n\n▸ remember a\n    remembers 1\n      a\n\n"+
		"Loud.\n▸ remember b\n    remembers 2\n      a\n      b\n", "every state is shown")
	assert.Equal(t, text, textOf(t, mine), "the file is left as it is")
}

func TestAStoryIsRewritten(t *testing.T) {
	file := storyFile(t,
		"// Mine.\n\n// Mine, too.\n# Why.\n// Gone.\nremember a\nremember b\n----\nwrong\n")
	_, ok := play(t, "accept:"+file)
	assert.True(t, ok)
	assert.Equal(t, "// Mine.\n\n// Mine, too.\n\n# Why.\nremember a\nremember b\n----\nremembers "+
		"2\n  a\n  b\n",
		textOf(t, file), "the author's notes above the first step are kept")
	_, ok = play(t, "compare:"+file)
	assert.True(t, ok, "a story that was rewritten passes")

	file = storyFile(t, "remember a\n----\nwrong\n\ndream\n")
	_, ok = play(t, "accept:"+file)
	assert.False(t, ok)
	assert.Contains(t, textOf(t, file), "wrong", "a story that cannot be played is left as it is")
}

// A story that can be read can be written and read again: a rewrite loses no step and no word.
func FuzzParse(f *testing.F) {
	f.Add("# Why.\nknown web-1\n\npop n=1\n----\nqueue []\n")
	f.Add("a\n----\n\nb \"c d\"\n")
	f.Add("a")
	f.Add("a\n----\nb")
	f.Add("##\n#\na\n----\n#\n----\n")
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := story.Parse(text)
		if err != nil {
			assert.Nil(t, steps, "a story that cannot be read has no steps")
			return
		}
		written := story.Format(steps)
		again, err := story.Parse(written)
		require.NoError(t, err, written)
		require.Len(t, again, len(steps), written)
		for i := range steps {
			steps[i].Line, again[i].Line = 0, 0
		}
		assert.Equal(t, steps, again, written)
		assert.Equal(t, written, story.Format(again), "writing a story again changes nothing")
	})
}

// A replay shows the states of the stage beside the printed ones, up to the first error.
func TestAReplayedText(t *testing.T) {
	replay := func(text string) ([]story.Replayed, error) {
		return story.Replay(t, TestStories, text, "// Remembers.\n//\tremember WORD\n\nforget\n")
	}
	steps, err := replay("# It keeps them.\nremember a\n----\nremembers 2\n\nforget\n\nrecall\n")
	assert.ErrorContains(t, err,
		"line 8: recall: no such command; those that there are:\n  remember WORD\n")
	assert.Equal(t, []story.Replayed{
		{Prose: []string{"It keeps them."}, Command: "remember a", Line: 2, Loud: true,
			State: []string{"remembers 1", "  a"}, Printed: []string{"remembers 2"}},
		{Command: "forget", Line: 6},
	}, steps)
	_, err = replay("forget\n")
	assert.NoError(t, err)
	_, err = replay("  state\n")
	assert.ErrorContains(t, err, "line 1", "a text that cannot be read is not played")
}
