package story

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAStoryThatIsWrongFails(t *testing.T) {
	for _, c := range []struct{ law, text, failure, output string }{
		{"the failure says what was promised, the output what was seen",
			"# Why.\nremember a\n----\nremembers 2\n",
			`x.story:2: after "remember a" the story promises` + "\n    remembers 2\n",
			"Why.\n▸ remember a\n    remembers 1\n      a\n"},
		{"a state must be complete", "remember a\n----\nremembers 1\n", "x.story:1: after", "      a\n"},
		{"a state must be empty where the story says so", "remember a\n----\n", "x.story:1: after", "▸"},
		{"the story ends at the broken step", "remember a\n----\n\n# Never.\nforget\n----\n",
			"x.story:1: after", "▸ remember a\n    remembers 1\n      a\n"},
		{"an unknown command is named", "forget\ndream now\n",
			"x.story:2: dream now: no such command", ""},
		{"a machine's error comes with the file and the line", "remember a times=x\n",
			`x.story:1: remember a times=x: strconv.Atoi: parsing "x"`, ""},
		{"a word that the machine does not read is an error", "forget everything\n",
			"x.story:1: forget everything: forget does not use everything", ""},
		{"a misspelt option is an error", "remember a tmies=2\n",
			"x.story:1: remember a tmies=2: remember does not use tmies=2", ""},
		{"a stage without goroutines has no clock", "wait 1s\n", "x.story:1: wait 1s: this story has no clock", ""},
		{"a wait needs a duration", "wait long\n", `x.story:1: wait long: time: invalid duration "long"; expected one like 30s`, ""},
		{"prose needs a command", "pop\n\n# The end.\n",
			`x.story: the story ends with prose that no command follows: "The end."`, ""},
		{"dashes need a command", "# Why.\n----\nx\n", `x.story: line 2: "----" belongs to no command`, ""},
		{"a state needs dashes", "pop\n  queue []\n", `line 2: "  queue []" belongs to no command`, ""},
		{"a blank line ends a state", "pop\n----\na\n\n  b\n", `line 5: "  b" belongs to no command`, ""},
		{"a quote is closed on its line", "pop\nsay \"a\n", `line 2: "say \"a" opens a quote`, ""},
	} {
		failure, output := playScript(t, script{path: storyFile(t, c.text)})
		assert.Contains(t, failure, c.failure, c.law)
		assert.Contains(t, output, c.output, c.law)
		assert.NotContains(t, output, "Never.", c.law)
	}
}

func TestAStoryThatIsRightIsPrinted(t *testing.T) {
	path := storyFile(t, "# Quiet.\nforget\nremember a\n\n"+
		"# Loud.\nremember b\n----\nremembers 2\n  a\n  b\n")
	failure, output := playScript(t, script{path: path})
	assert.Empty(t, failure)
	assert.Equal(t, "Quiet.\n▸ forget\n▸ remember a\n\n"+
		"Loud.\n▸ remember b\n    remembers 2\n      a\n      b\n", output,
		"each command is shown, and the state of a loud step")

	_, output = playScript(t, script{path: path, mute: true})
	assert.Empty(t, output, "a template is played without output")
}

func TestAStoryOfYoursIsShownAndNotCompared(t *testing.T) {
	const text = "// Mine.\n# Quiet.\nremember a\nforget\n\n# Loud.\nremember b\n----\nwrong\n"
	path := storyFile(t, text)
	failure, output := playScript(t, script{path: path, show: true})
	assert.Empty(t, failure)
	assert.Equal(t, "Quiet.\n▸ remember a\n    remembers 1\n      a\n\n▸ forget\n\n"+
		"Loud.\n▸ remember b\n    remembers 1\n      b\n", output, "every state is shown")
	assert.Equal(t, text, read(t, path), "the file is left as it is")
}

func TestWhatIsPlayed(t *testing.T) {
	dir := t.TempDir()
	glob := filepath.Join(dir, "*.story")
	at := func(name string) string { return filepath.Join(dir, name) }
	_, err := scriptsFor("", glob)
	assert.ErrorContains(t, err, "no story at "+glob)

	for _, name := range []string{"2_b.story", "1_a.story", "story.template", "notes.txt"} {
		require.NoError(t, os.WriteFile(at(name), []byte(name), 0o644))
	}
	for _, c := range []struct {
		law, wanted string
		want        []*script
	}{
		{"stories are played in the order of their names, then the template, mute", "", []*script{
			{path: at("1_a.story")}, {path: at("2_b.story")}, {path: at("story.template"), mute: true}}},
		{"a rewrite leaves the template alone", "rewrite", []*script{
			{path: at("1_a.story"), rewrite: true}, {path: at("2_b.story"), rewrite: true},
			{path: at("story.template"), mute: true}}},
		{"a file of yours is played alone", at("my"), []*script{{path: at("my"), show: true}}},
		{"its states are written", "accept:" + at("my"), []*script{{path: at("my"), rewrite: true}}},
		{"or compared", "compare:" + at("my"), []*script{{path: at("my"), own: true}}},
	} {
		got, err := scriptsFor(c.wanted, glob)
		assert.NoError(t, err, c.law)
		assert.Equal(t, c.want, got, c.law)
	}
	assert.Equal(t, "story.template", read(t, at("my")), "a story of yours begins as a copy of the template")
	require.NoError(t, os.WriteFile(at("my"), []byte("mine"), 0o644))
	_, err = scriptsFor(at("my"), glob)
	require.NoError(t, err)
	assert.Equal(t, "mine", read(t, at("my")), "a file that exists is left as it is")
}

func TestEveryStoryIsPlayed(t *testing.T) {
	opened := 0
	open := func(testing.TB) Machine { opened++; return &memory{} }
	Play(t, "testdata/*.story", open)
	PlayInBubble(t, "testdata/*.story", open)
	assert.Equal(t, 2, opened, "otherwise the tests of every stage would pass, whatever its stories say")
}

func TestRewriteAcceptsWhatTheStageShows(t *testing.T) {
	path := storyFile(t, "// Mine.\n\n// Mine, too.\n# Why.\n// Gone.\nremember a\nremember b\n----\nwrong\n")
	failure, _ := playScript(t, script{path: path, rewrite: true})
	assert.Empty(t, failure)
	assert.Equal(t, "// Mine.\n\n// Mine, too.\n\n# Why.\nremember a\nremember b\n----\nremembers 2\n  a\n  b\n",
		read(t, path), "the author's notes above the first step are kept")

	failure, _ = playScript(t, script{path: path})
	assert.Empty(t, failure, "a story that was rewritten passes")

	path = storyFile(t, "remember a\n----\nwrong\n\ndream\n")
	failure, _ = playScript(t, script{path: path, rewrite: true})
	assert.Contains(t, failure, "no such command")
	assert.Contains(t, read(t, path), "wrong", "a story that cannot be played is left as it is")
}

// A witness takes the place of the *testing.T of a story that should fail.
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

func playScript(t *testing.T, s script) (failure, output string) {
	w := &witness{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.run(w, &memory{}, noClock, func() {})
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

func TestWordsThatAreMissingAreNamed(t *testing.T) {
	assert.EqualError(t, ParseCommand("add rv=7").NeedsWord("add"), "expected a name after add")
	assert.NoError(t, ParseCommand("pop").NeedsWord("add"))
	assert.Equal(t, "=7", ParseCommand("add =7").Arg(0), "without a key, it is no option")
	for _, word := range []string{"", "web-1", "web-1@", "@7"} {
		_, _, err := CutVersion(word)
		assert.ErrorContains(t, err, "is not an object; expected one like web-1@7", word)
	}
}

// A story that can be read can be written and read again: a rewrite loses no step and no word.
func FuzzParse(f *testing.F) {
	f.Add("# Why.\nknown web-1\n\npop n=1\n----\nqueue []\n")
	f.Add("a\n----\n\nb \"c d\"\n")
	f.Add("a")
	f.Add("a\n----\nb")
	f.Add("##\n#\na\n----\n#\n----\n")
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := Parse(text)
		if err != nil {
			assert.Nil(t, steps, "a story that cannot be read has no steps")
			return
		}
		written := Format(steps)
		again, err := Parse(written)
		require.NoError(t, err, written)
		require.Len(t, again, len(steps), written)
		for i := range steps {
			steps[i].Line, again[i].Line = 0, 0
		}
		assert.Equal(t, steps, again, written)
		assert.Equal(t, written, Format(again), "writing a story again changes nothing")
	})
}
