package story

import (
	"fmt"
	"io"
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
			step := Step{Prose: prose, Command: ParseCommand(line), Line: i + 1}
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
