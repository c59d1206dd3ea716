package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// How far an exercise is: its body is not written; or it is, and a law fails or it does not
// compile; or all laws hold.
const (
	open   = "·"
	tried  = "✎"
	solved = "✔"
)

// progress is an exercise with what go test says of it, which is nil if it is open.
type progress struct {
	task
	at      int  // the line of the stub that is to be written; 0 if it is
	missing bool // there is no stub
	*result
}

func (p progress) state() string {
	switch {
	case p.missing:
		return tried
	case p.result == nil:
		return open
	case p.passed:
		return solved
	}
	return tried
}

// board runs the exercises that have been begun and prints how far each is, and what is next.
func (w workshop) board(ctx context.Context) error {
	all, err := w.progress(ctx)
	if err != nil {
		return err
	}
	mutants, err := w.mutants()
	if err != nil {
		return err
	}
	w.draw(all, mutants)
	w.next(all)
	if !slices.ContainsFunc(all, func(p progress) bool { return p.state() != open }) {
		return nil
	}
	cmd := exec.CommandContext(ctx, "git", "branch", "--show-current")
	cmd.Dir = w.root
	out, _ := cmd.Output() // without git there is nothing to say
	if branch := strings.TrimSpace(string(out)); branch == "main" || branch == "master" {
		fmt.Fprintf(w.out, `
  Your answers are on the branch %s. There, git pull may conflict with changes to the exercises.
  git switch -c workshop puts them on a branch of their own.
`, branch)
	}
	return nil
}

// draw prints the pipe, with the stage of the next exercise in brackets, and a row for each stage
// with its exercises. A story of the finale is not played here: that takes the compiler a while.
func (w workshop) draw(all []progress, mutants []mutant) {
	rows, count, here := map[int]string{}, 0, 0
	for _, p := range all {
		rows[p.stage] += fmt.Sprintf("  %s %s %-10s", p.state(), p.id(), p.name)
		if p.state() == solved {
			count++
		}
		if p.state() == open && here == 0 {
			here = p.stage
		}
	}
	for _, m := range mutants {
		state := open
		if _, err := os.Stat(w.storyOf(m)); err == nil {
			state = tried
		}
		rows[len(stages)] += fmt.Sprintf("  %s %s", state, m.name)
	}
	pipe := strings.Join(stages[2:], " ─▶ ") + " ─▶ you"
	pipe = stages[1] + " ~~▶ " + pipe
	if here > 0 {
		pipe = strings.Replace(pipe, stages[here], "["+stages[here]+"]", 1)
	}
	score := fmt.Sprintf("%d of %d solved", count, len(all))
	fmt.Fprintf(w.out, "  The informer workshop%42s\n\n  %s\n\n", score, pipe)
	for i, stage := range append(slices.Clone(stages), "finale") {
		if rows[i] != "" {
			fmt.Fprintf(w.out, "  %d %-10s%s\n", i, stage, strings.TrimRight(rows[i], " "))
		}
	}
	fmt.Fprintln(w.out)
}

// next says which law fails in each exercise that was tried, and which one is to be begun.
func (w workshop) next(all []progress) {
	rest := slices.DeleteFunc(slices.Clone(all), func(p progress) bool { return p.state() == solved })
	for _, p := range rest {
		if p.state() == tried {
			w.failure(p)
		}
	}
	if len(rest) == 0 {
		fmt.Fprintln(w.out, "  All solved. Next: docs/workshop/finale/README.md, and make finale M=A")
	}
	if i := slices.IndexFunc(rest, func(p progress) bool { return p.state() == open }); i >= 0 {
		fmt.Fprintf(w.out, "  Next: %s, %s:%d\n", w.relative(filepath.Join(rest[i].dir, "README.md")),
			w.relative(rest[i].stub()), rest[i].at)
	}
}

func (w workshop) failure(p progress) {
	if p.missing {
		fmt.Fprintf(w.out, "  ✎ %s has no file %s. git restore brings it back.\n\n", p.id(),
			w.relative(p.stub()))
		return
	}
	if p.broken != "" {
		fmt.Fprintf(w.out, "  ✎ %s does not compile: %s\n\n", p.id(), p.broken)
		return
	}
	failed, lines := p.failed(), p.output
	panicked, where := p.panicked(p.folder())
	how := fmt.Sprintf("%d of %d laws hold.", len(p.laws)-len(failed), len(p.laws))
	if panicked != "" || slices.ContainsFunc(failed, func(l law) bool { return !l.ended }) {
		how = "the program ended here, and no further law was tried."
	}
	fmt.Fprintf(w.out, "  ✎ %s %s: %s\n", p.id(), p.name, how)
	if len(failed) > 0 {
		fmt.Fprintf(w.out, "    This one does not: %s\n", failed[0].sentence())
		lines = failed[0].message()
	}
	for _, line := range lines[:min(len(lines), 6)] {
		fmt.Fprintf(w.out, "      %s\n", line)
	}
	if panicked != "" { // also behind a long message: it is why nothing else was tried
		fmt.Fprintf(w.out, "      %s\n", strings.TrimSpace(panicked+"  "+where))
	}
	fmt.Fprintf(w.out, "    make hint E=%s gives a hint.\n\n", p.id())
}

// progress returns the state of all exercises. The tests of those that are open are not run.
func (w workshop) progress(ctx context.Context) (list []progress, err error) {
	all, err := w.tasks()
	if err != nil {
		return nil, err
	}
	var written []string
	for _, t := range all {
		at, err := t.openAt()
		missing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return nil, err
		}
		if at == 0 && !missing {
			written = append(written, t.folder())
		}
		list = append(list, progress{task: t, at: at, missing: missing})
	}
	if len(written) == 0 {
		return list, nil
	}
	results, err := w.goTest(ctx, nil, written...)
	for i := range list {
		list[i].result = results[list[i].folder()]
	}
	return list, err
}

func (w workshop) relative(path string) string {
	here, _ := os.Getwd()
	if short, err := filepath.Rel(here, path); err == nil {
		return short
	}
	return path
}
