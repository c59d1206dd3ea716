package verify

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/scanner"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/story"
)

// maxSteps is how many steps a story may have: more are hard to follow.
const maxSteps = 12

var mannerRules = []rule{
	{
		name:    "Go files are formatted",
		promise: "every Go file, also in testdata, parses and is formatted by gofmt.",
		remedy:  "gofmt -w the file.",
		check:   checkFormat,
	},
	{
		name:    "nothing is left for later",
		promise: "everything is finished; only the exercises of the workshop are not.",
		remedy:  "do it, or leave it out; if a reader should know it, write it as a fact.",
		check:   checkLeftovers,
	},
	{
		name:    "no test waits for real time",
		promise: "a test that sleeps does so in a bubble, where hours pass in microseconds.",
		remedy:  "run the test in synctest.Test, or wait for the event itself.",
		check:   checkSleeps,
	},
	{
		name:    "a story can be followed",
		promise: "a story has at most 12 steps, says why before each state, and is named by its claim.",
		remedy:  "cut it in two, or write the sentence that says what to expect and why.",
		check:   checkStories,
	},
}

func checkFormat(t *tree) (found []finding) {
	for _, f := range t.goFiles {
		if errs := (scanner.ErrorList{}); errors.As(f.err, &errs) {
			found = append(found, finding{f.path, errs[0].Pos.Line, errs[0].Msg})
			continue
		}
		var formatted strings.Builder
		if err := format.Node(&formatted, f.set, f.ast); err != nil || formatted.String() != f.text {
			line := 1 + commonLines(formatted.String(), f.text)
			found = append(found, finding{f.path, line, "gofmt would write this differently"})
		}
	}
	return found
}

func commonLines(a, b string) (n int) {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for n < len(as) && n < len(bs) && as[n] == bs[n] {
		n++
	}
	return n
}

// leftoverWords are spelled so that they are not found here.
var (
	leftoverWords = []string{"to" + "do", "fix" + "me", "xx" + "x", "not imple" + "mented"}
	leftover      = regexp.MustCompile(`(?i)\b(` + strings.Join(leftoverWords, "|") + `)\b`)
)

func checkLeftovers(t *tree) (found []finding) {
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		isOurs := name == "Makefile" || slices.Contains([]string{".go", ".story"}, path.Ext(name))
		if !isOurs || strings.HasPrefix(name, "docs/workshop/") {
			continue
		}
		text := strings.ToLower(t.files[name])
		if !slices.ContainsFunc(leftoverWords, func(word string) bool { return strings.Contains(text, word) }) {
			continue // faster than the pattern, which is slow
		}
		for i, line := range strings.Split(t.files[name], "\n") {
			if word := leftover.FindString(line); word != "" {
				found = append(found, finding{name, i + 1, fmt.Sprintf("%q", word)})
			}
		}
	}
	return found
}

func checkSleeps(t *tree) (found []finding) {
	bubbles := opensBubbles(t)
	for _, f := range t.built() {
		if !f.test || f.inBubble(bubbles[f.dir]) {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if isSelector(n, "time", "Sleep") {
				found = append(found, finding{f.path, f.lineOf(n.Pos()), "time.Sleep outside a bubble"})
			}
			return true
		})
	}
	return found
}

// opensBubbles lists, for each package folder, the functions that open a bubble.
func opensBubbles(t *tree) map[string][]string {
	open := map[string][]string{}
	for _, f := range t.built() {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && (mentions(fn, "synctest", "Test") || mentions(fn, "story", "PlayInBubble")) {
				open[f.dir] = append(open[f.dir], fn.Name.Name)
			}
		}
	}
	return open
}

// inBubble reports whether the code of the file runs in a bubble: a file with tests must open one,
// or call a function that does. Of a file without tests it is enough that its package opens
// bubbles.
func (f *goFile) inBubble(opening []string) bool {
	hasTests, calls := false, false
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			hasTests = hasTests || strings.HasPrefix(n.Name.Name, "Test")
			calls = calls || slices.Contains(opening, n.Name.Name)
		case *ast.CallExpr:
			calls = calls || slices.Contains(opening, typeName(n.Fun))
		}
		return true
	})
	return calls || !hasTests && len(opening) > 0
}

func mentions(in ast.Node, pkg, name string) (does bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		does = does || isSelector(n, pkg, name)
		return !does
	})
	return does
}

func isSelector(n ast.Node, pkg, name string) bool {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	from, ok := sel.X.(*ast.Ident)
	return ok && from.Name == pkg
}

var claim = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)+\.story$`)

func checkStories(t *tree) (found []finding) {
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		if path.Ext(name) != ".story" || isAnswer(name) {
			continue
		}
		if !claim.MatchString(path.Base(name)) {
			found = append(found, finding{name, 0, "the name is not a claim like late_handler_catches_up"})
		}
		steps, err := t.storySteps(name)
		if err != nil {
			found = append(found, finding{name, 0, err.Error()})
		}
		found = append(found, judgeSteps(name, steps)...)
	}
	return found
}

func judgeSteps(name string, steps []story.Step) (found []finding) {
	if len(steps) > maxSteps {
		found = append(found, finding{name, steps[maxSteps].Line, fmt.Sprintf("%d steps", len(steps))})
	}
	said := false // since the last loud step; set-up in between may carry the prose
	for _, step := range steps {
		said = said || strings.TrimSpace(strings.Join(step.Prose, "")) != ""
		if step.Loud && !said {
			found = append(found, finding{name, step.Line, "no prose says why before " + step.Command.Text})
		}
		said = said && !step.Loud
	}
	return found
}
