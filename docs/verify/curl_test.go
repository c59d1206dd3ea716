package verify

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var curlRules = []rule{
	{
		name:    "curl prints what the page shows",
		promise: "the text under a curl command is, byte by byte, the server's answer to it.",
		remedy: "STORY=rewrite go test ./docs/verify writes it; then read the difference. A … stands " +
			"for any part of a line, or on a line of its own for lines left out.",
		check: checkCurls,
	},
}

// A typed is a command in a block under <!-- curl: NAME -->, with what the page shows below it.
type typed struct {
	command      string
	first, below int // the indices of the command's first line in the block, and of the line below it
	shown        []string
}

// interrupted says whether the reader ends the command with Ctrl-C, which a terminal shows as ^C.
func (c typed) interrupted() bool { return len(c.shown) > 0 && c.shown[len(c.shown)-1] == "^C" }

const prompt = "$ "

// readTyped takes a block apart. A line with a prompt is a command; a backslash at its end
// continues it on the next line. The lines from there to the next prompt are what the command
// prints.
func readTyped(lines []string) (commands []typed, err error) {
	for i := 0; i < len(lines); i++ {
		text, isCommand := strings.CutPrefix(lines[i], prompt)
		switch {
		case isCommand:
			c := typed{first: i}
			for strings.HasSuffix(text, `\`) && i+1 < len(lines) {
				i++
				text = strings.TrimSuffix(text, `\`) + strings.TrimSpace(lines[i])
			}
			c.command, c.below = text, i+1
			commands = append(commands, c)
		case len(commands) == 0:
			return nil, fmt.Errorf("the block begins with %q instead of a command after %q", lines[i], prompt)
		default:
			last := &commands[len(commands)-1]
			last.shown = append(last.shown, lines[i])
		}
	}
	if len(commands) == 0 {
		return nil, errors.New("the block has no command")
	}
	for i := range commands {
		commands[i].shown = withoutLastBlanks(commands[i].shown)
	}
	return commands, nil
}

// An answered is a command that was carried out.
type answered struct {
	typed
	got []string // what it printed
	err error
}

// played carries out the curl blocks of a page, from the top to the bottom. Blocks of one name are
// typed into one terminal and reach one server. The key is the line of the block's first fence.
func (t *tree) played(p *page) map[int][]answered {
	blocks := slices.DeleteFunc(slices.Clone(p.blocks), func(b block) bool {
		return b.marker.kind != "curl"
	})
	if len(blocks) == 0 {
		return nil
	}
	answers := map[int][]answered{}
	t.inBubble(func() {
		terminals := map[string]*terminal{}
		for _, b := range blocks {
			name := b.marker.arg
			if terminals[name] == nil {
				terminals[name] = openTerminal()
				defer terminals[name].close()
			}
			answers[b.first] = playBlock(terminals[name], b)
		}
	})
	return answers
}

func playBlock(terminal *terminal, b block) (answers []answered) {
	commands, err := readTyped(b.lines)
	if err != nil {
		return []answered{{err: err}}
	}
	for _, c := range commands {
		text, err := terminal.enter(c.command, c.interrupted())
		answers = append(answers, answered{c, printedLines(text), err})
	}
	return answers
}

// printedLines splits text into lines, without what a terminal does not show: trailing spaces and
// the carriage returns of HTTP. Blank lines at the end are left out, as readTyped leaves them out.
func printedLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return withoutLastBlanks(lines)
}

func withoutLastBlanks(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func checkCurls(t *tree) (found []finding) {
	for _, p := range t.pages {
		answers := t.played(p)
		for _, b := range p.blocks {
			for _, a := range answers[b.first] {
				if at, what := a.drift(); what != "" {
					found = append(found, finding{p.path, b.first + 1 + at, what})
				}
			}
		}
	}
	return found
}

// drift returns which line of the block is wrong, counted from 0, and why; what is "" if none is.
func (a answered) drift() (at int, what string) {
	n := likeUpTo(a.shown, a.got)
	switch {
	case a.err != nil:
		return a.first, a.err.Error()
	case n < len(a.shown) && (n >= len(a.got) || slices.ContainsFunc(a.shown[:n], isGap)):
		return a.below + n, "the command does not print this line here"
	case n < len(a.shown):
		return a.below + n, fmt.Sprintf("the command now prints %q here", a.got[n])
	case !fits(a.shown, a.got, ""):
		return a.below + n, "the command prints more than this"
	}
	return 0, ""
}

// likeUpTo is how many lines of shown, from the first on, fit what was printed.
func likeUpTo(shown, got []string) int {
	n := len(shown)
	for n > 0 && !fits(shown[:n], got, `(?s:.*)`) {
		n--
	}
	return n
}

// fits reports whether got is what is shown, and after it something that matches the pattern rest.
// In shown, … stands for any part of a line, and on a line of its own for any lines.
func fits(shown, got []string, rest string) bool {
	var pattern strings.Builder
	pattern.WriteString("^")
	for _, line := range shown {
		if isGap(line) {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		quoted := strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*")
		pattern.WriteString(quoted + `\n`)
	}
	pattern.WriteString(rest + "$")
	var text strings.Builder
	for _, line := range got {
		text.WriteString(line + "\n")
	}
	return regexp.MustCompile(pattern.String()).MatchString(text.String())
}

// uid matches a UID, which differs from run to run.
var uid = regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// retyped is a block with what its commands print now. Output that fits stays as it is, with its
// gaps.
func retyped(lines []string, answers []answered) (want []string) {
	for _, a := range answers {
		if a.err != nil {
			return lines // the check of this rule reports the error
		}
		want = append(want, lines[a.first:a.below]...)
		if _, what := a.drift(); what == "" {
			want = append(want, a.shown...)
			continue
		}
		for _, line := range a.got {
			want = append(want, uid.ReplaceAllString(line, "…"))
		}
	}
	return want
}
