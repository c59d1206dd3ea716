package story

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Command is a step's command line, taken apart: a name, words, and options of the form
// key=value. It remembers what was read of it.
type Command struct {
	Text string
	Name string
	rest []*word // behind the name
}

// A word stands behind a command's name.
type word struct {
	text   string // as it is written
	key    string // of an option; "" if it is none
	value  string
	isRead bool
}

// ParseCommand takes a command line apart. Double quotes keep spaces together: where="a in (b, c)".
// A word that begins with a quote is a word, whatever it contains: "a = b" sets no option.
func ParseCommand(line string) Command {
	c := Command{Text: line}
	for i, text := range split(line) {
		key, value, isOption := strings.Cut(text, "=")
		switch {
		case i == 0:
			c.Name = unquote(text)
		case isOption && key != "" && !strings.Contains(key, `"`):
			c.rest = append(c.rest, &word{text: text, key: key, value: unquote(value)})
		default:
			c.rest = append(c.rest, &word{text: text, value: unquote(text)})
		}
	}
	return c
}

// split splits at the spaces that stand outside quotes, and leaves the quotes where they are.
func split(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return (r == ' ' || r == '\t') && !quoted
	})
}

func unquote(text string) string { return strings.ReplaceAll(text, `"`, "") }

// Opt returns the value of key=value on the command line, or fallback where there is none. The last
// one counts.
func (c Command) Opt(key, fallback string) string {
	for _, w := range c.rest {
		if w.key == key {
			w.isRead, fallback = true, w.value
		}
	}
	return fallback
}

// Args returns the words behind the command's name that are no options.
func (c Command) Args() []string {
	var args []string
	for _, w := range c.rest {
		if w.key == "" {
			w.isRead = true
			args = append(args, w.value)
		}
	}
	return args
}

// Arg returns word i behind the command's name, or "" where there are fewer.
func (c Command) Arg(i int) string {
	for _, w := range c.rest {
		switch {
		case w.key != "":
		case i == 0:
			w.isRead = true
			return w.value
		default:
			i--
		}
	}
	return ""
}

// Rest returns all that stands behind the command's name, as it is written.
func (c Command) Rest() string {
	for _, w := range c.rest {
		w.isRead = true
	}
	return strings.TrimLeft(strings.TrimPrefix(c.Text, c.Name), " \t")
}

// errUnknown is the error of a command that a machine does not know.
var errUnknown = errors.New("no such command")

// Unknown is the error of a machine that does not know the command: the story is wrong, not the
// stage.
func (c Command) Unknown() error { return errUnknown }

// CutVersion takes a word like web-1@7 apart, which is how stories write the state of an object. It
// returns an error if the word has no name or no version.
func CutVersion(word string) (name, version string, err error) {
	name, version, _ = strings.Cut(word, "@")
	if name == "" || version == "" {
		return "", "", fmt.Errorf("%q is no object; expected one like web-1@7", word)
	}
	return name, version, nil
}

// NeedsWord returns an error if this is one of these commands and has no word behind its name.
func (c Command) NeedsWord(commands ...string) error {
	if slices.Contains(commands, c.Name) && c.Arg(0) == "" {
		return fmt.Errorf("expected a name behind %s", c.Name)
	}
	return nil
}

// allRead returns an error for a word that nothing has asked for.
func (c Command) allRead() error {
	for _, w := range c.rest {
		if !w.isRead {
			return fmt.Errorf("%s has no use for %s", c.Name, w.text)
		}
	}
	return nil
}
