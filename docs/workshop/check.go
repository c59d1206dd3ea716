package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/format"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// check finds out for authors whether every exercise is what it promises to be. It prints a line
// for each exercise and mutant, and returns an error if a promise is broken. Called with an
// exercise, it checks only that one.
//
// It is not part of go test ./..., because the first promise is that nothing is solved yet.
func (w workshop) check(ctx context.Context, only ...string) error {
	all, err := w.tasks()
	if len(only) > 0 {
		var t task
		t, err = w.find(only[0])
		all = []task{t}
	}
	if err != nil {
		return err
	}
	_ = os.Setenv("PATIENCE", cmp.Or(os.Getenv("PATIENCE"), "5s")) // some answers never end
	c := &checker{workshop: w, wrong: map[task]int{}, solutions: map[string]string{}}
	for _, t := range all {
		c.read(t)
	}
	var verdicts strings.Builder
	var failed error
	var running sync.WaitGroup
	if len(only) == 0 {
		running.Go(func() { failed = c.checkMutants(ctx, &verdicts) })
	}
	if err = c.test(ctx, all); err == nil {
		err = c.report(all)
	}
	running.Wait()
	if err != nil || len(only) > 0 {
		return err
	}
	fmt.Fprintf(c.out, "  ✔ the pipe runs on the solutions\n%s", &verdicts)
	return failed
}

// A checker collects what is wrong with the exercises.
type checker struct {
	workshop
	answers   []answer
	wrong     map[task]int      // how many are
	solutions map[string]string // by the stub's file
	found     []string          // begin with the folder
}

// An answer is what a learner might have written in the file of an exercise.
type answer struct {
	patch
	task task
	text string
	laws string // the test file
}

// folder returns where the answer is in the module of all answers.
func (a answer) folder() string {
	return "answers/" + strings.NewReplacer(" ", "_", "'", "").Replace(a.Name) + "/" + a.task.folder()
}

func (c *checker) complain(folder, format string, args ...any) {
	c.found = append(c.found, folder+": "+fmt.Sprintf(format, args...))
}

// isRight reports whether an answer must pass: a solution, or one that is right in another way.
func isRight(p patch) bool { return p.About["fails"] == "" }

// readmeForm is what the README of an exercise has, in this order. %s stands for its number.
const readmeForm = `(?s)^# %s · .* minutes\..*\n## Goal\n.*\n## Picture\n.*\n## Predict\n.*` +
	`\n## Task\n.*\n## Hints\n.*\n## Now compare with\n.*\]\(\.\./\.\./\.\./`

// read reads the answers of an exercise, and checks its README.
func (c *checker) read(t task) {
	patches, err := readPatches(filepath.Join(t.dir, "testdata", "answers.txt"))
	source, noStub := readText(t.stub())
	laws, noLaws := readText(strings.TrimSuffix(t.stub(), ".go") + "_test.go")
	readme, noReadme := readText(filepath.Join(t.dir, "README.md"))
	if err = errors.Join(err, noStub, noLaws, noReadme); err != nil {
		c.complain(t.folder(), "%v", err)
	}
	form := regexp.MustCompile(fmt.Sprintf(readmeForm, regexp.QuoteMeta(t.id)))
	if n := len(hints(readme)); n != 3 || !form.MatchString(readme) {
		c.complain(t.folder(), "the README has %d hints, want 3, or is not of the form %q", n, form)
	}
	if todos, _ := t.open(); len(todos) == 0 {
		c.complain(t.folder(), "the stub is not open: panic(\"TODO\") is missing in %s.go", t.name)
	}
	for _, p := range patches {
		text, err := p.Apply(source)
		if err != nil {
			c.complain(t.folder(), "%v", err)
			continue
		}
		if !isRight(p) {
			c.wrong[t]++
		}
		c.answers = append(c.answers, answer{p, t, text, laws})
		if p.Name == "solution" {
			c.solutions[t.stub()] = text
			source = text // wrong answers are patches of the solution
			if formatted, _ := format.Source([]byte(text)); string(formatted) != text {
				c.complain(t.folder(), "gofmt would write the solution differently")
			}
		}
	}
	if n := c.wrong[t]; n < 2 {
		c.complain(t.folder(), "%d wrong answers, want at least 2", n)
	}
}

// test runs the laws of all answers in one program: to link one for each takes longer than all
// else. It is started for each answer, so one that panics or never ends harms no other.
func (c *checker) test(ctx context.Context, all []task) error {
	dir, err := c.module()
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	for _, args := range [][]string{
		{"vet", "./answers/..."}, {"build", "-o", "bin/", "./all", "cmd/test2json"},
	} {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			c.complain("answers", "go %s: %v\n%s", args[0], err, out)
			return ctx.Err()
		}
	}
	for _, a := range c.answers {
		results, err := c.run(ctx, filepath.Join(dir, "bin", "test2json"), "-p", a.folder(),
			filepath.Join(dir, "bin", "all"), a.folder(), "-test.v=test2json", "-test.timeout=1m")
		if err != nil {
			return err
		}
		if what := results[a.task.folder()].judge(a.patch); what != "" {
			c.complain(a.task.folder(), "%q %s", a.Name, what)
		}
	}
	if len(all) == 1 {
		return nil
	}
	return c.testPipe(ctx)
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// module writes a module with a package for each answer, in which the laws are code like any other,
// and with the program. The caller removes dir, also after an error.
func (c *checker) module() (dir string, err error) {
	files, imports, laws := map[string]string{}, "", ""
	for i, a := range c.answers {
		files[a.folder()+"/"+a.task.name+".go"] = a.text
		files[a.folder()+"/laws.go"] = "//line " + a.task.name + "_test.go:1\n" + a.laws
		imports += fmt.Sprintf("import a%d %q\n", i, "example.com/watchglass/"+a.folder())
		laws += fmt.Sprintf("%q: {", a.folder())
		for _, test := range testFunc.FindAllStringSubmatch(a.laws, -1) {
			laws += fmt.Sprintf("{%q, a%d.%s}, ", test[1], i, test[1])
		}
		laws += "},\n"
	}
	files["all/main.go"] = `package main
import ("os"; "regexp"; "testing")
` + imports + `
var laws = map[string][]testing.InternalTest{
` + laws + `}
func main() {
	os.Args = os.Args[1:]
	testing.Main(regexp.MatchString, laws[os.Args[0]], nil, nil)
}
`
	for _, name := range []string{
		"go.mod", "docs/workshop/exercise/exercise.go", "docs/workshop/exercise/compare.go",
	} {
		text, failed := readText(filepath.Join(c.root, name))
		files[name], err = text, errors.Join(err, failed)
	}
	dir, failed := tempDir(files)
	return dir, errors.Join(err, failed)
}

// testPipe runs the pipe on the solutions.
func (c *checker) testPipe(ctx context.Context) error {
	dir, file, err := overlay(c.solutions)
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	results, err := c.goTest(ctx, []string{"-vet=off", "-overlay", file}, "pipe")
	if what := results["pipe"].judge(patch{}); what != "" && err == nil {
		c.complain("pipe", "%q %s", "solution", what)
	}
	return err
}

// judge says what is wrong with the result of an answer, "" if nothing: a right answer passes, and
// a wrong one fails by the law that it names.
func (r *result) judge(answer patch) string {
	fails := strings.ReplaceAll(answer.About["fails"], " ", "_") // as go test names it
	switch {
	case r == nil || r.broken != "" || isRight(answer) && !(r.passed && len(r.failed()) == 0):
		return "fails: " + strings.Join(r.why(), " ")
	case isRight(answer) && (len(r.laws) == 0 || slices.ContainsFunc(r.laws, law.skipped)):
		return "is skipped: its tests do not embed its file"
	case !isRight(answer) && r.passed:
		return "passes"
	case !isRight(answer) &&
		!slices.ContainsFunc(r.failed(), func(l law) bool { return l.name == fails }):
		return fmt.Sprintf("does not fail by %q, but: %s", fails, strings.Join(r.why(), " "))
	}
	return ""
}

func (c *checker) report(all []task) error {
	for _, t := range all {
		isIts := func(what string) bool { return strings.HasPrefix(what, t.folder()+": ") }
		if !slices.ContainsFunc(c.found, isIts) {
			fmt.Fprintf(c.out, "  ✔ %s %-10s stub open, solution passes, %d wrong answers fail\n",
				t.id, t.name, c.wrong[t])
		}
	}
	for _, what := range c.found {
		fmt.Fprintf(c.out, "  ✘ %s\n", what)
	}
	if n := len(c.found); n > 0 {
		return fmt.Errorf("%d promises of the exercises are broken", n)
	}
	return nil
}

// checkMutants finds mutants that no longer fit their stage, and stories that do not expose them.
func (c *checker) checkMutants(ctx context.Context, out io.Writer) error {
	all, err := c.mutants()
	if err != nil {
		return err
	}
	readme, err := readText(filepath.Join(c.finaleDir(), "README.md"))
	for _, m := range all {
		if failed := c.checkMutant(ctx, m, readme); failed != nil {
			err = errors.Join(err, fmt.Errorf("mutant %s: %w", m.Name, failed))
			continue
		}
		fmt.Fprintf(out, "  ✔ %s %-10s the story holds on the stage, and exposes the mutant\n",
			m.Name, m.About["stage"])
	}
	return err
}

func (c *checker) checkMutant(ctx context.Context, m patch, readme string) error {
	title := fmt.Sprintf("\n### %s · `%s`\n", m.Name, m.About["stage"])
	isHint := func(h hint) bool { return h.title == m.Name }
	switch {
	case !strings.Contains(readme, title):
		return fmt.Errorf("the README has no report %q", strings.TrimSpace(title))
	case !slices.ContainsFunc(hints(readme), isHint):
		return errors.New("the README has no hint")
	}
	dir, err := tempDir(map[string]string{"its.story": m.Story})
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	exposed, verdict, err := c.expose(ctx, m, filepath.Join(dir, "its.story"))
	if err == nil && !exposed {
		err = errors.New(strings.TrimSpace(verdict))
	}
	return err
}
