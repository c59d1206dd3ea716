package main

import (
	"context"
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
	c := &checker{workshop: w, tasks: all, found: map[string][]string{}, wrong: map[string]int{}}
	for _, step := range []func(context.Context) error{c.shape, c.stubs, c.solutions, c.wrongAnswers} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return errors.Join(c.report(), c.pipe(ctx), c.checkMutants(ctx))
}

// checker collects what is wrong with the exercises, by the names of their folders.
type checker struct {
	workshop
	tasks []task
	found map[string][]string
	wrong map[string]int // how many wrong answers failed as they should
}

func (c *checker) complain(t task, format string, args ...any) {
	c.found[t.folder()] = append(c.found[t.folder()], fmt.Sprintf(format, args...))
}

// stubs finds exercises that are not open, and stubs whose tests do anything but skip.
func (c *checker) stubs(ctx context.Context) error {
	results, err := c.goTest(ctx, nil, c.folders()...)
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
		if r := results[t.folder()]; r == nil || !r.passed {
			c.complain(t, "the stub fails: %s", r.why())
		}
	}
	return nil
}

// solutions lays all solutions over the stubs, in one run.
func (c *checker) solutions(ctx context.Context) error {
	results, err := c.solved(ctx, c.folders()...)
	if err != nil {
		return err
	}
	for _, t := range c.tasks {
		r := results[t.folder()]
		switch {
		case r == nil || !r.passed:
			c.complain(t, "the solution fails: %s", r.why())
		case len(r.laws) == 0 || slices.ContainsFunc(r.laws, law.skipped):
			c.complain(t, "the solution is skipped: its tests do not embed %s.go", t.name)
		}
	}
	return nil
}

// pipe runs the solutions together.
func (c *checker) pipe(ctx context.Context) error {
	results, err := c.solved(ctx, "pipe")
	if err != nil {
		return err
	}
	if r := results["pipe"]; r == nil || !r.passed || slices.ContainsFunc(r.laws, law.skipped) {
		return fmt.Errorf("the solutions make no pipe: %s", r.why())
	}
	fmt.Fprintln(c.out, "  ✔ the pipe runs on the solutions")
	return nil
}

// solved tests packages with all solutions in place of the stubs.
func (c *checker) solved(ctx context.Context, folders ...string) (map[string]*result, error) {
	texts := map[string]string{}
	for _, t := range c.tasks {
		text, err := os.ReadFile(t.solution())
		if err != nil {
			return nil, err
		}
		texts[t.stub()] = string(text)
	}
	return c.overlaid(ctx, texts, folders...)
}

// wrongAnswers lays the first wrong answers of all exercises over the stubs, then the second ones,
// and so on.
func (c *checker) wrongAnswers(ctx context.Context) error {
	answers, most := map[string][]mutant{}, 0
	for _, t := range c.tasks {
		wrong, err := readMutants(filepath.Join(t.dir, "testdata", "wrong.mutants"))
		if err != nil {
			return err
		}
		if len(wrong) < 2 {
			c.complain(t, "%d wrong answers, want at least 2", len(wrong))
		}
		answers[t.dir], most = wrong, max(most, len(wrong))
	}
	for i := range most {
		texts, some := map[string]string{}, []task{}
		for _, t := range c.tasks {
			if i >= len(answers[t.dir]) {
				continue
			}
			text, err := answers[t.dir][i].applyTo(t.solution())
			if err != nil {
				c.complain(t, "%v", err)
				continue
			}
			texts[t.stub()], some = text, append(some, t)
		}
		results, err := c.overlaid(ctx, texts, folders(some)...)
		if err != nil {
			return err
		}
		for _, t := range some {
			c.judgeWrong(t, answers[t.dir][i], results[t.folder()])
		}
	}
	return nil
}

// judgeWrong finds wrong answers that pass, or that fail by another law than they say.
func (c *checker) judgeWrong(t task, m mutant, r *result) {
	want := strings.ReplaceAll(m.about["fails"], " ", "_") // as go test names it
	switch {
	case r == nil || r.broken != "":
		c.complain(t, "%q: %s", m.name, r.why())
	case r.passed:
		c.complain(t, "%q passes", m.name)
	case !slices.ContainsFunc(r.failed(), func(l law) bool { return l.name == want }):
		c.complain(t, "%q does not fail by %q, but: %s", m.name, want, r.why())
	default:
		c.wrong[t.folder()]++
	}
}

// overlaid vets and tests packages with texts laid over files.
func (c *checker) overlaid(ctx context.Context, texts map[string]string, folders ...string) (
	map[string]*result, error,
) {
	dir, file, err := overlay(texts)
	defer os.RemoveAll(dir)
	if err != nil {
		return nil, err
	}
	return c.goTest(ctx, []string{"-vet=all", "-overlay", file}, folders...)
}

func (c *checker) folders() []string { return folders(c.tasks) }

func folders(tasks []task) (names []string) {
	for _, t := range tasks {
		names = append(names, t.folder())
	}
	return names
}

func (c *checker) report() error {
	broken := 0
	for _, t := range c.tasks {
		found := c.found[t.folder()]
		for _, what := range found {
			fmt.Fprintf(c.out, "  ✘ %s %-10s %s\n", t.id(), t.name, what)
		}
		if len(found) == 0 {
			fmt.Fprintf(c.out, "  ✔ %s %-10s stub open, solution passes, %d wrong answers fail\n",
				t.id(), t.name, c.wrong[t.folder()])
		}
		broken += len(found)
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
