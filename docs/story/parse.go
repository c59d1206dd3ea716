package story

import (
	"fmt"
	"io"
	"strings"
)

// A Step is one command of a story, what is said before it and what must be seen after it.
type Step struct {
	Prose   []string // the lines before the command, without their "# "
	Command Command
	Loud    bool     // whether the state is shown and compared; a step without dashes is not
	State   []string // the state, one line an element, none of them blank
	Line    int      // where the command stands in its file, counted from 1
}

// A Command is a step's command line, taken apart: a name, words, and words of the form key=value.
type Command struct {
	Text string
	Name string
	Args []string
	opts map[string]string
}

// Opt returns the value of key=value on the command line, or fallback where there is none.
func (c Command) Opt(key, fallback string) string {
	if v, ok := c.opts[key]; ok {
		return v
	}
	return fallback
}

// Arg returns word i after the command's name, or "" where there are fewer.
func (c Command) Arg(i int) string {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return ""
}

// Unknown is the error of a machine that does not know the command: the story is wrong, not the
// stage.
func (c Command) Unknown() error { return fmt.Errorf("no such command: %q", c.Text) }

// ParseCommand takes a command line apart. Double quotes keep spaces together: where="a in (b, c)".
// A word that begins with a quote is a word, whatever it contains: "a = b" sets no option.
func ParseCommand(line string) Command {
	c := Command{Text: line, opts: map[string]string{}}
	for i, word := range words(line) {
		key, value, isOpt := strings.Cut(word, "=")
		switch {
		case i == 0:
			c.Name = unquote(word)
		case isOpt && key != "" && !strings.Contains(key, `"`):
			c.opts[key] = unquote(value)
		default:
			c.Args = append(c.Args, unquote(word))
		}
	}
	return c
}

// words splits at the spaces that stand outside quotes, and leaves the quotes where they are.
func words(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return (r == ' ' || r == '\t') && !quoted
	})
}

func unquote(word string) string { return strings.ReplaceAll(word, `"`, "") }

// Parse reads the text of a story. The error names the line that has no place in a story.
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
		case line == "":
		case strings.HasPrefix(line, "#"):
			prose = append(prose, strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
		case line[0] == ' ' || line[0] == '\t' || line == "----":
			return nil, fmt.Errorf("line %d: %q belongs to no command", i+1, line)
		case strings.Count(line, `"`)%2 == 1:
			return nil, fmt.Errorf("line %d: %q opens a quote and does not close it", i+1, line)
		default:
			step := Step{Prose: prose, Command: ParseCommand(line), Line: i + 1}
			prose = nil
			step.State, step.Loud, i = state(lines, i+1)
			steps = append(steps, step)
		}
	}
	if prose != nil {
		return nil, fmt.Errorf("the story ends with prose and no command: %q", prose[0])
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

// Format writes steps as the text of a story: what [Parse] reads. Quiet steps without prose stand
// together, as set-up should; all others are set off by a blank line.
func Format(steps []Step) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 && (steps[i-1].Loud || len(s.Prose) > 0) {
			b.WriteByte('\n')
		}
		for _, line := range s.Prose {
			b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
		b.WriteString(s.Command.Text + "\n")
		if s.Loud {
			b.WriteString("----\n")
			for _, line := range s.State {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.String()
}

// Print writes the step as the reader of go test -v sees it. It is also what a chapter quotes.
func (s Step) Print(w io.Writer) {
	var b strings.Builder
	for _, line := range s.Prose {
		b.WriteString(line + "\n")
	}
	if s.Loud {
		b.WriteString("▸ " + s.Command.Text + "\n")
	}
	for _, line := range s.State {
		b.WriteString("    " + line + "\n")
	}
	if b.Len() > 0 {
		io.WriteString(w, b.String()+"\n") // one write, so that nothing comes in between
	}
}
