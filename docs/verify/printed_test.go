package verify

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/watchglass/docs/diagram"
	"example.com/watchglass/reflector"
)

// diagrams are drawn from the table that the reflector runs: <!-- diagram: reflector --> above a
// block. There is a picture and a table, for a reflector that streams its lists and for one that
// lists first.
var diagrams = map[string]func() string{
	"reflector":                  func() string { return diagram.Mermaid(edges(false)) },
	"reflector list first":       func() string { return diagram.Mermaid(edges(true)) },
	"reflector table":            func() string { return diagram.Table(edges(false)) },
	"reflector list first table": func() string { return diagram.Table(edges(true)) },
}

func edges(listFirst bool) (edges []diagram.Edge) {
	for _, row := range reflector.Table(listFirst) {
		edges = append(edges, diagram.Edge{
			From: row.From.String(), On: row.On.String(), Do: row.Do.String(), To: row.To.String(),
		})
	}
	return edges
}

func checkPrinted(t *tree) (found []finding) {
	t.eachBlock(func(p *page, b block) {
		want, ok, err := t.printed(b.marker)
		switch {
		case err != nil:
			found = append(found, finding{p.path, b.marker.line, err.Error()})
		case ok && !slices.Equal(b.lines, want):
			at, what := firstDifference(b.lines, want)
			found = append(found, finding{p.path, b.first + 1 + at,
				fmt.Sprintf("%s %s now prints %s", b.marker.kind, b.marker.arg, what)})
		}
	})
	return found
}

func firstDifference(have, want []string) (at int, what string) {
	for at < len(have) && at < len(want) && have[at] == want[at] {
		at++
	}
	if at == len(want) {
		return at, "nothing more"
	}
	return at, fmt.Sprintf("%q here", want[at])
}

// printed returns the lines of a block under m; ok is false for markers of other kinds.
func (t *tree) printed(m marker) (lines []string, ok bool, err error) {
	var text string
	switch m.kind {
	case "story":
		text, err = t.printSteps(m.arg)
	case "run":
		text, err = t.run(m.arg)
	case "diagram":
		draw := t.diagrams[m.arg]
		if draw == nil {
			return nil, false, fmt.Errorf("%w: there is no diagram %q", errNoSource, m.arg)
		}
		text = draw()
	default:
		return nil, false, nil
	}
	lines = strings.Split(strings.Trim(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return lines, true, err
}

// printSteps prints steps of a story as go test -v does: x.story#3 or x.story#2-4. Steps are
// counted from 1, quiet ones included. Without a # it prints all of them.
func (t *tree) printSteps(arg string) (string, error) {
	name, which := cutMarker(arg)
	steps, err := t.storySteps(name)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errNoSource, err)
	}
	first, last, err := stepRange(which, len(steps))
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", errNoSource, name, err)
	}
	var b strings.Builder
	for _, step := range steps[first-1 : last] {
		step.Print(&b)
	}
	return b.String(), nil
}

func stepRange(which string, n int) (first, last int, err error) {
	if which == "" {
		return 1, n, nil
	}
	from, to, isRange := strings.Cut(which, "-")
	if !isRange {
		to = from
	}
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || first < 1 || first > last || last > n {
		return 0, 0, fmt.Errorf("it has steps 1 to %d, not %s", n, which)
	}
	return first, last, nil
}

// rewritten is the page's text with every printed block brought up to date.
func (t *tree) rewritten(p *page) string {
	lines, answers := strings.Split(t.files[p.path], "\n"), t.played(p)
	for _, b := range slices.Backward(p.blocks) { // from below, so that line numbers stay right
		want, ok, err := t.printed(b.marker)
		if b.marker.kind == "curl" {
			want, ok = retyped(b.lines, answers[b.first]), true
		}
		if !ok || err != nil {
			continue // the check of this rule reports the error
		}
		for i := range want {
			want[i] = strings.TrimRight(b.indent+want[i], " ")
		}
		lines = slices.Replace(lines, b.first, b.last-1, want...)
	}
	text := strings.Join(lines, "\n")
	if p.path == facilitatorPage {
		return t.withQuestions(text)
	}
	return text
}

// runIn returns a function that runs a command of a page in dir. The command should be cheap and
// always print the same.
func runIn(dir string) func(string) (string, error) {
	return func(command string) (string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		words := strings.Fields(command)
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		cmd.Dir = dir
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
			return strings.HasPrefix(v, "MAKE") || strings.HasPrefix(v, "MFLAGS") // of a make test
		})
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("%s: %w: %s", command, err, out)
		}
		return string(out), nil
	}
}
