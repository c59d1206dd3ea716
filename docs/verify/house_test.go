package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/story"
)

// A rule is a promise of the house, with the function that finds where it is broken.
type rule struct {
	name    string
	promise string
	remedy  string // what to do about a finding, for an author who only meant to change a line
	check   func(*tree) []finding
}

// A finding is a place where a rule is broken.
type finding struct {
	file string
	line int // from 1; 0 where the file as a whole is meant
	what string
}

func (f finding) String() string {
	if f.line == 0 {
		return fmt.Sprintf("%s: %s", f.file, f.what)
	}
	return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.what)
}

func allRules() []rule {
	var rules []rule
	for _, some := range [][]rule{pageRules, programRules, readingRules, curlRules, chapterRules, dictionaryRules,
		facilitatorRules, testNameRules, roomRules, shapeRules, mannerRules, completeRules} {
		rules = append(rules, some...)
	}
	return rules
}

func TestTheHouse(t *testing.T) {
	house := theHouse(t)
	for _, r := range allRules() {
		t.Run(r.name, func(t *testing.T) {
			for _, f := range r.check(house) {
				t.Errorf("%s\n\tThe promise: %s\n\tWhat to do:  %s", f, r.promise, r.remedy)
			}
		})
	}
}

// theHouse is the repository this file belongs to. The first test that asks reads it.
func theHouse(t *testing.T) *tree {
	t.Helper()
	if house == nil {
		house = readHouse(t)
	}
	mine := *house
	mine.inBubble = bubblesOf(t)
	return &mine
}

var house *tree // nil until it is read

// readHouse reads every file. Under STORY=rewrite it first brings the pages up to date with what
// they quote.
func readHouse(t *testing.T) *tree {
	t.Helper()
	top := moduleRoot(t)
	world := outside{run: runIn(top), vet: vetIn(top), diagrams: diagrams, inBubble: bubblesOf(t)}
	house, err := readTree(os.DirFS(top), world)
	require.NoError(t, err)
	if os.Getenv("STORY") != "rewrite" {
		return house
	}
	for _, p := range house.pages {
		if text := house.rewritten(p); text != house.files[p.path] {
			name := filepath.Join(top, filepath.FromSlash(p.path))
			require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		}
	}
	house, err = readTree(os.DirFS(top), world)
	require.NoError(t, err)
	return house
}

func bubblesOf(t *testing.T) func(func()) {
	return func(f func()) { synctest.Test(t, func(*testing.T) { f() }) }
}

// moduleRoot is the nearest folder at or above this one that has a go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		require.NotEqual(t, dir, parent, "no go.mod in or above the folder of this test")
		dir = parent
	}
}

// storySteps reads the steps of a story in the tree.
func (t *tree) storySteps(path string) ([]story.Step, error) {
	text, ok := t.files[path]
	if !ok {
		return nil, fmt.Errorf("there is no story %s", path)
	}
	return story.Parse(text)
}
