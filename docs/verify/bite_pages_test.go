package verify

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func saying(text string) map[string]string {
	return map[string]string{"docs/1.md": "# One\n\n" + text + "\n"}
}

const (
	origins = "every Go block says where it is from"
	links   = "links lead somewhere"
	inFont  = "names in code font exist"
)

var pageBites = []bite{
	{origins, "Go without a source is found", saying("```go\nx := 1\n```"),
		[]string{"docs/1.md:3: a block of Go with no source"}},
	{origins, "a block may be marked as a sketch",
		saying("<!-- sketch: theirs -->\n```go\nx := 1\n```"), nil},
	{origins, "a blank line may stand below a marker", saying("<!-- sketch: theirs -->\n\n```go\n```"), nil},
	{origins, "a marker is for one block", saying("<!-- sketch: a -->\n```go\n```\n```go\n```"),
		[]string{"docs/1.md:6: a block of Go with no source"}},
	{origins, "blocks in other languages need no source",
		saying("```sh\nmake\n```\n\n~~~\n```go\n~~~"), nil},
	{origins, "the workshop's hints are unfinished on purpose",
		map[string]string{"docs/workshop/1.md": "```go\nx\n```\n"}, nil},
	{origins, "a marker that is misspelled is found", saying("<!-- sauce: go.mod -->\n```\n```"),
		[]string{`docs/1.md:3: there is no marker "sauce", only ` +
			`source, story, run, curl, diagram, program, sketch`}},
	{origins, "a marker above prose is found", saying("<!-- run: make help -->\nSo it says."),
		[]string{"docs/1.md:3: a marker with no code block under it"}},
	{origins, "a marker above nothing is found", saying("<!-- run: make help -->"),
		[]string{"docs/1.md:3: a marker with no code block under it"}},
	{origins, "other comments are allowed", saying("<!-- note: to the translator -->\nHello."), nil},

	{links, "files, folders, pages and headings are found", map[string]string{
		"docs/1.md": "# One\n\n[a](../README.md), [b](../deltafifo/), [c](2.md#two--a-heading),\n" +
			"[d](#one), <img src=\"../go.mod\">, [e](2.md \"title\"), [f](2.md#here)\n\n[g]: 2.md\n",
		"docs/2.md": "# *Two*, `a heading`\n\n## Two & a heading\n\n<a id=\"here\"></a>\n",
	}, nil},
	{links, "links into the web are not checked",
		saying("[a](https://go.dev) [b](mailto:x@example.com)"), nil},
	{links, "code is not read for links", saying("`[a](b)`\n\n```\n[a](b)\n```"), nil},
	{links, "a file that is not there is found", saying("[a](2.md)"),
		[]string{"docs/1.md:3: the link 2.md leads nowhere: there is no docs/2.md"}},
	{links, "every link of a line is read", saying("[a](../go.mod) ![b](b.png)\n[c]: c.md"),
		[]string{"docs/1.md:3: the link b.png leads nowhere: there is no docs/b.png",
			"docs/1.md:4: the link c.md leads nowhere: there is no docs/c.md"}},
	{links, "a link out of the repository is found", saying("[a](../../other)"),
		[]string{"docs/1.md:3: the link ../../other leads nowhere: there is no ../other"}},
	{links, "a heading that is not there is found", saying("[a](#two)"),
		[]string{"docs/1.md:3: the link #two leads nowhere: docs/1.md has no heading #two"}},
	{links, "a line number as an anchor is found", saying("[a](../deltafifo/pop.go#L7)"),
		[]string{"docs/1.md:3: the link ../deltafifo/pop.go#L7 has an anchor into a file " +
			"that has no headings"}},

	{inFont, "functions, types, values, methods and fields are names, also if they are not exported",
		saying(
			"`deltafifo.Pop`, `deltafifo.Queue`, `deltafifo.ErrEmpty`, `deltafifo.Queue.Pop`, " +
				"`deltafifo.Queue.keys`, `deltafifo.base`"), nil},
	{inFont, "a type has the members of what it embeds", saying("`deltafifo.Queue.closed`"), nil},
	{inFont, "names inside of more code are read", saying("`x := deltafifo.Push(deltafifo.Pop)`"),
		[]string{"docs/1.md:3: package deltafifo has no Push"}},
	{inFont, "a member that is not there is found", saying("`deltafifo.Queue.Push`"),
		[]string{"docs/1.md:3: package deltafifo has no Queue.Push"}},
	{inFont, "names of other packages are not checked",
		saying("`cache.Queue`, `http.Client`, `T.deltafifo.Y`"), nil},
	{inFont, "names in package main are not checked", map[string]string{
		"docs/tour/x.go": "package main\n\nfunc main() {}\n", "docs/1.md": "Yours is `main.main`, or `main.run`.\n"}, nil},
	{inFont, "names after a path are not checked",
		saying("`client-go/deltafifo.Push`, `./deltafifo.Push`"), nil},
	{inFont, "a file is not a name", saying("`deltafifo.go`, `deltafifo.story`"), nil},
	{inFont, "names in prose and in blocks are not checked",
		saying("deltafifo.Push\n\n```\ndeltafifo.Push\n```"), nil},
}

func TestAnchorsAreThoseOfGitHub(t *testing.T) {
	p := parsePage("x.md", "# The map\n## Why `Replace`, really?\n## The map\n### [Read](a.md) this\n"+
		"#nothing\n#\n####### seven\n```\n# not a heading\n```\n## Größe_1 — groß\n")
	var got []string
	for _, name := range []string{"the-map", "why-replace-really", "the-map-1", "read-this",
		"größe_1--groß", "seven", "nothing", "", "not-a-heading"} {
		if p.anchors()[name] {
			got = append(got, name)
		}
	}
	assert.Equal(t, []string{"the-map", "why-replace-really", "the-map-1", "read-this",
		"größe_1--groß"}, got)
}
