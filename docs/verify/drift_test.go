package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDriftOfTheRealPagesIsFound changes one text of the real repository, in memory, and checks
// that a rule notices. The bites in the other files are about small trees.
func TestDriftOfTheRealPagesIsFound(t *testing.T) {
	repo := theRepo(t)
	rules := map[string]rule{}
	for _, r := range allRules() {
		rules[r.name] = r
	}
	for _, d := range []struct {
		rule, file, old, drifted string
	}{
		{curls, "docs/1-fakeapi.md", "\n0\n", "\n1\n"}, // the last chunk
		{curls, "docs/1-fakeapi.md", `"type":"DELETED"`, `"type":"MODIFIED"`},
		{curls, "docs/1-fakeapi.md", "HTTP/1.1 410 Gone", "HTTP/1.1 200 OK"},
		{curls, "docs/1-fakeapi.md", `"reason":"Expired"`, `"reason":"Gone"`},
		{skeletons, "docs/4-indexer.md", "## What holds", "## What is true"},
		{skeletons, "docs/5-processor.md", "[processor]", "processor"},
		{lengths, "docs/8-seven-myths.md", "## What holds\n", "## What holds\n" + someWords(1500)},
		{lengths, "docs/6-informer.md", "## What holds\n", "## What holds\n" + someExcerpts(4)},
		{questions, "docs/2-reflector.md", "Predict 5.", "Predict 6."},
		{questions, "docs/6-informer.md", "<details><summary>Answer</summary>", "Answer:"},
		{facilitator, "docs/7-when-things-break.md", "> **Predict 17.** ", "> **Predict 17.** Well: "},
		{pagesThere, "docs/4-indexer.md", "", ""},
		{storiesShown, "indexer/testdata/99_a_new_one.story", "", "# Why.\nadd a\n----\n"},
		{introducing, "docs/4-indexer.md", "../indexer/doc.go", "../indexer"},
		{introducing, "docs/5-processor.md", "../processor/doc.go", "../indexer/doc.go"},
		{links, "docs/0-the-map.md", "(1-fakeapi.md", "(1-fakeapi.md#nowhere"},
		{printed, "docs/3-deltafifo.md", "\n▸ pop\n", "\n▸ push\n"},
		{excerpts, "docs/0-the-map.md", "c.tell(n)", "c.notify(n)"},
		{reading, "docs/0-the-map.md", "(../processor/pop.go)", "(../processor/run.go)"},
		{programs, "README.md", "pod.GetName()", "pod.GetNam()"},
		{excerpts, "informer/process.go", "c.tell(n)", "c.notify(n)"},
		{dictionary, "docs/9-from-here-to-client-go.md", "`DeltaFIFO.Pop`", "`DeltaFIFO.Take`"},
	} {
		name := fmt.Sprintf("%s: %q becomes %q", d.file, d.old, d.drifted)
		text := strings.Replace(repo.files[d.file], d.old, d.drifted, 1)
		if d.drifted != "" && text == repo.files[d.file] {
			t.Errorf("%s: the file does not have this text any more; change another one in this test", name)
			continue
		}
		drifted := repo.with(d.file, text, d.drifted == "")
		assert.NotEmpty(t, rules[d.rule].check(drifted), "%s: the rule %q does not notice", name, d.rule)
	}
}

// with is the tree with another text in one file, or without the file.
func (t *tree) with(name, text string, without bool) *tree {
	changed := &tree{outside: t.outside, files: maps.Clone(t.files), dirs: maps.Clone(t.dirs)}
	changed.goFiles = slices.DeleteFunc(slices.Clone(t.goFiles), func(f *goFile) bool { return f.path == name })
	changed.pages = slices.DeleteFunc(slices.Clone(t.pages), func(p *page) bool { return p.path == name })
	delete(changed.files, name)
	if !without {
		changed.add(name, text)
	}
	return changed
}
