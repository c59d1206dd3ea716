// Package repo is this repository as the tools see it that read it: its files, without those that
// .gitignore names, parsed, and the names that Go files declare.
package repo

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/page"
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
// the top itself is ".". Each file is read and parsed once. A tree is for one goroutine.
type Tree struct {
	Set *token.FileSet // has the positions of all Go files

	fsys    fs.FS
	ignored []string            // patterns for names
	folders map[string][]string // the names in each; those of folders end with a slash
	isFile  map[string]bool
	texts   map[string]string
	pages   map[string]*page.Page
	parsed  map[string]*ast.File
}

// Open returns the tree of a file system. It reads .gitignore, if there is one, and the names of
// all files; files are read when they are asked for.
func Open(fsys fs.FS) *Tree {
	t := &Tree{
		Set:     token.NewFileSet(),
		fsys:    fsys,
		ignored: []string{".git"},
		folders: map[string][]string{},
		isFile:  map[string]bool{},
		texts:   map[string]string{},
		pages:   map[string]*page.Page{},
		parsed:  map[string]*ast.File{},
	}
	for line := range strings.Lines(t.Read(".gitignore")) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			t.ignored = append(t.ignored, strings.TrimSuffix(line, "/"))
		}
	}
	t.list(".")
	return t
}

// list reads the names in a folder and below it.
func (t *Tree) list(dir string) {
	names := []string{}
	entries, _ := fs.ReadDir(t.fsys, dir)
	for _, e := range entries {
		at := path.Join(dir, e.Name())
		switch {
		case t.isIgnored(e.Name()):
		case e.IsDir():
			names = append(names, e.Name()+"/")
			t.list(at)
		default:
			names = append(names, e.Name())
			t.isFile[at] = true
		}
	}
	t.folders[dir] = names
}

func (t *Tree) isIgnored(part string) bool {
	return slices.ContainsFunc(t.ignored, func(pattern string) bool {
		ok, _ := path.Match(pattern, part)
		return ok
	})
}

// Has reports whether a file or folder exists, and neither it nor a folder above it is ignored.
func (t *Tree) Has(name string) bool { return t.isFile[name] || t.IsDir(name) }

// IsDir reports whether there is a folder of this name.
func (t *Tree) IsDir(name string) bool { return t.folders[name] != nil }

// Read returns a file's text, with line ends as on Unix, "" if it cannot be read.
func (t *Tree) Read(name string) string {
	text, known := t.texts[name]
	if !known {
		data, _ := fs.ReadFile(t.fsys, name)
		text = strings.ReplaceAll(string(data), "\r\n", "\n")
		t.texts[name] = text
	}
	return text
}

// Page returns a file of Markdown.
func (t *Tree) Page(name string) *page.Page {
	if t.pages[name] == nil {
		t.pages[name] = page.Parse(t.Read(name))
	}
	return t.pages[name]
}

// Go returns as much of a Go file as parses, with its comments.
func (t *Tree) Go(name string) *ast.File {
	if t.parsed[name] == nil {
		t.parsed[name], _ = parser.ParseFile(t.Set, name, t.Read(name), parser.ParseComments)
	}
	return t.parsed[name]
}

// List returns the names in a folder, sorted; those of folders end with a slash.
func (t *Tree) List(dir string) []string { return t.folders[dir] }

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
