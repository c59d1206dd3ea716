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
	{links, "mend the path; an anchor is the heading in small letters, with - for spaces.", checkLinks},
	{inFont, "use the name that the code has now. Write a name of client-go with its path, as in " +
		"`util/workqueue.Interface`: such names are not checked.", checkNames},
	{skeletons, "write ## " + "The problem, and the others as in docs/tools/verify/chapters_test.go; the " +
		"strip stands in the first block, with the chapter's own stage in brackets.", checkSkeletons},
	{boxes, "take it into the box, if it surprises, or else to chapter 9 or appendix E.", checkBoxes},
	{spoilers, "above the code, write: **Write it now:** and a link to the exercise; fold the code.",
		checkSpoilers},
	{upstream, "read the source, then write into the row what the page says now; see " + upstreamPage +
		".", checkUpstream},
	{questions, "write > **Predict 7.** and the question, a blank line, <details><summary>Answer" +
		"</summary>, a blank line, the answer, and </details>; number the questions anew.", checkQuestions},
	{found, "link to the page, to the file with the package's doc comment, or to the story from a chapter, " +
		"or quote the story.", checkFound},
	{dictionary, "put the name into the table of its package, in the first cell, in code font: Name " +
		"or Type.Method; the second cell is its name in client-go, or –.", checkDictionary},
	{reading, "give the files in README.md the order of the table in " + mapPage + ".", checkReading},

	{imports, "declare what you need as a small interface of your own, and let informer pass it in; " +
		"give a new package a row of mayImport in docs/tools/verify/imports_test.go.", checkImports},
	{rings, "copy the file to the other packages, and change only the package clause.", checkRings},
	{module, "write the few lines that you need: everything here is built from scratch.", checkModule},
	{top, "move the file into its package; put what a tool leaves behind into .gitignore.", checkTop},
	{shapes, "move the second idea of a file to a file of its own; make a function of a part that " +
		"can be named; break the line.", checkShapes},
	{docs, "say what it is, smallest use, what zero or nil means, and what breaks otherwise.", checkDocs},
	{sleeps, "run the test in synctest.Test, or wait for the event itself.", checkSleeps},
	{followed, "cut the story in two, or write the sentence that says what to expect.", checkStories},
	{numbered, "rename the stories; let TestStories be the first test of a_story_test.go.", checkNumbers},
	{templates, "add a comment with the command: readers' own stories begin with it.", checkTemplates},
}

func (r rule) findings(t *tree) (found []string) {
	r.check(t, func(file string, line int, format string, args ...any) {
		if line > 0 {
			file = fmt.Sprintf("%s:%d", file, line)
		}
		found = append(found, file+": "+fmt.Sprintf(format, args...))
	})
	return found
}

func TestTheRepositoryKeepsEveryRule(t *testing.T) {
	tree := theRepo(t)
	for _, r := range rules {
		t.Run(r.promise, func(t *testing.T) {
			for _, found := range r.findings(tree) {
				t.Errorf("%s\n\tWhat to do: %s", found, r.remedy)
			}
		})
	}
}
