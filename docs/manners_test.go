package docs

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

// maxSteps is how much of a story a listener can hold.
const maxSteps = 12

var mannerRules = []rule{
	{
		name:    "Go files are formatted",
		promise: "every Go file parses and is as gofmt writes it, those in testdata too.",
		remedy:  "gofmt -w the file.",
		check:   checkFormat,
	},
	{
		name:    "nothing is left for later",
		promise: "what is here is finished; only the workshop has holes, and those are exercises.",
		remedy:  "do it, or leave it out; what a reader should know, say as a fact.",
		check:   checkLeftovers,
	},
	{
		name:    "no test waits for real time",
		promise: "a test that sleeps does so in a bubble, where hours pass in microseconds.",
		remedy:  "run the test in synctest.Test, or wait for the thing itself.",
		check:   checkSleeps,
	},
	{
		name:    "a story can be told",
		promise: "a story has at most 12 steps, says why before each one it shows, and is named by its claim.",
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
		if formatted, err := format.Source([]byte(f.text)); err != nil || string(formatted) != f.text {
			line := 1 + commonLines(string(formatted), f.text)
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

// leftover is spelled so that it does not find itself.
var leftover = regexp.MustCompile(`(?i)\b(to` + `do|fix` + `me|xx` + `x|not imple` + `mented)\b`)

func checkLeftovers(t *tree) (found []finding) {
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		isOurs := name == "Makefile" || slices.Contains([]string{".go", ".story"}, path.Ext(name))
		if !isOurs || strings.HasPrefix(name, "docs/workshop/") {
			continue
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
	helpers := bubbleHelpers(t)
	for _, f := range t.built() {
		if !f.test || mentions(f.ast, "synctest", "Test") || f.callsOneOf(helpers[f.dir]) {
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

// bubbleHelpers lists, room by room, the functions that open a bubble for others.
func bubbleHelpers(t *tree) map[string][]string {
	helpers := map[string][]string{}
	for _, f := range t.built() {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && mentions(fn, "synctest", "Test") {
				helpers[f.dir] = append(helpers[f.dir], fn.Name.Name)
			}
		}
	}
	return helpers
}

func (f *goFile) callsOneOf(names []string) (calls bool) {
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			calls = calls || slices.Contains(names, typeName(call.Fun))
		}
		return !calls
	})
	return calls
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
		if path.Ext(name) != ".story" {
			continue
		}
		if !claim.MatchString(path.Base(name)) {
			found = append(found, finding{name, 0, "the name is no claim, such as late_handler_catches_up"})
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
			found = append(found, finding{name, step.Line, "nothing is said before " + step.Command.Text})
		}
		said = said && !step.Loud
	}
	return found
}
