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

	"example.com/watchglass/docs/workshop/exercise"
)

// How far an exercise is: its body is not written; or it is, and a law fails or it does not
// compile; or all laws hold.
const open, tried, solved = "·", "✎", "✔"

// progress is an exercise with what go test says of it, which is nil if it is open.
type progress struct {
	task
	todos []exercise.TODO // what is still to be written
	*result
}

// begun reports whether a part of an open exercise is written: code above a panic, or one body of
// several.
func (p progress) begun() bool {
	return slices.ContainsFunc(p.todos, func(t exercise.TODO) bool { return t.Last }) ||
		len(p.todos) > 0 && len(p.todos) < p.bodies
}

func (p progress) state() string {
	switch {
	case p.result == nil:
		return open
	case p.isSolved():
		return solved
	}
	return tried
}

// board runs the exercises that have been begun and prints how far each is, which law fails in each
// that was tried, and what is next. On the track "half" it shows the exercises of half a day.
func (w workshop) board(ctx context.Context) error {
	all, pipe, err := w.progress(ctx)
	if err != nil {
		return err
	}
	mutants, err := w.mutants()
	if err != nil {
		return err
	}
	states := map[string]string{}
	for _, m := range mutants {
		states[m.name] = w.stateOf(m)
	}
	if w.track == "half" {
		mutants = nil
	}
	w.draw(all, pipe, mutants, states)
	for _, p := range all {
		if p.state() == tried {
			w.print("  ✎ "+p.id+" "+p.name+":", p.why()...)
			w.print("   ", "make try E="+p.id+" shows more; make hint E="+p.id+" gives a hint.", "")
		}
	}
	w.print(" ", w.advice(all, pipe, mutants, states)...)
	begun := slices.ContainsFunc(all, func(p progress) bool { return p.state() != open })
	out, _ := exec.CommandContext(ctx, "git", "-C", w.root, "branch", "--show-current").Output()
	if branch := strings.TrimSpace(string(out)); begun && (branch == "main" || branch == "master") {
		w.print(" ", "", "Your answers are on the branch "+branch+". There, git pull may conflict with changes "+
			"to the exercises. git switch -c workshop puts them on a branch of their own.")
	}
	return nil
}

// advice says what is next: what was begun, or else the first that is open; and in the end that it
// is done.
func (w workshop) advice(
	all []progress, pipe string, mutants []patch, states map[string]string,
) []string {
	var next *progress
	for i := range slices.Backward(all) {
		if all[i].state() == open {
			next = &all[i]
		}
	}
	for i, p := range slices.Backward(all) {
		if p.state() == tried || p.begun() {
			next = &all[i]
		}
	}
	if next != nil {
		place := w.relative(next.stub())
		if len(next.todos) > 0 {
			place += fmt.Sprint(":", next.todos[0].Line)
		}
		return []string{fmt.Sprintf("Next: %s, %s", w.relative(filepath.Join(next.dir, "README.md")), place)}
	}
	lines := []string{"All " + fmt.Sprint(len(all)) + " exercises solved: these parts are an informer, and you wrote them."}
	if pipe == solved {
		lines = append(lines, "They hold together in the pipe. Watch it: go run ./docs/workshop/pipe")
	}
	for _, m := range mutants {
		if states[m.name] != solved {
			return append(lines, "Next: docs/workshop/finale/README.md, and make finale M="+m.name)
		}
	}
	if len(mutants) > 0 {
		lines = append(lines, "All mutants are exposed, too. The workshop is done: congratulations.")
	}
	return lines
}

// draw prints the stages, with that of the next exercise in brackets, and a row for each with its
// exercises. pipe is the state of the pipe.
func (w workshop) draw(all []progress, pipe string, mutants []patch, states map[string]string) {
	rows, count, here := make([]string, len(stages)+2), 0, 0
	for _, p := range all {
		rows[p.stage] += fmt.Sprintf("  %s %s %-10s", p.state(), p.id, p.name)
		switch {
		case p.state() == solved:
			count++
		case here == 0 || p.begun() && all[here-1].state() == open && !all[here-1].begun():
			here = slices.IndexFunc(all, func(q progress) bool { return q.id == p.id }) + 1
		}
	}
	rows[len(stages)] = "  " + pipe + " all together"
	for _, m := range mutants {
		rows[len(stages)+1] += fmt.Sprintf("  %s %s", states[m.name], m.name)
	}
	line := strings.Join(stages[1:], " ▶ ")
	if here > 0 {
		stage := stages[all[here-1].stage]
		line = strings.Replace(line, stage, "["+stage+"]", 1)
	}
	fmt.Fprintf(w.out, "  The informer workshop%42s\n\n  %s\n\n",
		fmt.Sprintf("%d of %d solved", count, len(all)), line)
	for i, stage := range append(slices.Clone(stages), "pipe", "finale") {
		if rows[i] != "" {
			fmt.Fprintf(w.out, "  %d %-10s%s\n", i, stage, strings.TrimRight(rows[i], " "))
		}
	}
	fmt.Fprintln(w.out)
}

// progress returns the state of all exercises of the track, and of the pipe. The tests of those that
// are open are not run.
func (w workshop) progress(ctx context.Context) (list []progress, pipe string, err error) {
	all, err := w.tasks()
	if err != nil {
		return nil, "", err
	}
	var written []string
	needed := 0
	for _, t := range all {
		if w.track == "half" && !slices.Contains(half, t.id) {
			continue
		}
		p := progress{task: t}
		p.todos, err = t.open()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			p.result = &result{broken: fmt.Sprintf("there is no %s; git restore brings it back",
				w.relative(t.stub()))}
		case err != nil:
			return nil, "", err
		case len(p.todos) == 0:
			written = append(written, t.folder())
			if slices.Contains(half, t.id) {
				needed++
			}
		}
		list = append(list, p)
	}
	if len(written) == 0 {
		return list, open, nil
	}
	if needed == len(half) {
		written = append(written, "pipe")
	}
	results, err := w.goTest(ctx, nil, written...)
	for i, p := range list {
		if r := results[p.folder()]; r != nil {
			list[i].result = r
		}
	}
	return list, progress{result: results["pipe"]}.state(), err
}

func (w workshop) relative(path string) string {
	here, _ := os.Getwd()
	if short, err := filepath.Rel(here, path); err == nil {
		return short
	}
	return path
}
