package bench

import (
	_ "embed" // for the changes
	"path"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

//go:embed whatif.txt
var changes string

// A Trial is a change that a chapter proposes, with a prediction to be made first.
type Trial struct {
	Title, Ask string
	Chapter    string // its file
	Dir, File  string // what is changed
	Breaks     string // a part of what the workbench says then
	Edits      []repo.Edit
	OfSolution bool // the file is that of an exercise, solved
}

// Trials returns all changes to try, in the order of the chapters.
func Trials() (all []Trial, err error) {
	patches, err := repo.Patches(changes)
	for _, p := range patches {
		all = append(all, Trial{
			p.Name, p.About["ask"], p.About["chapter"], path.Dir(p.About["file"]), p.About["file"],
			p.About["breaks"], p.Edits, strings.HasPrefix(p.About["file"], "docs/workshop/"),
		})
	}
	return all, err
}

// Judge returns the arguments of the judge for the tests of a folder.
func Judge(dir string) string {
	if slices.Contains(Stages, dir) {
		return "stage " + dir
	}
	return strings.Join([]string{"exercise", idOf(dir), path.Base(dir)[4:], dir}, " ")
}

// Apply returns the file with the change, and as it is before.
func (t Trial) Apply(tree *repo.Tree) (before, after string, err error) {
	before = tree.Read(t.File)
	if t.OfSolution {
		if before, err = solution(tree, t.Dir); err != nil {
			return "", "", err
		}
	}
	after, err = repo.Patch{Name: t.Title, Edits: t.Edits}.Apply(before)
	return before, after, err
}

// mutants are the broken stages of the workshop's finale.
const mutants = "docs/workshop/finale/testdata/mutants.txt"

// brokenStages returns the broken files of the finale, by the letters of their reports.
func brokenStages(tree *repo.Tree) (map[string]map[string]string, error) {
	patches, err := repo.Patches(tree.Read(mutants))
	broken := map[string]map[string]string{}
	for _, p := range patches {
		text, failed := p.Apply(tree.Read(p.About["file"]))
		if failed != nil {
			return nil, failed
		}
		broken[p.Name] = map[string]string{p.About["file"]: text}
	}
	return broken, err
}
