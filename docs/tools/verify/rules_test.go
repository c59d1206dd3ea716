package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/repo"
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
	{imports, "declare what you need as a small interface of your own, and let informer pass it in; " +
		"give a new package a row of mayImport in docs/tools/verify/house_test.go.", checkImports},
	{module, "write the few lines that you need: everything here is built from scratch.", checkModule},
	{top, "move the file into its package; put what a tool leaves behind into .gitignore.", checkTop},
	{shapes, "move the second idea of a file to a file of its own; make a function of a part that " +
		"can be named; break the line.", checkShapes},
	{docs, "say what it is, smallest use, what zero or nil means, and what breaks otherwise.", checkDocs},
	{followed, "cut the story in two, write the sentence that says what to expect, or add a comment with " +
		"the command to the template: readers' own stories begin with it.", checkStories},
	{numbered, "rename the stories; let TestStories be the first test of a_story_test.go.", checkNumbers},
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

// TestDriftIsFound changes one text of the real repository, in memory, and checks that a rule
// notices. An old text of "" stands for a file that is new, a new one of "" for a file that is gone.
func TestDriftIsFound(t *testing.T) {
	tree, bitten := theRepo(t), map[string]bool{}
	for _, d := range []struct{ rule, file, old, drifted string }{
		{blocks, "docs/1-fakeapi.md", "\n0\n", "\n1\n"}, // the last chunk
		{blocks, "docs/1-fakeapi.md", `"type":"DELETED"`, `"type":"MODIFIED"`},
		{blocks, "docs/1-fakeapi.md", "HTTP/1.1 410 Gone", "HTTP/1.1 200 OK"},
		{blocks, "docs/1-fakeapi.md", `"reason":"Expired"`, `"reason":"Gone"`},
		{blocks, "docs/1-fakeapi.md", "$ curl -s -X DELETE", "$ curl -s -k -X DELETE"},
		{blocks, "docs/3-deltafifo.md", "\n▸ pop\n", "\n▸ push\n"},
		{blocks, "docs/2-reflector.md", "Streaming : opened", "Streaming : listed"},
		{blocks, "docs/2-reflector.md", "\tshort := f.elapsed < shortWatch\n", ""},
		{blocks, "docs/2-reflector.md", "\treturn Ended, f.err\n}\n", ""},
		{blocks, "docs/6-informer.md", "c.tell(n)", "c.notify(n)"},
		{blocks, "informer/process.go", "c.tell(n)", "c.notify(n)"},
		{upstream, "docs/5-processor.md", "1024 slots", "512 slots"},
		{upstream, upstreamPage, " | defaultSyncPeriod |", " |"},
		{upstream, upstreamPage, "reflector.go | handleAnyWatch", "reflector.go | the loop"},
		{upstream, upstreamPage, "| k8s.io/utils@", "| k8s.io/utilities@"},
		{upstream, "docs/b-cost.md", "\n## What each", "\n> **In client-go.** More.\n\n## What each"},
		{spoilers, "docs/3-deltafifo.md", "(workshop/3_2_missing/README.md)", "(workshop/README.md)"},
		{spoilers, "docs/0-the-map.md", "## Three words",
			"<!-- source: deltafifo/replace.go#DeltaFIFO.Replace -->\n```go\n…\n```\n\n## Three words"},
		{questions, "docs/2-reflector.md", "Predict 5.", "Predict 6."},
		{questions, "docs/6-informer.md", "<details><summary>Answer</summary>", "Answer:"},
		{links, "docs/4-indexer.md", tree.files["docs/4-indexer.md"], ""},
		{links, "docs/0-the-map.md", "(1-fakeapi.md", "(1-fakeapi.md#nowhere"},
		{found, "docs/notes.md", "", "# Notes\n"},
		{found, "indexer/testdata/99_a_new_one.story", "", "# Why.\nadd a\n----\n"},
		{found, "docs/4-indexer.md", "../indexer/doc.go", "../indexer"},
		{found, "docs/5-processor.md", "../processor/doc.go", "../indexer/doc.go"},
		{origins, "README.md", "<!-- source:", "<!-- sorce:"},
		{origins, "docs/3-deltafifo.md", "<!-- story:", "<!-- stroy:"},
		{origins, "docs/3-deltafifo.md", "<!-- story:", "<!-- source: a.go -->\n\nIt is:\n\n<!-- story:"},
		{inFont, "docs/e-dictionary.md", "`DeltaFIFO.Pop`", "`deltafifo.DeltaFIFO.Take`"},
		{inFont, "docs/c-nothing-gets-lost.md", "`Test", "`TestNo"},
		{links, "docs/8-seven-myths.md", "TestStories/11_a_resync", "TestStories/11_the_resync"},
		{dictionary, "docs/e-dictionary.md", "`DeltaFIFO.Pop`", "`DeltaFIFO.Take`"},
		{dictionary, "deltafifo/new.go", "", "package deltafifo\n\nfunc Take() {}\n"},

		{imports, "indexer/new.go", "", "package indexer\n\nimport _ \"" + repo.Module + "/deltafifo\"\n"},
		{imports, "fakeapi/new.go", "", "package fakeapi\n\nimport _ \"" + repo.Module + "\"\n"},
		{imports, "informer/new.go", "", "package informer\n\nimport _ \"" + testify + "/assert\"\n"},
		{imports, "informer/new_test.go", "", "package informer\n\nimport _ \"k8s.io/klog\"\n"},
		{imports, "sockets/new.go", "", "package sockets\n\nimport _ \"" + repo.Module + "\"\n"},
		{module, "go.mod", "\ngo ", "\nrequire golang.org/x/sync v0.9.0\n\ngo "},
		{module, "go.sum", "github.com/", "k8s.io/"},
		{top, "pkg/new.go", "", "package pkg\n"},
		{shapes, "indexer/new.go", "", "package indexer\n" + strings.Repeat("\n", maxFileLines)},
		{shapes, "indexer/new.go", "", "package indexer\n\n// " + strings.Repeat("e", maxColumns-2)},
		{shapes, "indexer/new.go", "", "package indexer\n\nfunc f() {\n" + strings.Repeat("\n", 59) + "}\n"},
		{docs, "indexer/doc.go", "// Package indexer ", "// This "},
		{docs, "sockets/new.go", "", "package sockets\n"},
		{docs, "indexer/new.go", "", "package indexer\n\nfunc (*Indexer) M() {}\n"},
		{docs, "indexer/new.go", "", "package indexer\n\nconst (\n\tA = 1\n)\n"},
		{docs, "indexer/new.go", "", "package indexer\n\n// Options.\ntype Options struct{ A int }\n"},
		{followed, "indexer/testdata/99_a_new_one.story", "", "add a\n----\n"},
		{followed, "indexer/testdata/99_a_new_one.story", "", "# Why.\n" + strings.Repeat("add a\n\n", 13)},
		{numbered, "indexer/testdata/99_a_new_one.story", "", "# Why.\nadd a\n----\n"},
		{numbered, "indexer/testdata/story.template", tree.files["indexer/testdata/story.template"], ""},
		{numbered, "indexer/a_new_test.go", "", "package indexer\n\nfunc TestFirst() {}\n"},
		{followed, "indexer/testdata/99_a_new_one.story", "", "# Why.\ndance a\n----\n"},
	} {
		text := d.drifted
		if d.old != "" {
			require.True(t, strings.Contains(tree.files[d.file], d.old),
				"%s has no %q any more: change another text in this test", d.file, d.old)
			text = strings.Replace(tree.files[d.file], d.old, d.drifted, 1)
		}
		r := rules[slices.IndexFunc(rules, func(r rule) bool { return r.promise == d.rule })]
		assert.NotEmpty(t, r.findings(tree.with(d.file, text)),
			"%s: %q becomes %q, and the rule does not notice: %s", d.file, d.old, d.drifted, d.rule)
		bitten[d.rule] = true
	}
	for _, r := range rules {
		assert.True(t, bitten[r.promise], "nothing here breaks the rule: %s", r.promise)
	}
}

func TestRewritingBringsAPageUpToDate(t *testing.T) {
	tree := theRepo(t)
	for _, d := range [][3]string{
		{"docs/1-fakeapi.md", `"reason":"Expired"`, `"reason":"Gone"`},
		{"docs/3-deltafifo.md", "\n▸ pop\n", "\n▸ push\n"},
		{"docs/2-reflector.md", "Streaming : opened", "Streaming : listed"},
	} {
		drifted := tree.with(d[0], strings.Replace(tree.files[d[0]], d[1], d[2], 1))
		assert.True(t, tree.files[d[0]] == drifted.rewritten(drifted.page(d[0])), "%s: %s", d[0], d[2])
	}
}
