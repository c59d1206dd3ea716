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

// A rule is a promise about the repository, with the function that finds where it is broken.
type rule struct {
	name    string
	promise string
	remedy  string // what an author should do about a finding
	check   func(*tree) []finding
}

// A finding is a place where a rule is broken.
type finding struct {
	file string
	line int // from 1; 0: the whole file
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
		facilitatorRules, testNameRules, importRules, shapeRules, mannerRules, completeRules} {
		rules = append(rules, some...)
	}
	return rules
}

func TestTheRepositoryKeepsEveryRule(t *testing.T) {
	repo := theRepo(t)
	for _, r := range allRules() {
		t.Run(r.name, func(t *testing.T) {
			for _, f := range r.check(repo) {
				t.Errorf("%s\n\tThe promise: %s\n\tWhat to do:  %s", f, r.promise, r.remedy)
			}
		})
	}
}

// theRepo is the repository of this file. The first call reads it.
func theRepo(t *testing.T) *tree {
	t.Helper()
	if repo == nil {
		repo = readRepo(t)
	}
	mine := *repo
	mine.inBubble = bubblesOf(t)
	return &mine
}

var repo *tree // nil until it is read

// readRepo reads every file. Under STORY=rewrite it first brings the pages up to date with what
// they quote.
func readRepo(t *testing.T) *tree {
	t.Helper()
	top := moduleRoot(t)
	world := outside{run: runIn(top), vet: vetIn(top), diagrams: diagrams, inBubble: bubblesOf(t)}
	repo, err := readTree(os.DirFS(top), world)
	require.NoError(t, err)
	if os.Getenv("STORY") != "rewrite" {
		return repo
	}
	for _, p := range repo.pages {
		if text := repo.rewritten(p); text != repo.files[p.path] {
			name := filepath.Join(top, filepath.FromSlash(p.path))
			require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		}
	}
	repo, err = readTree(os.DirFS(top), world)
	require.NoError(t, err)
	return repo
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
