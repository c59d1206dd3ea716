// Package repo is this repository as the tools see it that read it: its files, without those that
// .gitignore names, the names that Go files declare, and the anchors of headings.
package repo

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Module is the path under which the packages of the repository import each other.
const Module = "example.com/watchglass"

// Root returns the top folder of the repository: the nearest one, at or above the current one, that
// has a go.mod.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("there is no go.mod in or above %s", dir)
		}
	}
}

// A Tree is the repository without what .gitignore names. Paths have slashes, and begin at the top;
// the top itself is ".".
type Tree struct {
	fsys    fs.FS
	ignored []string // patterns for names
}

// Open returns the tree of a file system. It reads .gitignore, if there is one; files are read when
// they are asked for.
func Open(fsys fs.FS) *Tree {
	t := &Tree{fsys: fsys, ignored: []string{".git"}}
	for line := range strings.Lines(t.Read(".gitignore")) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			t.ignored = append(t.ignored, strings.TrimSuffix(line, "/"))
		}
	}
	return t
}

// Has reports whether a file or folder exists, and neither it nor a folder above it is ignored.
func (t *Tree) Has(name string) bool {
	if !fs.ValidPath(name) || slices.ContainsFunc(strings.Split(name, "/"), t.isIgnored) {
		return false
	}
	_, err := fs.Stat(t.fsys, name)
	return err == nil
}

func (t *Tree) isIgnored(part string) bool {
	return slices.ContainsFunc(t.ignored, func(pattern string) bool {
		ok, _ := path.Match(pattern, part)
		return ok
	})
}

// IsDir reports whether there is a folder of this name.
func (t *Tree) IsDir(name string) bool {
	info, err := fs.Stat(t.fsys, name)
	return err == nil && info.IsDir()
}

// Read returns a file's text, "" if it cannot be read.
func (t *Tree) Read(name string) string {
	text, _ := fs.ReadFile(t.fsys, name)
	return string(text)
}

// List returns the names in a folder, sorted; those of folders end with a slash.
func (t *Tree) List(dir string) (names []string) {
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

// Files returns the paths of all files below a folder, sorted folder by folder.
func (t *Tree) Files(dir string) (files []string) {
	for _, name := range t.List(dir) {
		at := path.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			files = append(files, t.Files(at)...)
		} else {
			files = append(files, at)
		}
	}
	return files
}

// Anchors are those of a page's headings.
type Anchors map[string]bool

var (
	notInSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	linkText  = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// Add returns the anchor that a code host gives a heading: small letters, with - for spaces. The
// second heading of one name gets a number.
func (a Anchors) Add(heading string) string {
	text := linkText.ReplaceAllString(strings.TrimSpace(heading), "$1")
	text = notInSlug.ReplaceAllString(strings.ToLower(text), "")
	slug := strings.ReplaceAll(text, " ", "-")
	anchor := slug
	for n := 1; a[anchor]; n++ {
		anchor = fmt.Sprintf("%s-%d", slug, n)
	}
	a[anchor] = true
	return anchor
}
