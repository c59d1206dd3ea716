package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	pagesThere   = "all chapters and appendices are there"
	storiesShown = "every story is shown by a chapter"
	introducing  = "every package is introduced by one chapter"
)

// goodPages are chapters and appendices that keep every rule. Chapter 0 introduces the packages of
// goodRepo and shows its story.
func goodPages() map[string]string {
	files := map[string]string{}
	for _, name := range allPages {
		files[name] = "# A page\n"
	}
	files[mapPage] = "# 0 · The map\n\nRead [the root](../doc.go), [the queue](../deltafifo/doc.go)\n" +
		"and [its story](../" + aStory + ").\n"
	for n, c := range chapters {
		i := slices.IndexFunc(allPages, func(name string) bool {
			return strings.HasPrefix(name, fmt.Sprintf("docs/%d-", n))
		})
		files[allPages[i]] = goodChapterOf(n, c)
	}
	files[dictionaryPage] += "\n### deltafifo\n\n| here | there |\n|---|---|\n" +
		"| `Queue`, `Queue.Pop`, `Pop`, `ErrClosed`, `ErrEmpty` | – |\n"
	return files
}

const mapPage = "docs/0-the-map.md"

func goodChapterOf(n int, c chapter) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %d · A chapter\n\n```text\n%s\n```\n", n,
		strings.Replace(strip, c.here, "["+c.here+"]", 1))
	for q := c.questions[0]; q <= c.questions[1]; q++ {
		fmt.Fprintf(&b, "\n> **Predict %d.** What\n> is %d?\n\n<details><summary>Answer</summary>\n\n"+
			"A number.\n</details>\n", q, q)
	}
	return b.String() + "\n## " + strings.Join(skeleton, "\n\n## ") + "\n"
}

// pagesWith are goodPages with changes.
func pagesWith(changes map[string]string) map[string]string {
	files := goodPages()
	maps.Copy(files, changes)
	return files
}

// changing are goodPages with one text on one page replaced by another.
func changing(name, old, by string) map[string]string {
	return pagesWith(map[string]string{name: strings.Replace(goodPages()[name], old, by, 1)})
}

var completeBites = []bite{
	{pagesThere, "a missing chapter is found", pagesWith(map[string]string{"docs/6-informer.md": ""}),
		[]string{"docs/6-informer.md: this page is missing"}},
	{pagesThere, "a page that is not listed is found",
		pagesWith(map[string]string{"docs/notes.md": "# Notes\n"}),
		[]string{"docs/notes.md: this page is not in the list of pages"}},
	{pagesThere, "folders may have other pages",
		pagesWith(map[string]string{"docs/tour/notes.md": "# Notes\n"}), nil},

	{storiesShown, "a story without a chapter is found",
		pagesWith(map[string]string{"indexer/testdata/a_claim.story": "pop\n"}),
		[]string{"indexer/testdata/a_claim.story: no chapter shows this story"}},
	{storiesShown, "a link from an appendix is not enough",
		pagesWith(map[string]string{"indexer/testdata/a_claim.story": "pop\n",
			"docs/a-glossary.md": "# A\n\n[it](../indexer/testdata/a_claim.story)\n"}),
		[]string{"indexer/testdata/a_claim.story: no chapter shows this story"}},
	{storiesShown, "a quotation in a chapter is enough",
		pagesWith(map[string]string{"indexer/testdata/a_claim.story": "pop\n",
			mapPage: goodPages()[mapPage] +
				"\n<!-- story: indexer/testdata/a_claim.story#1 -->\n```\n```\n"}),
		nil},
	{storiesShown, "the stories of docs/story need no chapter",
		pagesWith(map[string]string{"docs/story/testdata/a_b.story": "pop\n"}), nil},

	{introducing, "a package without a chapter is found",
		pagesWith(map[string]string{"indexer/doc.go": "// Package indexer is a cache.\npackage indexer\n"}),
		[]string{"indexer/doc.go: no chapter introduces this package"}},
	{introducing, "a package that two chapters introduce is found",
		changing("docs/3-deltafifo.md", "## The code\n", "## The code\n\n[it](../deltafifo/doc.go)\n"),
		[]string{"docs/3-deltafifo.md: deltafifo/doc.go is linked by docs/0-the-map.md as well"}},
	{introducing, "any chapter may link to a package's folder and its other files",
		changing("docs/3-deltafifo.md",
			"## The code\n", "## The code\n\n[it](../deltafifo) [story](../"+aStory+")\n"), nil},
	{introducing, "one chapter may link to a package twice",
		changing(mapPage, "# 0 · The map\n", "# 0 · The map\n\n[it](../deltafifo/doc.go)\n"), nil},
	{introducing, "an exercise needs no chapter", pagesWith(map[string]string{
		"docs/workshop/1_a/a.go": "// Package a is an exercise.\npackage a\n"}), nil},
}
