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

// solution returns the file of an exercise with its solution. That is a patch of the stub as it was: if the
// learner has written in it, git has that.
func (w workshop) solution(ctx context.Context, t task) (string, error) {
	patches, err := readPatches(filepath.Join(t.dir, "testdata", "answers.txt"))
	if err != nil {
		return "", err
	}
	text, err := readText(t.stub())
	git := func(args ...string) string {
		out, _ := exec.CommandContext(ctx, "git", append([]string{"-C", t.dir}, args...)...).Output() // "" fits no patch
		return string(out)
	}
	solved, failed := patches[0].apply(text)
	for _, commit := range strings.Fields(git("log", "--format=%H", "--", t.stub())) {
		if failed == nil {
			break
		}
		solved, failed = patches[0].apply(git("show", commit+":./"+filepath.Base(t.stub())))
	}
	return solved, errors.Join(err, failed)
}

// filled returns an overlay that has the solution of each exercise that is open, and which are not. The
// caller removes dir, also after an error.
func (w workshop) filled(ctx context.Context) (dir, file string, yours []string, err error) {
	all, err := w.tasks()
	texts := map[string]string{}
	for _, t := range all {
		todos, failed := t.open()
		if len(todos) == 0 && failed == nil {
			yours = append(yours, t.id)
			continue
		}
		text, failed := w.solution(ctx, t)
		texts[t.stub()], err = text, errors.Join(err, failed)
	}
	if err == nil {
		dir, file, err = overlay(texts)
	}
	return dir, file, yours, err
}

// pipe runs the pipe on what the learner has written, with solutions in the place of what is open.
func (w workshop) pipe(ctx context.Context) error {
	dir, file, yours, err := w.filled(ctx)
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "run", "-overlay", file, "./docs/workshop/pipe")
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.root, w.out, os.Stderr
	cmd.Env = append(os.Environ(), "PIPE="+strings.Join(yours, " "))
	return cmd.Run()
}

// solve writes the solution into the file of an exercise, if the learner says so. What was in the file is
// kept beside it.
func (w workshop) solve(ctx context.Context, called string) error {
	t, err := w.find(called)
	if err != nil {
		return err
	}
	solved, err := w.solution(ctx, t)
	if err != nil {
		return err
	}
	mine := strings.TrimSuffix(t.stub(), ".go") + ".mine"
	if _, err := os.Stat(mine); err == nil {
		return fmt.Errorf("%s is there already: move it away first", w.relative(mine))
	}
	w.print(" ", fmt.Sprintf("This writes the solution of %s into %s, and keeps what is there as %s. Do it? [y/N]",
		t.id, w.relative(t.stub()), w.relative(mine)))
	answer, _ := bufio.NewReader(w.in).ReadString('\n') // none means no
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was written")
	}
	text, err := os.ReadFile(t.stub())
	if err == nil {
		err = os.WriteFile(mine, text, 0o644)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(t.stub(), []byte(solved), 0o644)
}
