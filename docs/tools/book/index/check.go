package index

import (
	"errors"
	"go/ast"
	"go/build"
	"go/types"
	"io"
	"path"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// A checker checks packages, and imports them for each other.
type checker struct {
	x        *Index
	folders  map[string][]*file        // the Go files of each
	imported map[string]*types.Package // by folder, without tests and bodies; nil: being checked
	tested   *types.Package            // with its tests, for its external tests
}

// Import implements types.Importer.
func (c *checker) Import(name string) (*types.Package, error) {
	dir, isOurs := strings.CutPrefix(name+"/", repo.Module+"/")
	if !isOurs {
		return nil, errors.New("packages from elsewhere are not read")
	}
	if c.tested != nil && c.tested.Path() == name {
		return c.tested, nil
	}
	dir = path.Clean(dir)
	if _, known := c.imported[dir]; !known {
		c.imported[dir] = nil
		c.imported[dir] = c.check(dir, c.matching(dir, "linux", isSource), true)
	}
	if c.imported[dir] == nil {
		return nil, errors.New("the package is not there, or imports itself")
	}
	return c.imported[dir], nil
}

// The kinds of files in a folder: the package, with its tests, and the tests from outside.
func isSource(f *file) bool  { return !f.isTest() }
func isInside(f *file) bool  { return !isOutside(f) }
func isOutside(f *file) bool { return f.isTest() && strings.HasSuffix(f.ast.Name.Name, "_test") }

// matching returns the files of a kind that are built for a system.
func (c *checker) matching(dir, system string, isOfKind func(*file) bool) (files []*file) {
	for _, f := range c.folders[dir] {
		if isOfKind(f) && f.isFor(system) {
			files = append(files, f)
		}
	}
	return files
}

// isFor reports whether a file is built for a system. Most files are built for all: they have no
// constraint, neither in their text nor in their name.
func (f *file) isFor(system string) bool {
	base := strings.TrimSuffix(path.Base(f.name), "_test.go")
	if !strings.Contains(base, "_") && !strings.Contains(f.text, "//go:build") {
		return true
	}
	on := build.Default
	on.GOOS, on.GOARCH = system, map[string]string{"linux": "amd64", "js": "wasm"}[system]
	on.OpenFile = func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(f.text)), nil
	}
	ok, _ := on.MatchFile(path.Dir(f.name), path.Base(f.name))
	return ok
}

// check checks the files of a package. Unless that is for an import, it keeps the links of those
// files that have none yet.
func (c *checker) check(dir string, files []*file, forImport bool) *types.Package {
	var parsed []*ast.File
	isNew := false
	for _, f := range files {
		parsed, isNew = append(parsed, f.ast), isNew || !f.isChecked
	}
	if !isNew && !forImport || len(files) == 0 {
		return nil
	}
	config := types.Config{Importer: c, IgnoreFuncBodies: forImport, Error: func(error) {}}
	uses := map[*ast.Ident]types.Object{}
	pkg, _ := config.Check(path.Join(repo.Module, dir), c.x.tree.Set, parsed, &types.Info{Uses: uses})
	for _, f := range files {
		if !forImport && !f.isChecked {
			f.isChecked = true
			c.x.link(f, uses)
		}
	}
	return pkg
}
