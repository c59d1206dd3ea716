package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/story"
)

// finale plays the learner's story for a mutant on the stage as it is and on the broken one. accept
// first writes into the story what the stage as it is shows.
func (w workshop) finale(ctx context.Context, name string, accept bool) error {
	m, err := w.mutant(name)
	if err != nil {
		return err
	}
	file := w.storyOf(m)
	if _, err := os.Stat(file); err != nil {
		short := w.relative(file)
		fmt.Fprintf(w.out, "  %s is open. The report is in %s.\n"+
			"  Begin the story with make story STAGE=%s STORY=%s\n",
			m.name, w.relative(filepath.Join(w.finaleDir(), "README.md")), m.about["stage"], short)
		return nil
	}
	if accept {
		held, out, err := w.playStory(ctx, m.about["stage"], "accept:"+file)
		if err != nil {
			return err
		}
		if !held {
			return fmt.Errorf("the stage can't play the story:\n%s", out)
		}
	}
	if some, err := promises(file); err != nil {
		return err
	} else if !some {
		fmt.Fprintf(w.out, `  ✎ The story promises nothing yet. Below the command that shows the fault
    there has to be a line ----, and under it the state. Write the line; then
    make finale M=%s ACCEPT=1 writes under it what the stage as it is shows.
`, m.name)
		return nil
	}
	if accept {
		fmt.Fprintf(w.out, "  %s now holds what the stage shows. Read it: it is what you claim.\n",
			w.relative(file))
	}
	_, verdict, err := w.expose(ctx, m, file)
	if err == nil {
		fmt.Fprintln(w.out, verdict)
	}
	return err
}

// promises reports whether a story says what a state must be.
func promises(file string) (bool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	steps, err := story.Parse(string(text))
	if err != nil {
		return false, fmt.Errorf("%s: %w", file, err)
	}
	return slices.ContainsFunc(steps, func(s story.Step) bool { return len(s.State) > 0 }), nil
}

// storyOf returns the path of the learner's story.
func (w workshop) storyOf(m patch) string {
	return filepath.Join(w.finaleDir(), strings.ToLower(m.name)+".story")
}

func (w workshop) mutant(name string) (patch, error) {
	all, err := w.mutants()
	if err != nil {
		return patch{}, err
	}
	var names []string
	for _, m := range all {
		if strings.EqualFold(m.name, name) {
			return m, nil
		}
		names = append(names, m.name)
	}
	return patch{}, fmt.Errorf("there is no mutant %q; there are %s", name, strings.Join(names, ", "))
}

// expose plays a story on the stage as it is and on the broken one. It returns whether the story
// exposes the mutant, and that in a sentence with the lines behind it.
func (w workshop) expose(ctx context.Context, m patch, file string) (
	exposed bool, verdict string, err error,
) {
	held, out, err := w.playStory(ctx, m.about["stage"], "compare:"+file)
	switch {
	case err != nil:
		return false, "", err
	case !held:
		return false, "  ✎ The story does not hold on the stage as it is, so it proves nothing:\n" + out,
			nil
	}
	held, out, err = w.playBroken(ctx, m, "compare:"+file)
	switch {
	case err != nil:
		return false, "", err
	case held:
		return false, "  ✎ The story holds on both stages. It does not show what is broken.", nil
	}
	return true, "  ✔ Exposed. On the broken stage the story ends like this:\n" + tail(out, 14), nil
}

func (w workshop) finaleDir() string { return filepath.Join(w.dir(), "finale") }

// mutants returns the mutants of the stages, in the order of their names.
func (w workshop) mutants() ([]patch, error) {
	return readPatches(filepath.Join(w.finaleDir(), "testdata", "mutants.txt"))
}

// playBroken plays one story on the stage with the mutant in it.
func (w workshop) playBroken(ctx context.Context, m patch, play string) (
	held bool, out string, err error,
) {
	file := filepath.Join(w.root, filepath.FromSlash(m.about["file"]))
	source, err := os.ReadFile(file)
	if err != nil {
		return false, "", err
	}
	broken, err := m.apply(string(source))
	if err != nil {
		return false, "", fmt.Errorf("%s: %w", file, err)
	}
	dir, lay, err := overlay(map[string]string{file: broken})
	defer os.RemoveAll(dir)
	if err != nil {
		return false, "", err
	}
	return w.playStory(ctx, m.about["stage"], play, "-overlay", lay)
}

// playStory plays one story on a stage; play is a value of STORY. It returns whether the story
// held, and what was printed.
// The error is for what has nothing to do with the story: the stage does not compile, for example.
func (w workshop) playStory(ctx context.Context, stage, play string, flags ...string) (
	held bool, out string, err error,
) {
	args := append([]string{"test", "-count=1", "-timeout", "1m", "-run", "^TestStories$"}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+stage)...)
	cmd.Dir = w.root
	cmd.Env = append(os.Environ(), "STORY="+play)
	text, err := cmd.CombinedOutput()
	out = string(text)
	switch {
	case ctx.Err() != nil:
		return false, out, ctx.Err()
	case err == nil:
		return true, out, nil
	case strings.Contains(out, "--- FAIL: TestStories"):
		return false, out, nil
	}
	return false, out, fmt.Errorf("go %s: %w\n%s", strings.Join(cmd.Args[1:], " "), err, out)
}

// tail returns the last n lines of what a failed test printed, without go test's own.
func tail(out string, n int) string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(out), "\n") {
		own := strings.HasPrefix(line, "FAIL") || strings.HasPrefix(strings.TrimSpace(line), "--- FAIL")
		if !own {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
