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
	"time"

	"example.com/watchglass/docs/workshop/exercise"
)

// How far an exercise is: its body is not written; or it is, and a law fails or it does not
// compile; or all laws hold, of what the learner has written or of the given solution.
const open, tried, solved, given = "·", "✎", "✔", "◇"

// progress is an exercise with what go test says of it, which is nil if it is open.
type progress struct {
	task
	todos []exercise.TODO // what is still to be written
	given bool            // make solve wrote it
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
	case p.isSolved() && p.given:
		return given
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
	if w.track == "half" {
		mutants = nil
	}
	for _, m := range mutants {
		states[m.Name] = w.stateOf(m)
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
		w.print(" ", "", "Your answers are on the branch "+branch+". There, git pull may conflict with "+
			"changes to the exercises. git switch -c workshop puts them on a branch of their own.")
	}
	return nil
}

// next returns which exercise is next: of those that were begun the one that was saved last, or
// else the first that is open; -1 if all are solved.
func next(all []progress) int {
	last, at := -1, time.Time{}
	for i, p := range all {
		file, err := os.Stat(p.stub())
		if p.state() != tried && !p.begun() {
			continue
		}
		if last < 0 || err == nil && file.ModTime().After(at) {
			last = i
			if err == nil {
				at = file.ModTime()
			}
		}
	}
	if last >= 0 {
		return last
	}
	return slices.IndexFunc(all, func(p progress) bool { return p.state() == open })
}

// advice says what is next, and in the end that it is done.
func (w workshop) advice(
	all []progress, pipe string, mutants []patch, states map[string]string,
) []string {
	if i := next(all); i >= 0 {
		place := w.relative(all[i].stub())
		if len(all[i].todos) > 0 {
			place += fmt.Sprint(":", all[i].todos[0].Line)
		}
		return []string{"Next: " + w.relative(filepath.Join(all[i].dir, "README.md")) + ", " + place}
	}
	lines := []string{fmt.Sprintf("✔ All %d exercises are solved. Together they are an informer, and "+
		"you wrote it.", len(all))}
	if slices.ContainsFunc(all, func(p progress) bool { return p.given }) {
		lines[0] = "No exercise is open; ◇ is what make solve has written, and not you."
	}
	if pipe == solved {
		lines = append(lines, "It works over HTTP, too. Watch it: make pipe")
	}
	for _, m := range mutants {
		if states[m.Name] != solved {
			return append(lines, "Next: docs/workshop/finale/README.md, and make finale M="+m.Name)
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
	rows, count := make([]string, len(stages)+2), 0
	for _, p := range all {
		rows[p.stage] += fmt.Sprintf("  %s %s %-10s", p.state(), p.id, p.name)
		if p.state() == solved {
			count++
		}
	}
	rows[len(stages)] = "  " + pipe + " all together"
	for _, m := range mutants {
		rows[len(stages)+1] += fmt.Sprintf("  %s %s", states[m.Name], m.Name)
	}
	line := strings.Join(stages[1:], " ▶ ")
	if i := next(all); i >= 0 {
		stage := stages[all[i].stage]
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

// progress returns the state of all exercises of the track, and of the pipe. The tests of open
// ones are not run.
func (w workshop) progress(ctx context.Context) (list []progress, pipe string, err error) {
	all, err := w.onTrack()
	if err != nil {
		return nil, "", err
	}
	var written []string
	needed := 0
	for _, t := range all {
		p := progress{task: t, given: t.isGiven()}
		p.todos, err = t.open()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			p.result = &result{broken: err.Error()}
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
	var flags []string
	if needed == len(half) {
		dir, file, _, err := w.filled(ctx) // the pipe takes four more
		defer os.RemoveAll(dir)
		if err != nil {
			return nil, "", err
		}
		written, flags = append(written, "pipe"), []string{"-overlay", file}
	}
	results, err := w.goTest(ctx, flags, written...)
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
