package main

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// check finds out for authors whether every exercise is what it promises to be. Solutions
// and wrong answers are laid over the stubs with go test -overlay, so nothing is copied, and what
// is tested is what a learner would have written. It prints a line for each exercise and mutant,
// and returns an error if a promise is broken. Called with an exercise, it checks only that one.
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
	c := &checker{w, map[string][]patch{}, map[string][]string{}}
	most := 0
	for _, t := range all {
		if err := c.read(t); err != nil {
			return err
		}
		most = max(most, len(c.answers[t.folder()]))
	}
	if err := c.stubs(ctx, all); err != nil {
		return err
	}
	for n := range most {
		if err := c.round(ctx, all, n); err != nil {
			return err
		}
	}
	if err := c.report(all); err != nil || len(only) > 0 {
		return err
	}
	fmt.Fprintln(c.out, "  ✔ the pipe runs on the solutions")
	return c.checkMutants(ctx)
}

// A checker collects what is wrong with the exercises, by the names of their folders.
type checker struct {
	workshop
	answers map[string][]patch // the solution, and then the others
	found   map[string][]string
}

func (c *checker) complain(folder, format string, args ...any) {
	c.found[folder] = append(c.found[folder], fmt.Sprintf(format, args...))
}

// wrong returns how many wrong answers an exercise has.
func (c *checker) wrong(t task) (n int) {
	for _, answer := range c.answers[t.folder()] {
		if !answer.isRight() {
			n++
		}
	}
	return n
}

// isRight reports whether an answer must pass: a solution, or one that is right in another way.
func (p patch) isRight() bool { return p.about["fails"] == "" }

// readmeForm is what the README of an exercise has, in this order. %s stands for its number.
const readmeForm = `(?s)^# %s · .* minutes\..*\n## Goal\n.*\n## Picture\n.*\n## Predict\n.*` +
	`\n## Task\n.*\n## Hints\n.*\n## Now compare with\n.*\]\(\.\./\.\./\.\./`

// read reads the answers of an exercise, and checks its README.
func (c *checker) read(t task) (err error) {
	c.answers[t.folder()], err = readPatches(filepath.Join(t.dir, "testdata", "answers.txt"))
	if err != nil {
		return err
	}
	if n := c.wrong(t); n < 2 {
		c.complain(t.folder(), "%d wrong answers, want at least 2", n)
	}
	readme, err := readText(filepath.Join(t.dir, "README.md"))
	form := regexp.MustCompile(fmt.Sprintf(readmeForm, regexp.QuoteMeta(t.id)))
	if n := len(hints(readme)); n != 3 || !form.MatchString(readme) {
		c.complain(t.folder(), "the README has %d hints, want 3, or is not of the form %q", n, form)
	}
	return err
}

// stubs finds exercises that are not open, and stubs whose tests do anything but skip.
func (c *checker) stubs(ctx context.Context, all []task) error {
	results, err := c.goTest(ctx, nil, slices.Sorted(maps.Keys(c.answers))...)
	if err != nil {
		return err
	}
	for _, t := range all {
		todos, err := t.open()
		if err != nil {
			return err
		}
		if len(todos) == 0 {
			c.complain(t.folder(), "the stub is not open: panic(\"TODO\") is missing in %s.go", t.name)
		}
		if r := results[t.folder()]; r == nil || !r.passed {
			c.complain(t.folder(), "the stub fails: %s", strings.Join(r.why(), " "))
		}
	}
	return nil
}

// round lays answer n of each exercise over its stub, and vets and tests it. In round 0 these are
// the solutions, which are also run together, as the pipe.
func (c *checker) round(ctx context.Context, all []task, n int) error {
	texts, under := map[string]string{}, map[string]patch{}
	for _, t := range all {
		answers := c.answers[t.folder()]
		if n >= len(answers) {
			continue
		}
		text, err := t.answer(answers[0], answers[n])
		if err != nil {
			c.complain(t.folder(), "%v", err)
			continue
		}
		texts[t.stub()], under[t.folder()] = text, answers[n]
	}
	if n == 0 && len(all) > 1 {
		under["pipe"] = patch{name: "solution"}
	}
	dir, file, err := overlay(texts)
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	results, err := c.goTest(ctx, []string{"-vet=all", "-overlay", file},
		slices.Sorted(maps.Keys(under))...)
	for folder, answer := range under {
		if what := results[folder].judge(answer); what != "" && err == nil {
			c.complain(folder, "%q %s", answer.name, what)
		}
	}
	return err
}

// answer returns the stub with the solution in it, which is formatted, and the wrong answer in that
// if it is another patch.
func (t task) answer(solution, wrong patch) (string, error) {
	stub, err := readText(t.stub())
	if err != nil {
		return "", err
	}
	text, err := solution.apply(stub)
	if err != nil || wrong.name == solution.name {
		if formatted, _ := format.Source([]byte(text)); err == nil && string(formatted) != text {
			err = errors.New("gofmt would write the solution differently")
		}
		return text, err
	}
	return wrong.apply(text)
}

// judge says what is wrong with the result of an answer, "" if nothing: a right answer passes, and
// a wrong one fails by the law that it names.
func (r *result) judge(answer patch) string {
	fails := strings.ReplaceAll(answer.about["fails"], " ", "_") // as go test names it
	switch {
	case r == nil || r.broken != "" || answer.isRight() && !r.passed:
		return "fails: " + strings.Join(r.why(), " ")
	case answer.isRight() && (len(r.laws) == 0 || slices.ContainsFunc(r.laws, law.skipped)):
		return "is skipped: its tests do not embed its file"
	case !answer.isRight() && r.passed:
		return "passes"
	case !answer.isRight() &&
		!slices.ContainsFunc(r.failed(), func(l law) bool { return l.name == fails }):
		return fmt.Sprintf("does not fail by %q, but: %s", fails, strings.Join(r.why(), " "))
	}
	return ""
}

func (c *checker) report(all []task) error {
	for _, t := range all {
		if len(c.found[t.folder()]) == 0 {
			fmt.Fprintf(c.out, "  ✔ %s %-10s stub open, solution passes, %d wrong answers fail\n",
				t.id, t.name, c.wrong(t))
		}
	}
	broken := 0
	for _, folder := range slices.Sorted(maps.Keys(c.found)) {
		for _, what := range c.found[folder] {
			fmt.Fprintf(c.out, "  ✘ %s: %s\n", folder, what)
			broken++
		}
	}
	if broken > 0 {
		return fmt.Errorf("%d promises of the exercises are broken", broken)
	}
	return nil
}

// checkMutants finds mutants that no longer fit their stage, and stories that do not expose them.
func (c *checker) checkMutants(ctx context.Context) error {
	all, err := c.mutants()
	if err != nil {
		return err
	}
	readme, err := readText(filepath.Join(c.finaleDir(), "README.md"))
	for _, m := range all {
		title := fmt.Sprintf("\n### %s · `%s`\n", m.name, m.about["stage"])
		isHint := func(h hint) bool { return h.title == m.name }
		verdict, failed := c.checkMutant(ctx, m)
		switch {
		case failed == nil && !strings.Contains(readme, title):
			failed = fmt.Errorf("the README has no report %q", strings.TrimSpace(title))
		case failed == nil && !slices.ContainsFunc(hints(readme), isHint):
			failed = errors.New("the README has no hint")
		}
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("mutant %s: %w", m.name, failed))
			continue
		}
		fmt.Fprintf(c.out, "  ✔ %s %-10s %s\n", m.name, m.about["stage"], verdict)
	}
	return err
}

func (c *checker) checkMutant(ctx context.Context, m patch) (verdict string, err error) {
	dir, err := os.MkdirTemp("", "finale")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, m.name+".story")
	if err := os.WriteFile(file, []byte(m.story), 0o600); err != nil {
		return "", err
	}
	exposed, verdict, err := c.expose(ctx, m, file)
	if err == nil && !exposed {
		err = errors.New(strings.TrimSpace(verdict))
	}
	return "the story holds on the stage, and exposes the mutant", err
}
