package verify

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/page"
	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/reflector"
)

const (
	blocks = "blocks show what is there: excerpts of code, stories, differences, diagrams, what " +
		"curl prints"
	origins = "every Go block says where it is from"
)

// A part of a block is what one command of curl has printed, or else the whole block.
type part struct {
	typed []string   // the lines of the command
	shown []string   // the lines below it
	want  [][]string // what may be shown: code with its comment or without
	err   error
}

func checkBlocks(t *tree, report report) {
	for _, p := range t.pages {
		t.upToDate(p, report)
	}
}

// upToDate returns the blocks of a page as they should be, by the line of their first fence, and
// reports the first line of each part that is not there. Excerpts stay as they are.
func (t *tree) upToDate(p *mdPage, report report) map[int][]string {
	current := map[int][]string{}
	t.bubble(func() {
		terminal := &terminal{}
		defer terminal.close()
		for _, b := range p.Code() {
			lines := []string{}
			for _, part := range t.parts(terminal, b) {
				lines = append(lines, part.typed...)
				ok := part.check(func(n int, what string) {
					report(p.path, b.First+len(lines)+n, "%s %s: %s", b.From.Kind, b.From.Arg, what)
				})
				if ok || part.err != nil || b.From.Kind == "source" {
					lines = append(lines, part.shown...)
					continue
				}
				for i, line := range part.want[0] {
					if i < len(part.shown) && like(part.shown[i], line) {
						line = part.shown[i] // with its gaps
					}
					lines = append(lines, line)
				}
			}
			current[b.First] = lines
		}
	})
	return current
}

// check reports what is wrong with which line of the part, counted from 1.
func (p part) check(report func(line int, what string)) bool {
	n, ok := 0, false
	for _, want := range p.want {
		m, fit := fits(p.shown, want)
		n, ok = max(n, m), ok || fit
	}
	switch {
	case p.err != nil:
		report(0, p.err.Error())
	case !ok && n == len(p.shown):
		report(n, "it goes on after this line; write a line with … if that is left out")
	case !ok:
		report(n+1, fmt.Sprintf("%q is not there", p.shown[n]))
	}
	return ok && p.err == nil
}

// rewritten returns the page's text with every block brought up to date.
func (t *tree) rewritten(p *mdPage) string {
	lines := slices.Clone(p.Lines)
	current := t.upToDate(p, func(string, int, string, ...any) {})
	for _, b := range slices.Backward(p.Code()) { // from below, so that line numbers stay right
		for i, line := range current[b.First] {
			current[b.First][i] = strings.TrimRight(line, " ")
		}
		lines = slices.Replace(lines, b.First, b.Last-1, current[b.First]...)
	}
	return strings.Join(lines, "\n")
}

func (t *tree) parts(terminal *terminal, b page.Block) []part {
	shown := codeLines(b)
	whole := part{shown: shown}
	switch b.From.Kind {
	case "curl":
		return terminal.play(shown)
	case "source":
		whole.want, whole.err = t.sourceOf(b.From.Arg)
	case "story":
		whole.want, whole.err = t.printSteps(b.From.Arg)
	case "diff":
		whole.want = [][]string{diff(strings.Fields(b.From.Arg))}
	case "diagram":
		if b.From.Arg != "reflector" {
			whole.err = errors.New("there is no such diagram")
			break
		}
		whole.want = [][]string{printedLines(drawReflector())}
	default:
		whole.want = [][]string{shown}
	}
	return []part{whole}
}

// codeLines returns the lines of a block without the spaces at their ends.
func codeLines(b page.Block) (lines []string) {
	if b.Last-b.First < 2 {
		return nil // there is no line between the fences
	}
	for line := range strings.SplitSeq(b.Text, "\n") {
		lines = append(lines, strings.TrimRight(line, " \t\r"))
	}
	return lines
}

// diff returns the lines in which two files differ, with a line of both before and after.
func diff(files []string) (lines []string) {
	command := exec.Command("diff", append([]string{"-U1"}, files...)...)
	command.Dir = root
	out, _ := command.Output() // without output, no block fits
	for i, line := range printedLines(string(out)) {
		if i > 1 && !strings.HasPrefix(line, "@@") {
			lines = append(lines, line)
		}
	}
	return lines
}

// fits compares a block with the text it quotes: the same lines, except that … on a line of its own
// stands for any lines, and elsewhere for any part of a line.
func fits(shown, text []string) (n int, ok bool) {
	switch {
	case len(shown) == 0:
		return 0, len(text) == 0
	case isGap(shown[0]):
		for skip := 0; skip <= len(text) && !ok; skip++ {
			var m int
			m, ok = fits(shown[1:], text[skip:])
			n = max(n, m+1)
		}
		return n, ok
	case len(text) == 0 || !like(shown[0], text[0]):
		return 0, false
	}
	n, ok = fits(shown[1:], text[1:])
	return n + 1, ok
}

func isGap(line string) bool { return strings.TrimPrefix(strings.TrimSpace(line), "// ") == "…" }

func like(shown, line string) bool {
	if !strings.Contains(shown, "…") {
		return shown == line
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(shown), "…", ".*")
	return regexp.MustCompile("^" + pattern + "$").MatchString(line)
}

// printedLines splits text into lines, without what a page does not show: spaces and carriage
// returns at the end of a line, and blank lines around the text.
func printedLines(text string) (lines []string) {
	for line := range strings.Lines(strings.Trim(text, "\r\n")) {
		lines = append(lines, strings.TrimRight(line, " \t\r\n"))
	}
	return lines
}

// sourceOf returns the lines that a marker names: a file, or with #Name a declaration of it, once
// with the doc comment and once without. A member of a group stands for the group.
func (t *tree) sourceOf(arg string) (wholes [][]string, err error) {
	name, want, _ := strings.Cut(arg, "#")
	lines := printedLines(t.files[name])
	if want == "" && t.files[name] != "" {
		return [][]string{lines}, nil
	}
	if f := t.goFiles[name]; f != nil {
		for _, d := range f.ast.Decls {
			if slices.ContainsFunc(repo.Names(d), func(n repo.Name) bool { return n.Text == want }) {
				first, last := f.lineOf(d.Pos()), f.lineOf(d.End())
				begin := first // of the doc comment
				for begin > 1 && strings.HasPrefix(lines[begin-2], "//") {
					begin--
				}
				return [][]string{lines[first-1 : last], lines[begin-1 : last]}, nil
			}
		}
	}
	return nil, errors.New("there is no such file or declaration")
}

// printSteps prints steps of a story as go test -v does: x.story#3 or x.story#2-4. Steps are
// counted from 1, quiet ones included. Without a # it prints all of them.
func (t *tree) printSteps(arg string) ([][]string, error) {
	name, which, some := strings.Cut(arg, "#")
	steps, err := story.Parse(t.files[name])
	if err != nil {
		return nil, err
	}
	first, last := 1, len(steps)
	if some {
		if n, _ := fmt.Sscanf(which, "%d-%d", &first, &last); n == 1 {
			last = first
		}
	}
	if first < 1 || first > last || last > len(steps) {
		return nil, fmt.Errorf("the story has steps 1 to %d, not %s", len(steps), which)
	}
	var b strings.Builder
	for _, step := range steps[first-1 : last] {
		step.Print(&b)
	}
	return [][]string{printedLines(b.String())}, nil
}

// drawReflector draws the table that the reflector runs.
func drawReflector() string {
	var edges []story.Edge
	for _, row := range reflector.Table(false) {
		edges = append(edges, story.Edge{
			From: row.From.String(), On: row.On.String(), Do: row.Do.String(), To: row.To.String(),
		})
	}
	return story.Mermaid(edges)
}

// checkOrigins finds Go code without a source and markers without a block. The workshop's hints may
// have such code: they are unfinished on purpose.
func checkOrigins(t *tree, report report) {
	kinds := []string{"source", "story", "diff", "curl", "diagram", "bug"}
	for _, p := range t.pages {
		markers := 0
		for _, b := range p.Blocks {
			if b.Kind == page.Comment && slices.Contains(kinds, b.From.Kind) {
				markers++
			}
		}
		for _, b := range p.Code() {
			isMarked := slices.Contains(kinds, b.From.Kind)
			if isMarked {
				markers--
			}
			isHint := b.From.Kind == "" && strings.HasPrefix(p.path, "docs/workshop/")
			if !isMarked && (b.Lang == "go" || b.From.Kind != "") && !isHint {
				report(p.path, b.First, "a block of Go with no source, or a marker that is none of %q", kinds)
			}
		}
		if markers > 0 {
			report(p.path, 0, "%d markers have no block under them", markers)
		}
	}
}
