package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// check is for authors: it finds out whether every exercise is what it promises to be. Solutions
// and wrong answers are laid over the stubs with go test -overlay, so nothing is copied, and what
// is tested is what a learner would have written. It prints a line for each exercise, and returns
// an error if a promise is broken.
//
// It is not part of go test ./..., because the first promise is that nothing is solved yet.
func (w workshop) check(ctx context.Context) error {
	all, err := w.tasks()
	if err != nil {
		return err
	}
	c := &checker{workshop: w, tasks: all, found: map[string][]string{}}
	for _, step := range []func(context.Context) error{c.shape, c.stubs, c.solutions, c.wrongAnswers} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return errors.Join(c.report(), c.pipe(ctx), c.checkMutants(ctx))
}

// checker collects what is wrong with the exercises.
type checker struct {
	workshop
	tasks []task
	found map[string][]string // by the exercise's directory name
	wrong map[string]int      // how many wrong answers failed as they should
}

func (c *checker) complain(t task, format string, args ...any) {
	dir := filepath.Base(t.dir)
	c.found[dir] = append(c.found[dir], fmt.Sprintf(format, args...))
}

// stubs finds exercises that are not open, and stubs whose tests do anything but skip.
func (c *checker) stubs(ctx context.Context) error {
	results, err := c.goTest(ctx, nil, c.dirs()...)
	if err != nil {
		return err
	}
	for _, t := range c.tasks {
		line, err := t.openAt()
		if err != nil {
			return err
		}
		if line == 0 {
			c.complain(t, "the stub is not open: panic(\"TODO\") is missing in %s.go", t.name)
		}
		r := results[filepath.Base(t.dir)]
		switch {
		case r == nil:
			c.complain(t, "the stub has no tests")
		case !r.passed:
			c.complain(t, "the stub fails: %s", r.why())
		}
	}
	return nil
}

// solutions lays all solutions over the stubs, in one run.
func (c *checker) solutions(ctx context.Context) error {
	results, err := c.overlaid(ctx, c.allSolved(), c.dirs()...)
	if err != nil {
		return err
	}
	for _, t := range c.tasks {
		r := results[filepath.Base(t.dir)]
		switch {
		case r == nil:
			c.complain(t, "the solution was not tested")
		case !r.passed:
			c.complain(t, "the solution fails: %s", r.why())
		case len(r.laws) == 0 || slices.ContainsFunc(r.laws, law.skipped):
			c.complain(t, "the solution is skipped: its tests do not embed %s.go", t.name)
		}
	}
	return nil
}

func (c *checker) allSolved() map[string]string {
	overlay := map[string]string{}
	for _, t := range c.tasks {
		overlay[t.stub()] = filepath.Join(t.dir, "testdata", "solution.go")
	}
	return overlay
}

// pipe runs the solutions together.
func (c *checker) pipe(ctx context.Context) error {
	results, err := c.overlaid(ctx, c.allSolved(), "pipe")
	if err != nil {
		return err
	}
	if r := results["pipe"]; r == nil || !r.passed || slices.ContainsFunc(r.laws, law.skipped) {
		return fmt.Errorf("the solutions make no pipe: %s", r.why())
	}
	fmt.Fprintln(c.out, "  ✔ the pipe runs on the solutions")
	return nil
}

// wrongAnswers lays the first wrong answers of all exercises over the stubs, then the second ones,
// and so on.
func (c *checker) wrongAnswers(ctx context.Context) error {
	answers, most := map[string][]string{}, 0
	for _, t := range c.tasks {
		files, err := filepath.Glob(filepath.Join(t.dir, "testdata", "wrong_*.go"))
		if err != nil {
			return err
		}
		if len(files) < 2 {
			c.complain(t, "%d wrong answers, want at least 2", len(files))
		}
		answers[t.dir], most = files, max(most, len(files))
	}
	c.wrong = map[string]int{}
	for i := range most {
		overlay, dirs := map[string]string{}, []string{}
		for _, t := range c.tasks {
			if i < len(answers[t.dir]) {
				overlay[t.stub()] = answers[t.dir][i]
				dirs = append(dirs, filepath.Base(t.dir))
			}
		}
		results, err := c.overlaid(ctx, overlay, dirs...)
		if err != nil {
			return err
		}
		for _, t := range c.tasks {
			if file := overlay[t.stub()]; file != "" {
				c.judgeWrong(t, file, results[filepath.Base(t.dir)])
			}
		}
	}
	return nil
}

// judgeWrong finds wrong answers that pass, or that fail by another law than they say.
func (c *checker) judgeWrong(t task, file string, r *result) {
	name := filepath.Base(file)
	want, err := namedLaw(file)
	switch {
	case err != nil:
		c.complain(t, "%s: %v", name, err)
	case r == nil:
		c.complain(t, "%s was not tested", name)
	case r.broken != "":
		c.complain(t, "%s does not compile: %s", name, r.broken)
	case r.passed:
		c.complain(t, "%s passes", name)
	case !slices.ContainsFunc(r.failed(), func(l law) bool { return l.name == want }):
		c.complain(t, "%s does not fail by %q, but: %s", name, want, r.why())
	default:
		c.wrong[filepath.Base(t.dir)]++
	}
}

// namedLaw reads the first line of a wrong answer: the law that it breaks, as go test names it.
func namedLaw(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	name, ok := strings.CutPrefix(first, "// Fails: ")
	if !ok {
		return "", errors.New("the first line does not say \"// Fails: TestName/law\"")
	}
	return strings.ReplaceAll(strings.TrimSpace(name), " ", "_"), nil
}

// overlaid vets and tests packages with some files laid over others.
func (c *checker) overlaid(ctx context.Context, files map[string]string, dirs ...string) (
	map[string]*result, error,
) {
	text, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "workshop")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return nil, err
	}
	return c.goTest(ctx, []string{"-vet=all", "-overlay", overlay}, dirs...)
}

func (c *checker) dirs() (names []string) {
	for _, t := range c.tasks {
		names = append(names, filepath.Base(t.dir))
	}
	return names
}

func (c *checker) report() error {
	broken := 0
	for _, t := range c.tasks {
		dir := filepath.Base(t.dir)
		if len(c.found[dir]) == 0 {
			fmt.Fprintf(c.out, "  ✔ %s %-10s stub open, solution passes, %d wrong answers fail\n",
				t.id(), t.name, c.wrong[dir])
			continue
		}
		for _, what := range c.found[dir] {
			fmt.Fprintf(c.out, "  ✘ %s %-10s %s\n", t.id(), t.name, what)
			broken++
		}
	}
	if broken > 0 {
		return fmt.Errorf("%d promises of the exercises are broken", broken)
	}
	return nil
}

// why says in a line why a package failed.
func (r *result) why() string {
	if r == nil {
		return "it was not tested"
	}
	if r.broken != "" {
		return "it does not compile: " + r.broken
	}
	if failed := r.failed(); len(failed) > 0 {
		return failed[0].name + ": " + strings.Join(failed[0].message(), " ")
	}
	return strings.Join(r.output, " ")
}
