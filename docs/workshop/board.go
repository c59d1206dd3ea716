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
const open, tried, solved = "·", "✎", "✔"

// progress is an exercise with what go test says of it, which is nil if it is open.
type progress struct {
	task
	at int // the line of the stub that is to be written; 0 if it is
	*result
}

func (p progress) state() string {
	switch {
	case p.result == nil:
		return open
	case p.passed:
		return solved
	}
	return tried
}

// board runs the exercises that have been begun and prints how far each is, which law fails in each
// that was tried, and what is next.
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
	next, begun := "  All solved. Next: docs/workshop/finale/README.md, and make finale M=A", false
	for _, p := range slices.Backward(all) {
		if p.state() == open {
			next = fmt.Sprintf("  Next: %s, %s:%d", w.relative(filepath.Join(p.dir, "README.md")),
				w.relative(p.stub()), p.at)
		}
	}
	for _, p := range all {
		begun = begun || p.state() != open
		if p.state() == tried {
			fmt.Fprintf(w.out, "  ✎ %s %s: %s\n    make hint E=%s gives a hint.\n\n", p.id, p.name,
				strings.Join(p.why(), "\n    "), p.id)
		}
	}
	fmt.Fprintln(w.out, next)
	out, _ := exec.CommandContext(ctx, "git", "-C", w.root, "branch", "--show-current").Output()
	if branch := strings.TrimSpace(string(out)); begun && (branch == "main" || branch == "master") {
		fmt.Fprintf(w.out, `
  Your answers are on the branch %s. There, git pull may conflict with changes to the exercises.
  git switch -c workshop puts them on a branch of their own.
`, branch)
	}
	return nil
}

// draw prints the pipe, with the stage of the next exercise in brackets, and a row for each stage
// with its exercises. A story of the finale is not played here: that takes the compiler a while.
func (w workshop) draw(all []progress, mutants []patch) {
	rows, count, here := make([]string, len(stages)+1), 0, 0
	for _, p := range all {
		rows[p.stage] += fmt.Sprintf("  %s %s %-10s", p.state(), p.id, p.name)
		switch {
		case p.state() == solved:
			count++
		case p.state() == open && here == 0:
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
	pipe := stages[1] + " ~~▶ " + strings.Join(stages[2:], " ─▶ ") + " ─▶ you"
	if here > 0 {
		pipe = strings.Replace(pipe, stages[here], "["+stages[here]+"]", 1)
	}
	fmt.Fprintf(w.out, "  The informer workshop%42s\n\n  %s\n\n",
		fmt.Sprintf("%d of %d solved", count, len(all)), pipe)
	for i, stage := range append(slices.Clone(stages), "finale") {
		if rows[i] != "" {
			fmt.Fprintf(w.out, "  %d %-10s%s\n", i, stage, strings.TrimRight(rows[i], " "))
		}
	}
	fmt.Fprintln(w.out)
}

// progress returns the state of all exercises. The tests of those that are open are not run.
func (w workshop) progress(ctx context.Context) (list []progress, err error) {
	all, err := w.tasks()
	if err != nil {
		return nil, err
	}
	var written []string
	for _, t := range all {
		p := progress{task: t}
		p.at, err = t.openAt()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			p.result = &result{broken: fmt.Sprintf("there is no %s; git restore brings it back",
				w.relative(t.stub()))}
		case err != nil:
			return nil, err
		case p.at == 0:
			written = append(written, t.folder())
		}
		list = append(list, p)
	}
	if len(written) == 0 {
		return list, nil
	}
	results, err := w.goTest(ctx, nil, written...)
	for i, p := range list {
		if r := results[p.folder()]; r != nil {
			list[i].result = r
		}
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
