package story

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseReadsStepsInOrder(t *testing.T) {
	steps, err := Parse(`
# Said first,
# on two lines.

known web-1
# Said second.
pop
----
queue []
  nothing

// For the author.
last
----
`)
	require.NoError(t, err)
	require.Len(t, steps, 3)
	known, pop, last := steps[0], steps[1], steps[2]

	assert.Equal(t, []string{"Said first,", "on two lines."}, known.Prose)
	assert.False(t, known.Loud, "a step without dashes is quiet")
	assert.Equal(t, 5, known.Line, "a step has the line of its command")

	assert.Equal(t, []string{"queue []", "  nothing"}, pop.State, "a state keeps its indentation")
	assert.True(t, pop.Loud)
	assert.Equal(t, 7, pop.Line)

	assert.True(t, last.Loud, "an empty state is a state")
	assert.Empty(t, last.State)
	assert.Empty(t, last.Prose, "prose belongs to one step, and comments are not prose")

	assert.False(t, known.Apart, "the first step is not set off")
	assert.True(t, pop.Apart, "a step with prose is set off")
	assert.True(t, last.Apart, "a step below a state is set off")
}

func TestParseRefusesLinesThatBelongToNoStep(t *testing.T) {
	for _, c := range []struct{ law, text, want string }{
		{"dashes need a command", "# Why.\n----\nx\n", `line 2: "----" belongs to no command`},
		{"a state needs dashes", "pop\n  queue []\n", `line 2: "  queue []" belongs to no command`},
		{"a blank line ends a state", "pop\n----\na\n\n  b\n", `line 5: "  b" belongs to no command`},
		{"prose needs a command", "pop\n\n# The end.\n",
			`the story ends with prose that no command follows: "The end."`},
		{"a quote is closed on its line", "pop\nsay \"a\n", `line 2: "say \"a" opens a quote`},
	} {
		_, err := Parse(c.text)
		assert.ErrorContains(t, err, c.want, c.law)
	}
}

func TestFormatWritesWhatParseReads(t *testing.T) {
	for _, c := range []struct{ law, text, want string }{
		{"a story in good order stays as it is",
			"# Why.\nknown web-1\nknown web-2\n\n# And then.\npop\n----\nqueue []\n",
			"# Why.\nknown web-1\nknown web-2\n\n# And then.\npop\n----\nqueue []\n"},
		{"a blank line sets off what is said and what is shown", "a\n# Why.\nb\n----\n\n\nc\n",
			"a\n\n# Why.\nb\n----\n\nc\n"},
		{"blank lines do not pile up", "\n\na\n\n\nb\n\n", "a\nb\n"},
		{"spaces at the end of a line go", "#  Why. \na \n---- \nx  \n", "#  Why.\na\n----\nx\n"},
		{"the line ends of Windows are read", "# Why.\r\na\r\n----\r\nx\r\n",
			"# Why.\na\n----\nx\n"},
	} {
		steps, err := Parse(c.text)
		require.NoError(t, err, c.law)
		assert.Equal(t, c.want, Format(steps), c.law)
	}
}

// A story that can be read can be written and read again: a rewrite loses no step and no word.
func FuzzParse(f *testing.F) {
	f.Add("# Why.\nknown web-1\n\npop n=1\n----\nqueue []\n")
	f.Add("a\n----\n\nb \"c d\"\n")
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
