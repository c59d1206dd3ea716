package main

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// packages lists the folders, from dir downwards, that hold Go code beside tests.
func packages(t *repo.Tree, dir string) (dirs []string) {
	names := t.List(dir)
	if slices.ContainsFunc(names, isSource) {
		dirs = append(dirs, dir)
	}
	for _, name := range names {
		if sub, ok := strings.CutSuffix(name, "/"); ok && sub != "testdata" {
			dirs = append(dirs, packages(t, path.Join(dir, sub))...)
		}
	}
	return dirs
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

var chapterName = regexp.MustCompile(`^[0-9a-z]-[a-z0-9-]+\.md$`)

// chapters lists the pages in the order in which they are read.
func chapters(t *repo.Tree) []string {
	names := []string{"README.md"}
	for _, name := range t.List("docs") { // sorted: chapters by number, then appendices by letter
		if chapterName.MatchString(name) {
			names = append(names, "docs/"+name)
		}
	}
	return names
}

// title returns the first heading of a page, without marks.
func title(text string) string {
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			return strings.ReplaceAll(strings.TrimSpace(heading), "`", "")
		}
	}
	return "Untitled"
}
