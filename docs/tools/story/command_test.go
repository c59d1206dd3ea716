package story

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What no story tells of commands.
func TestACommandIsTakenApart(t *testing.T) {
	c := ParseCommand(`list =7 "a = b" rv=7 where="a in (b, c)" rv=8 db-1`)
	assert.Equal(t, []string{"=7", "a = b", "db-1"}, c.Args(), "a word without a key, or one that "+
		"begins with a quote, is not an option")
	assert.Equal(t, "db-1", c.Arg(2), "options are not counted")
	assert.Empty(t, c.Arg(3))
	assert.Equal(t, "8", c.Opt("rv", ""), "the last of two equal options counts")
	assert.EqualError(t, c.allRead(), `list does not use where="a in (b, c)"`)
	assert.Equal(t, "a in (b, c)", c.Opt("where", ""))
	assert.NoError(t, c.allRead())
}

func TestWordsThatAreMissingAreNamed(t *testing.T) {
	assert.EqualError(t, ParseCommand("add rv=7").NeedsWord("add"), "expected a name after add")
	assert.NoError(t, ParseCommand("pop").NeedsWord("add"))
	for _, word := range []string{"", "web-1", "web-1@", "@7"} {
		_, _, err := CutVersion(word)
		assert.ErrorContains(t, err, "is not an object; expected one like web-1@7", word)
	}
}
