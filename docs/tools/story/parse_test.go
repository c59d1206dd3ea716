package story

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
