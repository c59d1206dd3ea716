package refs

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// Load reads and checks all Go files of a repository, and reads its pages. top is its folder, where the go
// command is asked about the packages that it imports; "": these stay unknown.
func Load(tree *repo.Tree, top string) (*Index, error) {
	x := &Index{tree: tree, set: token.NewFileSet(), files: map[string]*file{},
		names: map[string]string{}, decls: map[token.Pos]string{}, shown: map[string]*Shown{}}
	c := &checker{x: x, top: top, folders: map[string][]*file{}, imported: map[string]*types.Package{},
		exports: map[string]string{}}
	for _, name := range x.tree.Files(".") {
		if path.Ext(name) != ".go" || strings.Contains(name, "testdata/") {
			continue
		}
		f := &file{name: name, text: x.tree.Read(name)}
		f.ast, _ = parser.ParseFile(x.set, name, f.text, parser.ParseComments|parser.SkipObjectResolution)
		if f.ast == nil || f.ast.Name == nil {
			continue
		}
		x.files[name] = f
		x.declare(f)
		c.folders[path.Dir(name)] = append(c.folders[path.Dir(name)], f)
	}
	if top != "" {
		if err := c.askForExports(); err != nil {
			return nil, err
		}
	}
	c.others = importer.ForCompiler(x.set, "gc", c.export)
	for _, dir := range slices.Sorted(maps.Keys(c.folders)) {
		c.folder(dir, c.platform(build.Default.GOOS, build.Default.GOARCH))
		c.folder(dir, c.platform("js", "wasm"))
	}
	x.pages()
	return x, nil
}

// A checker checks packages, and imports them for each other.
type checker struct {
	x        *Index
	top      string
	folders  map[string][]*file        // the Go files of each
	imported map[string]*types.Package // by folder, without tests and bodies; nil: being checked
	exports  map[string]string         // the file with the export data, by import path
	others   types.Importer            // of packages from elsewhere
	tested   *types.Package            // with its tests, for its external tests
}

// askForExports asks the go command where the compiler's data of the imported packages is. It compiles
// those that it has not compiled yet. Packages that do not exist are left out.
func (c *checker) askForExports() error {
	args := []string{"list", "-e", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "--"}
	for _, files := range c.folders {
		for _, f := range files {
			for _, spec := range f.ast.Imports {
				if name, err := strconv.Unquote(spec.Path.Value); err == nil && !isOurs(name) {
					args = append(args, name)
				}
			}
		}
	}
	slices.Sort(args[7:])
	command := exec.Command("go", slices.Compact(args)...)
	command.Dir = c.top
	var errors bytes.Buffer
	command.Stderr = &errors
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("ask go list for the packages that %s imports: %w: %s", c.top, err, &errors)
	}
	for line := range strings.Lines(string(out)) {
		if name, export, _ := strings.Cut(strings.TrimSpace(line), " "); export != "" {
			c.exports[name] = export
		}
	}
	return nil
}

func (c *checker) export(name string) (io.ReadCloser, error) {
	if c.exports[name] == "" {
		return nil, fmt.Errorf("package %s is unknown", name)
	}
	return os.Open(c.exports[name])
}

// platform is one that files are built for.
func (c *checker) platform(system, machine string) build.Context {
	on := build.Default
	on.GOOS, on.GOARCH = system, machine
	on.OpenFile = func(name string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(c.x.files[filepath.ToSlash(name)].text)), nil
	}
	return on
}

func isOurs(name string) bool { return strings.HasPrefix(name+"/", repo.Module+"/") }

// Import implements types.Importer.
func (c *checker) Import(name string) (*types.Package, error) {
	if !isOurs(name) {
		return c.others.Import(name)
	}
	if c.tested != nil && c.tested.Path() == name {
		return c.tested, nil
	}
	dir := path.Join(".", strings.TrimPrefix(name, repo.Module)[min(1, len(name)-len(repo.Module)):])
	pkg, known := c.imported[dir]
	if !known {
		c.imported[dir] = nil
		pkg = c.check(dir, c.matching(dir, c.platform(build.Default.GOOS, build.Default.GOARCH), isSource), true)
		c.imported[dir] = pkg
	}
	if pkg == nil {
		return nil, fmt.Errorf("package %s is not there, or imports itself", name)
	}
	return pkg, nil
}

// The kinds of files in a folder: the package, with its tests, and the tests from outside.
func isSource(f *file) bool  { return !f.isTest() }
func isInside(f *file) bool  { return !isOutside(f) }
func isOutside(f *file) bool { return f.isTest() && strings.HasSuffix(f.ast.Name.Name, "_test") }

// matching returns the files of a kind that are built on a platform.
func (c *checker) matching(dir string, on build.Context, isOfKind func(*file) bool) (files []*file) {
	for _, f := range c.folders[dir] {
		ok, _ := on.MatchFile(dir, path.Base(f.name))
		if ok && isOfKind(f) {
			files = append(files, f)
		}
	}
	return files
}

// folder checks the files of a folder that are built on a platform, unless all of them have been.
func (c *checker) folder(dir string, on build.Context) {
	if !slices.ContainsFunc(c.folders[dir], func(f *file) bool { return !f.isChecked }) {
		return
	}
	c.tested = nil
	c.tested = c.check(dir, c.matching(dir, on, isInside), false)
	c.check(dir, c.matching(dir, on, isOutside), false)
	c.tested = nil
}

// check checks the files of a package. Unless that is for an import, it keeps their links.
func (c *checker) check(dir string, files []*file, forImport bool) *types.Package {
	if len(files) == 0 {
		return nil
	}
	var parsed []*ast.File
	for _, f := range files {
		parsed = append(parsed, f.ast)
	}
	config := types.Config{Importer: c, IgnoreFuncBodies: forImport, FakeImportC: true,
		Error: func(error) {}} // what does not compile has no link
	info := &types.Info{}
	if !forImport {
		info.Uses = map[*ast.Ident]types.Object{}
	}
	pkg, _ := config.Check(path.Join(repo.Module, dir), c.x.set, parsed, info)
	for _, f := range files {
		if !forImport && !f.isChecked {
			f.isChecked = true
			c.x.link(f, info.Uses)
		}
	}
	return pkg
}
