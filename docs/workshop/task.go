package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/watchglass/docs/workshop/exercise"
)

// A task is one exercise: a directory such as 3_2_missing.
type task struct {
	stage, number int
	name          string // missing
	dir           string // absolute
}

// stages are the rows of the board: what the first number of an exercise means.
var stages = []string{
	1: "fakeapi", 2: "reflector", 3: "deltafifo", 4: "indexer", 5: "processor", 6: "informer",
	7: "workqueue",
}

var taskDir = regexp.MustCompile(`^([1-9])_([1-9])_([a-z]+)$`)

// tasks returns the exercises in their order, which is that of the directories' names.
func (w workshop) tasks() ([]task, error) {
	entries, err := os.ReadDir(w.dir())
	if err != nil {
		return nil, err
	}
	var all []task
	for _, e := range entries {
		match := taskDir.FindStringSubmatch(e.Name())
		if match == nil {
			continue
		}
		stage, _ := strconv.Atoi(match[1])
		number, _ := strconv.Atoi(match[2])
		if stage >= len(stages) {
			return nil, fmt.Errorf("%s: there is no stage %d", e.Name(), stage)
		}
		all = append(all, task{stage, number, match[3], filepath.Join(w.dir(), e.Name())})
	}
	return all, nil
}

// find returns the exercise that a person calls 3.2, 3_2 or missing.
func (w workshop) find(called string) (task, error) {
	all, err := w.tasks()
	if err != nil {
		return task{}, err
	}
	i := slices.IndexFunc(all, func(t task) bool {
		return called == t.id() || called == t.name ||
			called == t.folder() || called == strings.ReplaceAll(t.id(), ".", "_")
	})
	if i < 0 {
		return task{}, fmt.Errorf("there is no exercise %q; there are %s", called, ids(all))
	}
	return all[i], nil
}

func ids(all []task) string {
	var names []string
	for _, t := range all {
		names = append(names, t.id())
	}
	return strings.Join(names, ", ")
}

// id is how people call the exercise: 3.2.
func (t task) id() string { return fmt.Sprintf("%d.%d", t.stage, t.number) }

// folder is 3_2_missing.
func (t task) folder() string { return filepath.Base(t.dir) }

// stub is the file in which the learner writes.
func (t task) stub() string { return filepath.Join(t.dir, t.name+".go") }

func (t task) solution() string { return filepath.Join(t.dir, "testdata", "solution.go") }

// openAt returns the line of the stub where the body is still to be written, 0 if it is written.
// A stub that does not parse counts as written: the compiler says what is wrong with it.
func (t task) openAt() (int, error) {
	source, err := os.ReadFile(t.stub())
	if err != nil {
		return 0, err
	}
	line, err := exercise.FirstTODO(string(source))
	if err != nil {
		return 0, nil
	}
	return line, nil
}
