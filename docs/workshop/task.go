package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/workshop/exercise"
)

// A task is one exercise: a directory such as 3_2_missing.
type task struct {
	stage    int
	id, name string // 3.2, missing
	dir      string // absolute
	bodies   int    // how many its stub has; 0 for one
}

// stages are the rows of the board: what the first number of an exercise means.
var stages = []string{
	1: "fakeapi", 2: "reflector", 3: "deltafifo", 4: "indexer", 5: "processor", 6: "informer",
	7: "workqueue",
}

// bodies are the exercises with more than one body to write, and how many.
var bodies = map[string]int{"2.2": 2, "3.3": 4, "4.1": 2, "5.1": 2, "6.2": 2, "7.1": 5}

// half are the exercises of half a day. The pipe needs them all.
var half = []string{"1.2", "2.1", "3.1", "3.2", "5.2", "6.1"}

// tasks returns the exercises in their order, which is that of the directories' names.
func (w workshop) tasks() (all []task, err error) {
	dirs, err := filepath.Glob(filepath.Join(w.dir(), "[1-7]_[1-9]_*"))
	for _, dir := range dirs {
		name := filepath.Base(dir)
		id := name[:1] + "." + name[2:3]
		all = append(all, task{int(name[0] - '0'), id, name[4:], dir, bodies[id]})
	}
	return all, err
}

// onTrack returns the exercises of the track in their order.
func (w workshop) onTrack() ([]task, error) {
	all, err := w.tasks()
	isLeftOut := func(t task) bool { return w.track == "half" && !slices.Contains(half, t.id) }
	return slices.DeleteFunc(all, isLeftOut), err
}

// find returns the exercise that a person calls 3.2, 3_2 or missing.
func (w workshop) find(called string) (task, error) {
	all, err := w.tasks()
	if err != nil {
		return task{}, err
	}
	var ids []string
	for _, t := range all {
		if slices.Contains([]string{t.id, t.name, t.folder(), t.folder()[:3]}, called) {
			return t, nil
		}
		ids = append(ids, t.id)
	}
	return task{}, fmt.Errorf("there is no exercise %q; there are %s", called, strings.Join(ids, ", "))
}

// folder returns the name of the folder, 3_2_missing.
func (t task) folder() string { return filepath.Base(t.dir) }

// stub returns the file in which the learner writes.
func (t task) stub() string { return filepath.Join(t.dir, t.name+".go") }

// open returns what is still to be written in the stub. A stub that does not parse counts as
// written: the compiler says what is wrong with it.
func (t task) open() ([]exercise.TODO, error) {
	source, err := os.ReadFile(t.stub())
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: git restore brings %s.go back", fs.ErrNotExist, t.name)
	}
	if err != nil {
		return nil, err
	}
	todos, err := exercise.TODOs(string(source))
	if err != nil {
		return nil, nil
	}
	return todos, nil
}

// isGiven reports whether make solve has written what is in the stub.
func (t task) isGiven() bool {
	source, _ := os.ReadFile(t.stub())
	return strings.Contains(string(source), givenMark)
}

// readText reads a file. Editors and git may have given it the line ends of Windows.
func readText(file string) (string, error) {
	text, err := os.ReadFile(file)
	return strings.ReplaceAll(string(text), "\r\n", "\n"), err
}

// A patch replaces lines of a file. The first patch of an exercise turns the stub into the
// solution, and each other one turns the solution into a wrong answer. In the finale, a patch is a
// mutant: it breaks a stage.
type patch = repo.Patch

// readPatches reads a file of patches.
func readPatches(file string) (all []patch, err error) {
	text, err := readText(file)
	if err != nil {
		return nil, err
	}
	if all, err = repo.Patches(text); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return all, nil
}

// tempDir writes files into a new directory. The caller removes it, also after an error.
func tempDir(files map[string]string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "workshop"); err != nil {
		return "", err
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o700),
			os.WriteFile(file, []byte(text), 0o600))
	}
	return dir, err
}

// overlay makes a file for go test -overlay that lays texts over files. The caller removes dir,
// also after an error.
func overlay(texts map[string]string) (dir, file string, err error) {
	files, replace := map[string]string{}, map[string]string{}
	for path, text := range texts {
		files[filepath.Base(path)] = text
	}
	dir, err = tempDir(files)
	for path := range texts {
		replace[path] = filepath.Join(dir, filepath.Base(path))
	}
	text, _ := json.Marshal(map[string]any{"Replace": replace}) // strings can't fail
	file = filepath.Join(dir, "overlay.json")
	return dir, file, errors.Join(err, os.WriteFile(file, text, 0o600))
}
