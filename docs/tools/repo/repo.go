// Package repo is this repository as the tools see it that read it: its files, without those that
// .gitignore names, the names that Go files declare, and the anchors of headings.
package repo

import (
	"fmt"
	"go/ast"
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

// Read returns a file's text, with line ends as on Unix, "" if it cannot be read.
func (t *Tree) Read(name string) string {
	text, _ := fs.ReadFile(t.fsys, name)
	return strings.ReplaceAll(string(text), "\r\n", "\n")
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

// A Name is one that a declaration declares: Name, or Type.Method, or Type.Field.
type Name struct {
	Text   string
	At     *ast.Ident
	Member bool // whether it is a field of a struct or a method of an interface
}

// Names lists what a declaration of a file declares, without the members of embedded types.
func Names(d ast.Decl) (names []Name) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || len(d.Recv.List) == 0 {
			return []Name{{d.Name.Name, d.Name, false}}
		}
		return []Name{{receiver(d.Recv.List[0].Type) + "." + d.Name.Name, d.Name, false}}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, Name{name.Name, name, false})
				}
			case *ast.TypeSpec:
				names = append(names, Name{spec.Name.Name, spec.Name, false})
				for _, field := range Fields(spec.Type) {
					for _, name := range field.Names {
						names = append(names, Name{spec.Name.Name + "." + name.Name, name, true})
					}
				}
			}
		}
	}
	return names
}

// Fields returns the fields of a struct, the methods of an interface, and nothing for other types.
func Fields(typ ast.Expr) []*ast.Field {
	switch typ := typ.(type) {
	case *ast.StructType:
		return typ.Fields.List
	case *ast.InterfaceType:
		return typ.Methods.List
	}
	return nil
}

// receiver is the name of a receiver's type: T of T, *T and T[K].
func receiver(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	}
	return ""
}
