package verify

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

const (
	imports = "packages import only what they may: stages do not know each other, and fakeapi and " +
		"the client share only HTTP"
	top   = "the top level is for packages"
	named = "a Go file that a comment names exists: in the package, or under its path"
)

// mayImport lists, for each package by its folder, the packages of this module that its code may
// import; "." is the root package, and what stands behind a + is for its tests. The tests of all
// packages may also import the package under test, the root and docs/tools/story.
// Packages in docs may import everything. Without circles, which the compiler refuses.
var mayImport = table(`
.:
reflector: . + fakeapi
reflector/client: . reflector reflector/cluster + fakeapi
reflector/cluster: + fakeapi
deltafifo: .
indexer: .
processor: .
informer: . reflector reflector/client deltafifo indexer processor
	informer/mutation + fakeapi docs/tools/tape informer/chaos informer/workqueue
informer/factory: . informer reflector/client + fakeapi indexer processor reflector
informer/mutation: . processor + deltafifo
informer/chaos: . indexer processor + deltafifo fakeapi informer informer/mutation
	reflector reflector/client
informer/rvinformer: . reflector deltafifo + fakeapi reflector/client
informer/workqueue:
fakeapi: fakeapi/
fakeapi/store:
fakeapi/stream: fakeapi/store
fakeapi/status:
fakeapi/wire: fakeapi/status
fakeapi/object: fakeapi/status fakeapi/store
fakeapi/registry: fakeapi/object fakeapi/status fakeapi/store
fakeapi/encode: fakeapi/object fakeapi/status fakeapi/store
fakeapi/serve: fakeapi
`)

func table(text string) map[string][]string {
	rows, dir := map[string][]string{}, ""
	for word := range strings.FieldsSeq(text) {
		if name, isDir := strings.CutSuffix(word, ":"); isDir {
			dir, rows[name] = name, []string{}
		} else {
			rows[dir] = append(rows[dir], word)
		}
	}
	return rows
}

// testify is the only module that may be imported, and only by tests. go mod tidy refuses to
// require others.
const testify = "github.com/stretchr/testify"

// topLevel lists what may be at the top, besides Go files.
var topLevel = []string{
	"go.mod", "go.sum", "Makefile", "README.md", "LICENSE", ".gitignore", ".gitattributes", ".ci",
	"reflector", "deltafifo", "indexer", "processor", "informer", "fakeapi", "docs",
}

func checkImports(t *tree, report report) {
	for _, f := range t.goFiles {
		for _, spec := range f.ast.Imports {
			if name, _ := strconv.Unquote(spec.Path.Value); !f.may(name) {
				report(f.path, f.lineOf(spec.Pos()), "%s may not import %s", f.dir, name)
			}
		}
	}
}

// may reports whether a file may import a path.
func (f *goFile) may(name string) bool {
	dir, isOurs := strings.CutPrefix(name+"/", repo.Module+"/")
	dir = cmp.Or(strings.TrimSuffix(dir, "/"), ".")
	host, _, _ := strings.Cut(name, "/")
	switch {
	case !isOurs && strings.Contains(host, "."):
		return f.test && strings.HasPrefix(name, testify+"/")
	case !isOurs || strings.HasPrefix(f.dir+"/", "docs/"):
		return true // the standard library, or for docs
	case f.test && slices.Contains([]string{f.dir, ".", "docs/tools/story"}, dir):
		return true
	}
	row := mayImport[f.dir]
	plus := slices.Index(append(row, "+"), "+")
	at := slices.IndexFunc(row, func(allowed string) bool {
		return dir == allowed || strings.HasSuffix(allowed, "/") && strings.HasPrefix(dir, allowed)
	})
	return at >= 0 && (at < plus || f.test)
}

func checkTop(t *tree, report report) {
	for name := range t.files {
		entry, _, isInside := strings.Cut(name, "/")
		isCode := !isInside && path.Ext(entry) == ".go"
		if !isCode && !slices.Contains(topLevel, entry) {
			report(name, 0, "%s is not in topLevel of docs/tools/verify/house_test.go", entry)
		}
	}
}

// goFileName matches a name in a comment, with a folder or without, and with a star for many files.
var goFileName = regexp.MustCompile(`(?:^|[\s(>])([\w*][\w*./-]*\.go)\b`)

func checkNamedFiles(t *tree, report report) {
	names := slices.Collect(maps.Keys(t.files))
	for _, f := range t.goFiles {
		for _, group := range f.ast.Comments {
			for _, m := range goFileName.FindAllStringSubmatch(group.Text(), -1) {
				if !slices.ContainsFunc(names, func(name string) bool { return f.means(m[1], name) }) {
					report(f.path, f.lineOf(group.Pos()), "there is no %s", m[1])
				}
			}
		}
	}
}

// means reports whether a comment of this file can mean a file by a name: one of its package or in
// a folder below, or one under its whole path.
func (f *goFile) means(named, name string) bool {
	if named == name {
		return true
	}
	name, isBelow := strings.CutPrefix(name, strings.TrimPrefix(f.dir+"/", "./"))
	ok, _ := path.Match(named, name)
	inFolder, _ := path.Match(named, path.Base(name))
	return isBelow && (ok || inFolder)
}
