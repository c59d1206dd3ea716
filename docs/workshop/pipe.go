package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// solution returns the file of an exercise with its solution. That is a patch of the stub as it
// was: if the learner has written in it, git has that.
func (w workshop) solution(ctx context.Context, t task) (string, error) {
	patches, err := readPatches(filepath.Join(t.dir, "testdata", "answers.txt"))
	if err != nil {
		return "", err
	}
	text, err := readText(t.stub())
	git := func(args ...string) string {
		// "" fits no patch
		out, _ := exec.CommandContext(ctx, "git", append([]string{"-C", t.dir}, args...)...).Output()
		return string(out)
	}
	solved, failed := patches[0].Apply(text)
	for _, commit := range strings.Fields(git("log", "--format=%H", "--", t.stub())) {
		if failed == nil {
			break
		}
		solved, failed = patches[0].Apply(git("show", commit+":./"+filepath.Base(t.stub())))
	}
	return solved, errors.Join(err, failed)
}

// filled returns an overlay that has the solution of each exercise that is open, and which the
// learner has written. The caller removes dir, also after an error.
func (w workshop) filled(ctx context.Context) (dir, file string, yours []string, err error) {
	all, err := w.tasks()
	texts := map[string]string{}
	for _, t := range all {
		todos, failed := t.open()
		switch {
		case failed != nil:
			err = errors.Join(err, failed)
		case len(todos) > 0:
			texts[t.stub()], failed = w.solution(ctx, t)
			err = errors.Join(err, failed)
		case !t.isGiven():
			yours = append(yours, t.id)
		}
	}
	if err == nil {
		dir, file, err = overlay(texts)
	}
	return dir, file, yours, err
}

// pipe runs the pipe on what the learner has written, with solutions in the place of what is open.
// Flags are the pipe's.
func (w workshop) pipe(ctx context.Context, flags []string) error {
	dir, file, yours, err := w.filled(ctx)
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	args := append([]string{"run", "-overlay", file, "./docs/workshop/pipe"}, flags...)
	cmd := exec.CommandContext(ctx, "go", args...)
	var said strings.Builder
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.root, w.out, &said
	cmd.Env = append(os.Environ(), "PIPE="+strings.Join(yours, " "))
	err = cmd.Run()
	if what := stops(said.String()); err != nil && what != "" {
		return errors.New(what)
	}
	fmt.Fprint(os.Stderr, said.String())
	return err
}

// solve writes the solution into the file of an exercise, if the learner says so. What was in the
// file is kept beside it.
func (w workshop) solve(ctx context.Context, called string) error {
	t, err := w.find(called)
	if err == nil {
		_, err = t.open() // is it there?
	}
	if err != nil {
		return err
	}
	solution, err := w.solution(ctx, t)
	if err != nil {
		return err
	}
	mine := strings.TrimSuffix(t.stub(), ".go") + ".mine"
	if _, err := os.Stat(mine); err == nil {
		return fmt.Errorf("%s is there already: move it away first", w.relative(mine))
	}
	w.print(" ", fmt.Sprintf(
		"This writes the solution of %s into %s, and keeps what is there as %s. Do it? [y/N]",
		t.id, w.relative(t.stub()), w.relative(mine)))
	answer, _ := bufio.NewReader(w.in).ReadString('\n') // none means no
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was written")
	}
	text, err := os.ReadFile(t.stub())
	if err == nil {
		err = os.WriteFile(mine, text, 0o644)
	}
	if err == nil {
		err = os.WriteFile(t.stub(), []byte(solution+"\n"+givenMark+"\n"), 0o644)
	}
	if err == nil {
		w.print(" ", "It is there. The board shows it as "+given+", and not as solved. make try E="+
			t.id+" runs its laws.")
	}
	return err
}

// givenMark is the last line of what make solve writes.
const givenMark = "// make solve wrote this. Delete this line when it has become yours."
