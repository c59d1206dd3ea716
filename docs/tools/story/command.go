package story

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Command is a step's command line, taken apart: a name, words, and options of the form
// key=value. It records which of the words and options a machine has read.
type Command struct {
	Text string  // the line as it is written
	Name string  // its first word
	rest []*word // after the name
}

// A word is a word or an option after a command's name.
type word struct {
	text   string // as it is written
	key    string // of an option; "" for a word
	value  string
	isRead bool
}

// ParseCommand takes a command line apart. Text in double quotes stays together, with its spaces:
// where="a in (b, c)". A word that begins with a quote is never an option: "a = b" is one word.
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

// Opt returns the value of the option key, or fallback if the command does not have the option. If
// it has the option several times, the last one counts.
func (c Command) Opt(key, fallback string) string {
	for _, w := range c.rest {
		if w.key == key {
			w.isRead, fallback = true, w.value
		}
	}
	return fallback
}

// Args returns the words after the command's name, without the options.
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

// Arg returns word i after the command's name, counted from 0 and without the options, or "" if
// there are fewer.
func (c Command) Arg(i int) string {
	for _, w := range c.rest {
		if w.key != "" {
			continue
		}
		if i == 0 {
			w.isRead = true
			return w.value
		}
		i--
	}
	return ""
}

// Rest returns the text after the command's name, as it is written.
func (c Command) Rest() string {
	for _, w := range c.rest {
		w.isRead = true
	}
	return strings.TrimLeft(strings.TrimPrefix(c.Text, c.Name), " \t")
}

// Unknown returns the error for a command that a machine does not know: the story is wrong, not the
// stage.
func (c Command) Unknown() error { return errors.New("no such command") }

// CutVersion takes a word like web-1@7 apart, which is how stories write the state of an object. It
// returns an error if the word has no name or no version.
func CutVersion(word string) (name, version string, err error) {
	name, version, _ = strings.Cut(word, "@")
	if name == "" || version == "" {
		return "", "", fmt.Errorf("%q is not an object; expected one like web-1@7", word)
	}
	return name, version, nil
}

// NeedsWord returns an error if the command is one of these and has no word after its name.
func (c Command) NeedsWord(commands ...string) error {
	if slices.Contains(commands, c.Name) && c.Arg(0) == "" {
		return fmt.Errorf("expected a name after %s", c.Name)
	}
	return nil
}

// allRead returns an error for a word or an option that the machine has not read.
func (c Command) allRead() error {
	for _, w := range c.rest {
		if !w.isRead {
			return fmt.Errorf("%s does not use %s", c.Name, w.text)
		}
	}
	return nil
}
