package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/repo"
)

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
		{skeletons, "docs/4-indexer.md", "## What holds", "## What is true"},
		{skeletons, "docs/5-processor.md", "[processor]", "processor"},
		{skeletons, "docs/9-from-here-to-client-go.md", " to do.*", ".*"},
		{boxes, "docs/3-deltafifo.md", "> **In client-go.**", "> In client-go,"},
		{boxes, "docs/3-deltafifo.md", "## What holds", "As in client-go.\n\n## What holds"},
		{boxes, "docs/3-deltafifo.md", tree.files["docs/3-deltafifo.md"],
			tree.files["docs/3-deltafifo.md"] + "\nMore.\n"},
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
		{reading, "docs/0-the-map.md", "(../processor/pop.go)", "(../processor/run.go)"},
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
		{rings, "processor/ring.go", "package processor\n", "package processor\n\n// Other.\n"},
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
		{sleeps, "key_test.go", "\n\tassert", "\n\ttime.Sleep(1)\n\tassert"},
		{followed, "indexer/testdata/99_a_new_one.story", "", "add a\n----\n"},
		{followed, "indexer/testdata/99_a_new_one.story", "", "# Why.\n" + strings.Repeat("add a\n\n", 13)},
		{numbered, "indexer/testdata/99_a_new_one.story", "", "# Why.\nadd a\n----\n"},
		{numbered, "indexer/a_new_test.go", "", "package indexer\n\nfunc TestFirst() {}\n"},
		{templates, "indexer/testdata/99_a_new_one.story", "", "# Why.\ndance a\n----\n"},
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
