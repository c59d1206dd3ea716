package story

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestACommandIsTakenApart(t *testing.T) {
	for _, c := range []struct {
		law, line string
		name      string
		args      []string
		opts      map[string]string
	}{
		{"the first word is the name", "pop", "pop", nil, nil},
		{"the others are arguments", "add web-1 web-2", "add", []string{"web-1", "web-2"}, nil},
		{"key=value is an option, wherever it stands", "add rv=7 web-1", "add",
			[]string{"web-1"}, map[string]string{"rv": "7"}},
		{"an option's value may hold an equals sign", "list where=a=b", "list",
			nil, map[string]string{"where": "a=b"}},
		{"an option may be empty", "list from=", "list", nil, map[string]string{"from": ""}},
		{"a word without a key is not an option", "list =7", "list", []string{"=7"}, nil},
		{"quotes keep spaces together", `list where="a in (b, c)"`, "list",
			nil, map[string]string{"where": "a in (b, c)"}},
		{"a word that begins with a quote sets no option", `say "a = b"`, "say",
			[]string{"a = b"}, nil},
		{"empty quotes are a word", `say ""`, "say", []string{""}, nil},
		{"spaces and tabs divide, however many", "add \t web-1  web-2", "add",
			[]string{"web-1", "web-2"}, nil},
	} {
		got := ParseCommand(c.line)
		assert.Equal(t, c.name, got.Name, c.law)
		assert.Equal(t, c.args, got.Args(), c.law)
		assert.Equal(t, c.line, got.Text, "the line is kept as it was written")
		for key, value := range c.opts {
			assert.Equal(t, value, got.Opt(key, "not set"), c.law)
		}
		assert.NoError(t, got.allRead(), "there are no other options: %s", c.law)
	}
}

func TestAMissingOptionHasAFallback(t *testing.T) {
	c := ParseCommand("add web-1 rv=7")
	assert.Equal(t, "7", c.Opt("rv", "1"))
	assert.Equal(t, "default", c.Opt("namespace", "default"))
	assert.Equal(t, "web-1", c.Arg(0))
	assert.Empty(t, c.Arg(1))
	assert.Equal(t, "db-1", ParseCommand("add rv=7 web-1 db-1").Arg(1), "options are not counted")
	assert.EqualError(t, c.Unknown(), "no such command")
}

func TestTheLastOfTwoEqualOptionsCounts(t *testing.T) {
	c := ParseCommand("add rv=7 rv=8")
	assert.Equal(t, "8", c.Opt("rv", ""))
	assert.NoError(t, c.allRead(), "both have been read")
}

func TestAWordThatIsNotReadIsNamed(t *testing.T) {
	const line = `add web-1 web-2 takse=1m where="a b"`
	for _, c := range []struct {
		law  string
		read func(Command)
		want string
	}{
		{"a word that was not read", func(c Command) { c.Arg(0) }, "add does not use web-2"},
		{"an option that was not read", func(c Command) { c.Args(); c.Opt("takes", "") },
			"add does not use takse=1m"},
		{"an option is named as it is written", func(c Command) { c.Args(); c.Opt("takse", "") },
			`add does not use where="a b"`},
		{"Rest reads all words and options", func(c Command) {
			assert.Equal(t, strings.TrimPrefix(line, "add "), c.Rest())
		}, ""},
	} {
		command := ParseCommand(line)
		c.read(command)
		if err := command.allRead(); c.want != "" {
			assert.EqualError(t, err, c.want, c.law)
		} else {
			assert.NoError(t, err, c.law)
		}
	}
}

func TestACommandMayNeedAWord(t *testing.T) {
	err := ParseCommand("add rv=7").NeedsWord("add", "delete")
	assert.EqualError(t, err, "expected a name after add")
	assert.NoError(t, ParseCommand("add web-1").NeedsWord("add"))
	assert.NoError(t, ParseCommand("pop").NeedsWord("add"))
}

func TestAnObjectHasANameAndAVersion(t *testing.T) {
	name, version, err := CutVersion("web-1@7")
	assert.Equal(t, []any{"web-1", "7", nil}, []any{name, version, err})
	for _, word := range []string{"", "web-1", "web-1@", "@7"} {
		_, _, err := CutVersion(word)
		assert.ErrorContains(t, err, "is not an object; expected one like web-1@7", word)
	}
}
