package main

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A tree is the repository without what .gitignore names. It is read anew for each request.
type tree struct {
	fsys    fs.FS
	ignored []string // patterns for names
}

func readTree(fsys fs.FS) *tree {
	t := &tree{fsys: fsys, ignored: []string{".git"}}
	text, _ := fs.ReadFile(fsys, ".gitignore") // none is fine: then nothing is ignored
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			t.ignored = append(t.ignored, strings.TrimSuffix(line, "/"))
		}
	}
	return t
}

// has reports whether a file or folder exists, and neither it nor a folder above it is ignored.
func (t *tree) has(name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if t.isIgnored(part) {
			return false
		}
	}
	_, err := fs.Stat(t.fsys, name)
	return err == nil
}

func (t *tree) isIgnored(part string) bool {
	return slices.ContainsFunc(t.ignored, func(pattern string) bool {
		ok, _ := path.Match(pattern, part)
		return ok
	})
}

func (t *tree) isDir(name string) bool {
	info, err := fs.Stat(t.fsys, name)
	return err == nil && info.IsDir()
}

// read returns a file's text, "" if it cannot be read.
func (t *tree) read(name string) string {
	text, _ := fs.ReadFile(t.fsys, name)
	return string(text)
}

// list returns the names in a folder; those of folders end with a slash.
func (t *tree) list(dir string) (names []string) {
	entries, _ := fs.ReadDir(t.fsys, dir)
	for _, e := range entries {
		switch {
		case t.isIgnored(e.Name()):
		case e.IsDir():
			names = append(names, e.Name()+"/")
		default:
			names = append(names, e.Name())
		}
	}
	return names
}

// packages lists the folders, from dir downwards, that hold Go code beside tests.
func (t *tree) packages(dir string) (dirs []string) {
	names := t.list(dir)
	if slices.ContainsFunc(names, isSource) {
		dirs = append(dirs, dir)
	}
	for _, name := range names {
		if sub, ok := strings.CutSuffix(name, "/"); ok && sub != "testdata" {
			dirs = append(dirs, t.packages(path.Join(dir, sub))...)
		}
	}
	return dirs
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

var chapterName = regexp.MustCompile(`^[0-9a-z]-[a-z0-9-]+\.md$`)

// chapters lists the pages in the order in which they are read.
func (t *tree) chapters() []string {
	names := []string{"README.md"}
	for _, name := range t.list("docs") { // sorted: chapters by number, then appendices by letter
		if chapterName.MatchString(name) {
			names = append(names, "docs/"+name)
		}
	}
	return names
}

// title is the first heading of a page, without marks.
func title(text string) string {
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			return strings.ReplaceAll(strings.TrimSpace(heading), "`", "")
		}
	}
	return "Untitled"
}
