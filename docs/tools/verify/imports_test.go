package verify

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	imports = "packages import only what they may: stages do not know each other, and fakeapi and the client share only HTTP"
	rings   = "ring.go is the same in each package that has one"
	module  = "the module requires testify for its tests and nothing else, and never Kubernetes"
	top     = "the top level is for packages"
)

// mayImport lists, for each package by its folder, the packages of this module that its code may
// import; "." is the root package. Packages in docs may import everything.
var mayImport = map[string][]string{
	".":                    {},
	"reflector":            {"."},
	"reflector/wire":       {".", "reflector", "reflector/cluster", "reflector/rest"},
	"reflector/rest":       {"reflector"},
	"reflector/cluster":    {},
	"reflector/retrywatch": {".", "reflector", "reflector/cluster"},
	"deltafifo":            {"."},
	"deltafifo/realfifo":   {".", "deltafifo"},
	"indexer":              {"."},
	"processor":            {"."},
	"informer": {".", "reflector", "reflector/wire", "deltafifo", "deltafifo/realfifo", "indexer",
		"processor", "informer/mutation", "informer/ordered"},
	"informer/ordered":    {".", "deltafifo", "deltafifo/realfifo", "indexer", "processor"},
	"informer/factory":    {".", "informer", "reflector/wire"},
	"informer/mutation":   {".", "processor"},
	"informer/selector":   {},
	"informer/chaos":      {},
	"informer/contract":   {".", "deltafifo"},
	"informer/rvinformer": {".", "reflector", "deltafifo"},
	"informer/workqueue":  {},
	"fakeapi/store":       {},
	"fakeapi/desk":        {},
	"fakeapi/stream":      {"fakeapi/store"},
	"fakeapi/status":      {},
	"fakeapi/patch":       {},
	"fakeapi/selector":    {},
	"fakeapi/printer":     {},
	"fakeapi/wire":        {"fakeapi/status"},
	"fakeapi/resource":    {"fakeapi/printer", "fakeapi/status"},
	"fakeapi/object": {"fakeapi/patch", "fakeapi/resource", "fakeapi/selector", "fakeapi/status",
		"fakeapi/store"},
	"fakeapi/form": {"fakeapi/object", "fakeapi/printer", "fakeapi/resource", "fakeapi/status",
		"fakeapi/store"},
	"fakeapi/query": {"fakeapi/object", "fakeapi/resource", "fakeapi/selector", "fakeapi/status"},
	"fakeapi/fault": {"fakeapi/status", "fakeapi/stream"},
	"fakeapi/crd": {"fakeapi/object", "fakeapi/printer", "fakeapi/resource", "fakeapi/selector",
		"fakeapi/status"},
	"fakeapi/defaults":  {"fakeapi/object", "fakeapi/patch", "fakeapi/resource"},
	"fakeapi/discovery": {"fakeapi/patch", "fakeapi/resource"},
	"fakeapi/registry": {"fakeapi/crd", "fakeapi/defaults", "fakeapi/desk", "fakeapi/object",
		"fakeapi/patch", "fakeapi/query", "fakeapi/resource", "fakeapi/status", "fakeapi/store"},
	"fakeapi": {"fakeapi/desk", "fakeapi/discovery", "fakeapi/fault", "fakeapi/form", "fakeapi/object", "fakeapi/patch", "fakeapi/printer",
		"fakeapi/query", "fakeapi/registry", "fakeapi/resource", "fakeapi/selector", "fakeapi/status",
		"fakeapi/store", "fakeapi/stream", "fakeapi/wire"},
	"fakeapi/serve": {"fakeapi"},
}

// testsMayImport lists what test files may import besides: "*" is for the tests of all packages.
// The package under test is always allowed.
var testsMayImport = map[string][]string{
	"*":                    {".", "docs/tools/story"},
	"reflector":            {"reflector/wire", "fakeapi", "docs/tools/diagram"},
	"reflector/wire":       {"fakeapi"},
	"fakeapi/form":         {"fakeapi/selector"},
	"reflector/cluster":    {"fakeapi"},
	"reflector/rest":       {"fakeapi"},
	"reflector/retrywatch": {"reflector/wire", "fakeapi"},
	"informer":             {"fakeapi", "informer/contract", "informer/selector", "informer/workqueue"},
	"informer/chaos": {"deltafifo", "fakeapi", "indexer", "informer", "informer/contract",
		"informer/mutation", "informer/selector", "processor", "reflector", "reflector/wire"},
	"informer/factory":    {"fakeapi", "indexer", "reflector"},
	"informer/mutation":   {"deltafifo"},
	"informer/rvinformer": {"fakeapi", "reflector/wire"},
}

// testify is the only module that may be imported, and only by tests.
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
	dir, isOurs := strings.CutPrefix(name+"/", modulePath+"/")
	first, _, _ := strings.Cut(name, "/")
	inDocs := f.dir == "docs" || strings.HasPrefix(f.dir, "docs/")
	switch {
	case isOurs && !inDocs:
		dir = path.Clean(dir)
		mine, known := mayImport[f.dir]
		tests := slices.Concat([]string{f.dir}, testsMayImport["*"], testsMayImport[f.dir])
		return known && (slices.Contains(mine, dir) || f.test && slices.Contains(tests, dir))
	case isOurs || !strings.Contains(first, "."):
		return true // ours, or the standard library's
	}
	return f.test && strings.HasPrefix(name, testify+"/")
}

func checkRings(t *tree, report report) {
	first := ""
	for _, f := range t.source() {
		if path.Base(f.path) != "ring.go" || strings.HasPrefix(f.path, "docs/") {
			continue
		}
		_, text, _ := strings.Cut(f.text, "\n") // after the package clause
		if first != "" && text != first {
			report(f.path, 0, "it differs from the ring of another package")
		}
		first = text
	}
}

// directive matches the lines that go.mod may have. Indirect requirements are testify's own.
var directive = regexp.MustCompile(`^(module ` + modulePath + `|go [\d.]+|require \(|\)|` +
	`(require )?` + testify + ` v\S+|.* // indirect|)$`)

func checkModule(t *tree, report report) {
	for _, name := range []string{"go.mod", "go.sum"} {
		for i, line := range strings.Split(t.files[name], "\n") {
			isOdd := name == "go.mod" && !directive.MatchString(strings.TrimSpace(line))
			if isOdd || strings.Contains(line, "k8s.io") {
				report(name, i+1, "%q has no place here", line)
			}
		}
	}
}

func checkTop(t *tree, report report) {
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		entry, _, isInside := strings.Cut(name, "/")
		isCode := !isInside && path.Ext(entry) == ".go"
		if !isCode && !slices.Contains(topLevel, entry) {
			report(name, 0, "%s is not in topLevel of docs/tools/verify/imports_test.go", entry)
		}
	}
}
