// Package docs has no code, only this test: it reads the whole repository and holds it to what it
// says of itself.
//
// What a chapter quotes must be what the code says, what a story shows, what a command prints.
// What the rooms may know of each other is written down in rooms_test.go, how they are built in
// shape_test.go. A finding names the file and the line, the promise that is broken, and what to do;
// where the code is right and the page is behind, STORY=rewrite go test ./docs brings the page up
// to date.
//
// Each rule is a function from a tree of files to findings, so the laws of this package can feed it
// small trees that break it: see bite_test.go.
package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/story"
)

// A rule is a promise of the house, with the function that finds where it is broken.
type rule struct {
	name    string
	promise string
	remedy  string // what to do about a finding, for somebody who only meant to change a line
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
	for _, some := range [][]rule{pageRules, roomRules, shapeRules, mannerRules} {
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

// theHouse reads the repository this file belongs to. Under STORY=rewrite it first brings the pages
// up to date with what they quote.
func theHouse(t *testing.T) *tree {
	t.Helper()
	top := filepath.Clean("..")
	house, err := readTree(os.DirFS(top), outside{run: runIn(top), diagrams: diagrams})
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
	house, err = readTree(os.DirFS(top), outside{run: runIn(top), diagrams: diagrams})
	require.NoError(t, err)
	return house
}

// storySteps reads the steps of a story in the tree.
func (t *tree) storySteps(path string) ([]story.Step, error) {
	text, ok := t.files[path]
	if !ok {
		return nil, fmt.Errorf("there is no story %s", path)
	}
	return story.Parse(text)
}
