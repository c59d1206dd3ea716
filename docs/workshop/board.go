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

// state is how far an exercise is.
type state int

const (
	open   state = iota // the body is not written
	tried               // it is written, and a law fails or it does not compile
	solved              // all laws hold
)

func (s state) String() string { return [...]string{"·", "✎", "✔"}[s] }

// progress is an exercise with its state.
type progress struct {
	task
	state   state
	at      int  // the line of the stub that is to be written; 0 if it is
	missing bool // there is no stub
	*result
}

// board runs the exercises that have been begun and prints how far each is, and what is next.
func (w workshop) board(ctx context.Context) error {
	all, err := w.progress(ctx)
	if err != nil {
		return err
	}
	count, begun := 0, false
	for _, p := range all {
		if p.state == solved {
			count++
		}
		begun = begun || p.state != open
	}
	score := fmt.Sprintf("%d of %d solved", count, len(all))
	fmt.Fprintf(w.out, "  The informer workshop%42s\n\n  %s\n\n", score, strip(all))
	for stage := 1; stage < len(stages); stage++ {
		w.row(stage, all)
	}
	if err := w.finaleRow(); err != nil {
		return err
	}
	fmt.Fprintln(w.out)
	w.next(all)
	if begun {
		w.remindOfBranch(ctx)
	}
	return nil
}

// strip draws the pipe, with the stage of the next exercise in brackets.
func strip(all []progress) string {
	here := 0
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].state == open {
			here = all[i].stage
		}
	}
	line := ""
	for stage := 1; stage < len(stages); stage++ {
		name := stages[stage]
		if stage == here {
			name = "[" + name + "]"
		}
		line += name + map[bool]string{true: " ~~▶ ", false: " ─▶ "}[stage == 1]
	}
	return line + "you"
}

// row prints the exercises of one stage: "  3 deltafifo    ✔ push      · missing".
func (w workshop) row(stage int, all []progress) {
	line := fmt.Sprintf("  %d %-10s", stage, stages[stage])
	any := false
	for _, p := range all {
		if p.stage == stage {
			line += fmt.Sprintf("  %s %s %-10s", p.state, p.id(), p.name)
			any = true
		}
	}
	if any {
		fmt.Fprintln(w.out, strings.TrimRight(line, " "))
	}
}

// finaleRow prints the mutants: a story that was written is not played here, because that takes the
// compiler a while.
func (w workshop) finaleRow() error {
	all, err := w.mutants()
	if err != nil || len(all) == 0 {
		return err
	}
	line := fmt.Sprintf("  8 %-10s", "finale")
	for _, m := range all {
		sign := open
		if _, err := os.Stat(w.storyOf(m)); err == nil {
			sign = tried
		}
		line += fmt.Sprintf("  %s %s", sign, strings.ToUpper(m.name))
	}
	fmt.Fprintln(w.out, line)
	return nil
}

// next says which law fails in each exercise that was tried, and which one is to be begun.
func (w workshop) next(all []progress) {
	begin := -1
	for i, p := range all {
		if p.state == tried {
			w.failure(p)
		}
		if p.state == open && begin < 0 {
			begin = i
		}
	}
	if begin < 0 {
		for _, p := range all {
			if p.state != solved {
				return
			}
		}
		fmt.Fprintln(w.out, "  All solved. Next: docs/workshop/finale/README.md, and make finale M=A")
		return
	}
	p := all[begin]
	fmt.Fprintf(w.out, "  Next: %s, %s:%d\n", w.relative(filepath.Join(p.dir, "README.md")),
		w.relative(p.stub()), p.at)
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
	failed := p.failed()
	what, where := p.panicked(filepath.Base(p.dir))
	if what != "" || slices.ContainsFunc(failed, func(l law) bool { return !l.ended }) {
		fmt.Fprintf(w.out, "  ✎ %s %s: the program ended here, and no further law was tried.\n",
			p.id(), p.name)
	} else {
		fmt.Fprintf(w.out, "  ✎ %s %s: %d of %d laws hold.\n", p.id(), p.name,
			len(p.laws)-len(failed), len(p.laws))
	}
	lines := p.output
	if len(failed) > 0 {
		fmt.Fprintf(w.out, "    This one does not: %s\n", failed[0].sentence())
		lines = failed[0].message()
	}
	lines = slices.Clone(lines[:min(len(lines), 6)])
	if what != "" { // also behind a long message: it is why nothing else was tried
		lines = append(lines, strings.TrimSpace(what+"  "+where))
	}
	for _, line := range lines {
		fmt.Fprintf(w.out, "      %s\n", line)
	}
	fmt.Fprintf(w.out, "    make hint E=%s gives a hint.\n\n", p.id())
}

// progress returns the state of all exercises. The tests of those that are open are not run.
func (w workshop) progress(ctx context.Context) ([]progress, error) {
	all, err := w.tasks()
	if err != nil {
		return nil, err
	}
	var list []progress
	var written []string
	for _, t := range all {
		at, err := t.openAt()
		missing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return nil, err
		}
		p := progress{task: t, at: at, missing: missing}
		if missing {
			p.state = tried
		} else if at == 0 {
			written = append(written, filepath.Base(t.dir))
		}
		list = append(list, p)
	}
	if len(written) == 0 {
		return list, nil
	}
	results, err := w.goTest(ctx, nil, written...)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].missing {
			continue
		}
		list[i].judge(results[filepath.Base(list[i].dir)])
	}
	return list, nil
}

func (p *progress) judge(r *result) {
	switch p.result = r; {
	case r == nil:
		p.state = open
	case r.passed:
		p.state = solved
	default:
		p.state = tried
	}
}

// remindOfBranch says how to keep one's answers when the project moves on.
func (w workshop) remindOfBranch(ctx context.Context) {
	cmd := exec.CommandContext(ctx, "git", "branch", "--show-current")
	cmd.Dir = w.root
	out, err := cmd.Output()
	branch := strings.TrimSpace(string(out))
	if err != nil || branch != "main" && branch != "master" {
		return
	}
	fmt.Fprintf(w.out, `
  Your answers are on the branch %s. There, git pull may conflict with changes to the exercises.
  git switch -c workshop puts them on a branch of their own.
`, branch)
}

func (w workshop) relative(path string) string {
	if here, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(here, path); err == nil {
			return short
		}
	}
	return path
}
