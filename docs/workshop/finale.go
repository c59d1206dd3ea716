package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// finale plays the learner's story for a mutant on the correct stage and on the broken one. accept
// first writes into the story what the correct stage shows.
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
			m.Name, w.relative(filepath.Join(w.finaleDir(), "README.md")), m.About["stage"], short)
		return nil
	}
	if accept {
		if err := w.accept(ctx, m, file); err != nil {
			return err
		}
	}
	text, err := readText(file)
	if err != nil {
		return err
	}
	if some, err := promises(text); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	} else if !some {
		fmt.Fprint(w.out, nothingYet("make finale M="+m.Name+" ACCEPT=1"))
		return nil
	}
	if accept {
		fmt.Fprintf(w.out, "  %s now holds what the stage shows. Read it: it is what you claim.\n",
			w.relative(file))
	}
	exposed, verdict, err := w.expose(ctx, m, file)
	if err == nil {
		fmt.Fprintln(w.out, verdict)
	}
	if exposed {
		w.remember(m.Name, w.digest(m))
	}
	return err
}

// accept writes what the stage shows under each ---- of the story. A command that stands directly
// below ---- would be taken for a part of the state. Then it leaves the file as it was.
func (w workshop) accept(ctx context.Context, m patch, file string) error {
	before, err := readText(file)
	if err != nil {
		return err
	}
	held, out, err := w.playStory(ctx, m.About["stage"], "accept:"+file)
	if err != nil {
		return err
	}
	if !held {
		return fmt.Errorf("the stage can't play the story:\n%s", out)
	}
	after, err := readText(file)
	if err != nil {
		return err
	}
	template, err := readText(filepath.Join(w.root, m.About["stage"], "testdata", "story.template"))
	if err != nil {
		return err
	}
	if at, command := swallowed(before, after, template); at > 0 {
		err := fmt.Errorf("%s:%d: %q stands directly below ----, so it would be replaced by the state: "+
			"put a blank line above it, or delete it", w.relative(file), at, command)
		return errors.Join(err, os.WriteFile(file, []byte(before), 0o644))
	}
	return nil
}

var commands = regexp.MustCompile(`(?m)(?:^//\t|also:? |, )([a-z][a-z-]*)|^([a-z][a-z-]*)`)

// swallowed returns the first line of a story that is gone, and begins like a command of the
// stage's template, with its number; 0 if there is none.
func swallowed(before, after, template string) (at int, line string) {
	known := map[string]bool{"wait": true}
	for _, match := range commands.FindAllStringSubmatch(template, -1) {
		known[match[1]+match[2]] = true
	}
	left := strings.Split(after, "\n")
	for i, line := range strings.Split(before, "\n") {
		name, _, _ := strings.Cut(line, " ")
		if known[name] && !slices.Contains(left, strings.TrimRight(line, " \t")) {
			return i + 1, line
		}
	}
	return 0, ""
}

// stateOf returns how far a mutant is: whether there is a story, and whether it was exposed by this
// story on this stage. The board plays no story: that takes the compiler a while.
func (w workshop) stateOf(m patch) string {
	if _, err := os.Stat(w.storyOf(m)); err != nil {
		return open
	}
	if exposed, _ := os.ReadFile(w.memory(m.Name)); string(exposed) == w.digest(m) {
		return solved
	}
	return tried
}

// digest changes with the story, the mutant and the file of the stage.
func (w workshop) digest(m patch) string {
	story, _ := os.ReadFile(w.storyOf(m))
	stage, _ := os.ReadFile(filepath.Join(w.root, filepath.FromSlash(m.About["file"])))
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, string(story), m.Edits, string(stage))))
}

// storyOf returns the path of the learner's story.
func (w workshop) storyOf(m patch) string {
	return filepath.Join(w.finaleDir(), strings.ToLower(m.Name)+".story")
}

func (w workshop) mutant(name string) (patch, error) {
	all, err := w.mutants()
	if err != nil {
		return patch{}, err
	}
	var names []string
	for _, m := range all {
		if strings.EqualFold(m.Name, name) {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return patch{}, fmt.Errorf("there is no mutant %q; there are %s", name, strings.Join(names, ", "))
}

// expose plays a story on the correct stage and on the broken one, several times each: what
// differs from run to run exposes nothing. It returns whether the story exposes the mutant, and
// that in a sentence with the lines behind it.
func (w workshop) expose(ctx context.Context, m patch, file string) (
	exposed bool, verdict string, err error,
) {
	held, out, err := w.playStory(ctx, m.About["stage"], "compare:"+file, times)
	if err != nil {
		return false, "", err
	}
	if wrong := onStage(held, out); wrong != "" {
		return false, wrong, nil
	}
	held, out, err = w.playBroken(ctx, m, "compare:"+file, times)
	if err != nil {
		return false, "", err
	}
	verdict, exposed = onMutant(held, out)
	return exposed, verdict, nil
}

var times = fmt.Sprint("-count=", runs)

func (w workshop) finaleDir() string { return filepath.Join(w.dir(), "finale") }

// mutants returns the mutants of the stages, in the order of their names.
func (w workshop) mutants() ([]patch, error) {
	return readPatches(filepath.Join(w.finaleDir(), "testdata", "mutants.txt"))
}

// playBroken plays one story on the stage with the mutant in it.
func (w workshop) playBroken(ctx context.Context, m patch, play string, flags ...string) (
	held bool, out string, err error,
) {
	file := filepath.Join(w.root, filepath.FromSlash(m.About["file"]))
	source, err := readText(file)
	if err != nil {
		return false, "", err
	}
	broken, err := m.Apply(source)
	if err != nil {
		return false, "", fmt.Errorf("%s: %w", file, err)
	}
	dir, lay, err := overlay(map[string]string{file: broken})
	defer os.RemoveAll(dir)
	if err != nil {
		return false, "", err
	}
	return w.playStory(ctx, m.About["stage"], play, append(flags, "-overlay", lay)...)
}

// playStory plays one story on a stage; play is a value of STORY. It returns whether the story
// held, and what was printed.
// The error is for what has nothing to do with the story: the stage does not compile, for example.
func (w workshop) playStory(ctx context.Context, stage, play string, flags ...string) (
	held bool, out string, err error,
) {
	args := []string{"test", "-count=1", "-vet=off", "-timeout=1m", "-run=^TestStories$"}
	cmd := exec.CommandContext(ctx, "go", append(append(args, flags...), "./"+stage)...)
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
