package story

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Step is one command of a story, with the prose before it and the state after it.
type Step struct {
	Prose   []string // the lines before the command, without their "# "
	Command Command
	Loud    bool     // whether the state is shown and compared; a step without dashes is not
	State   []string // the lines of the state, none of them blank
	Apart   bool     // whether a blank line sets the step off from the one before
	Line    int      // the line of the command in its file, counted from 1
}

// Parse reads the text of a story. An error names the line that cannot be read.
func Parse(text string) ([]Step, error) {
	var steps []Step
	var prose []string
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case line == "", strings.HasPrefix(line, "//"):
		case strings.HasPrefix(line, "#"):
			prose = append(prose, strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
		case line[0] == ' ' || line[0] == '\t' || line == "----":
			return nil, fmt.Errorf("line %d: %q belongs to no command", i+1, line)
		case strings.Count(line, `"`)%2 == 1:
			return nil, fmt.Errorf("line %d: %q opens a quote and does not close it", i+1, line)
		default:
			step := Step{Prose: prose, Command: parseCommand(line), Line: i + 1}
			step.Apart = len(steps) > 0 && (len(prose) > 0 || steps[len(steps)-1].Loud)
			prose = nil
			step.State, step.Loud, i = state(lines, i+1)
			steps = append(steps, step)
		}
	}
	if prose != nil {
		return nil, fmt.Errorf("the story ends with prose that no command follows: %q", prose[0])
	}
	return steps, nil
}

// state reads the state under a command, if there is one, and returns the index of the last line
// that belongs to it.
func state(lines []string, i int) (state []string, loud bool, last int) {
	if i >= len(lines) || lines[i] != "----" {
		return nil, false, i - 1
	}
	for i++; i < len(lines) && lines[i] != ""; i++ {
		state = append(state, lines[i])
	}
	return state, true, i - 1
}

// Format returns steps as the text of a story, which [Parse] can read. Steps with Apart are set off
// by a blank line.
func Format(steps []Step) string {
	var b strings.Builder
	for _, s := range steps {
		s.write(&b, "# ", "", "----\n", "")
	}
	return b.String()
}

// Print writes the step as go test -v shows it and as chapters quote it. It begins with a blank
// line if the step is set off from the one before. Errors of w are ignored.
func (s Step) Print(w io.Writer) {
	var b strings.Builder
	s.write(&b, "", "▸ ", "", "    ")
	io.WriteString(w, b.String()) // one write, so that no other output comes in between
}

// write writes the parts of a step: prose, command and state with these prefixes on each line, and
// the dashes above a state.
func (s Step) write(b *strings.Builder, prose, command, dashes, state string) {
	if s.Apart {
		b.WriteByte('\n')
	}
	for _, line := range s.Prose {
		b.WriteString(strings.TrimRight(prose+line, " ") + "\n")
	}
	b.WriteString(command + s.Command.Text + "\n")
	if !s.Loud {
		return
	}
	b.WriteString(dashes)
	for _, line := range s.State {
		b.WriteString(state + line + "\n")
	}
}

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

// parseCommand takes a command line apart. Text in double quotes stays together, with its spaces:
// where="a in (b, c)". A word that begins with a quote is never an option: "a = b" is one word.
func parseCommand(line string) Command {
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
func (c Command) Unknown() error { return errUnknown }

var errUnknown = errors.New("no such command")

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
