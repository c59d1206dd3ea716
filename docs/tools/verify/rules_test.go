package verify

import (
	"fmt"
	"testing"
)

// A rule is a promise about the repository, with the function that reports where it is broken.
type rule struct {
	promise string
	remedy  string // what an author should do about a finding
	check   func(*tree, report)
}

// A report takes one finding. Lines are counted from 1; line 0 stands for the whole file.
type report func(file string, line int, format string, args ...any)

var rules = []rule{
	{blocks, "STORY=rewrite go test ./docs/tools/verify writes stories, diagrams and what commands print; " +
		"then read the difference. Copy excerpts of code by hand: your change is fine, it is the " +
		"page that is out of date. A line with only … stands for lines left out.", checkBlocks},
	{origins, "put <!-- source: file#Name --> above the block; an Example is a good source.", checkOrigins},
	{folded, "put the story into the fold of the answer, or below the next heading.", checkFolded},
	{played, "write the name that the story's file has now.", checkPlayed},
	{inFont, "use the name that the code has now. Write a name of client-go with its path, as in " +
		"`util/workqueue.Interface`: such names are not checked.", checkNames},
	{upstream, "read the source, then write into the row what the page says now; see " + upstreamPage +
		".", checkUpstream},
	{found, "link to the page, to the file with the package's doc comment, or to the story from a chapter, " +
		"or quote the story.", checkFound},
	{dictionary, "put the name into the table of its package, in the first cell, in code font: Name " +
		"or Type.Method; the second cell is its name in client-go, or –.", checkDictionary},
	{imports, "declare what you need as a small interface of your own, and let informer pass it in; " +
		"give a new package a row of mayImport in docs/tools/verify/house_test.go.", checkImports},
	{module, "write the few lines that you need: everything here is built from scratch.", checkModule},
	{top, "move the file into its package; put what a tool leaves behind into .gitignore.", checkTop},
	{named, "name the file that has it now, or the declaration: paths begin at the top or in the package.", checkNamedFiles},
}

func TestTheRepositoryKeepsEveryRule(t *testing.T) {
	tree := theRepo(t)
	for _, r := range rules {
		t.Run(r.promise, func(t *testing.T) {
			r.check(tree, func(file string, line int, format string, args ...any) {
				t.Errorf("%s:%d: %s\n\tWhat to do: %s", file, line, fmt.Sprintf(format, args...), r.remedy)
			})
		})
	}
}
