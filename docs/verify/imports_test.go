package verify

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// mayImport lists, for each package by its folder, the packages of this module that its code may
// import; "." is the root package. Packages in docs may import everything.
var mayImport = map[string][]string{
	".":                    {},
	"reflector":            {"."},
	"reflector/wire":       {".", "reflector", "reflector/cluster"},
	"reflector/cluster":    {},
	"reflector/retrywatch": {".", "reflector", "reflector/cluster"},
	"deltafifo":            {"."},
	"deltafifo/realfifo":   {".", "deltafifo"},
	"indexer":              {"."},
	"processor":            {"."},
	"informer": {".", "reflector", "reflector/wire", "deltafifo", "deltafifo/realfifo", "indexer",
		"processor", "informer/mutation"},
	"informer/factory":    {".", "informer", "reflector/wire"},
	"informer/mutation":   {".", "processor"},
	"informer/selector":   {},
	"informer/chaos":      {},
	"informer/contract":   {"."},
	"informer/rvinformer": {".", "reflector", "deltafifo"},
	"informer/workqueue":  {},
	"fakeapi/store":       {},
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
	"fakeapi/registry": {"fakeapi/crd", "fakeapi/defaults", "fakeapi/object", "fakeapi/query",
		"fakeapi/resource", "fakeapi/status", "fakeapi/store"},
	"fakeapi": {"fakeapi/discovery", "fakeapi/fault", "fakeapi/form", "fakeapi/object", "fakeapi/patch", "fakeapi/printer",
		"fakeapi/query", "fakeapi/registry", "fakeapi/resource", "fakeapi/selector", "fakeapi/status",
		"fakeapi/store", "fakeapi/stream", "fakeapi/wire"},
	"fakeapi/serve": {"fakeapi"},
}

// testsMayImport lists what test files may import besides: "*" is for the tests of all packages.
// The package under test is always allowed.
var testsMayImport = map[string][]string{
	"*":                    {".", "docs/story"},
	"reflector":            {"reflector/wire", "fakeapi", "docs/diagram"},
	"reflector/wire":       {"fakeapi"},
	"fakeapi/form":         {"fakeapi/selector"},
	"reflector/cluster":    {"fakeapi"},
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

// topLevel lists the files and folders that may be at the top, besides Go files.
var topLevel = []string{
	"go.mod", "go.sum", "Makefile", "README.md", "LICENSE", ".gitignore", ".ci",
	"reflector", "deltafifo", "indexer", "processor", "informer", "fakeapi", "docs",
}

var importRules = []rule{
	{
		name: "packages import only what they may",
		promise: "stages do not import each other, fakeapi and the client share only HTTP, and " +
			"outside docs only tests import docs.",
		remedy: "declare what you need as a small interface of your own, and let informer pass it in; " +
			"give a new package a row of mayImport in docs/verify/imports_test.go.",
		check: checkImports,
	},
	{
		name: "the rings are alike",
		promise: "ring.go is the same in each package that has one: they may not import each other, " +
			"and one idea has one form.",
		remedy: "copy the file to the other packages, and change only the package clause.",
		check:  checkRings,
	},
	{
		name:    "only testify is required",
		promise: "the module requires testify for its tests and nothing else, and never Kubernetes.",
		remedy:  "write the few lines that you need: everything here is built from scratch.",
		check:   checkModule,
	},
	{
		name:    "the top level is for packages",
		promise: "at the top there are only packages and the files that a Go module needs.",
		remedy:  "move the file into its package; put files that a tool leaves behind into .gitignore.",
		check:   checkTopLevel,
	},
}

func checkImports(t *tree) (found []finding) {
	for _, f := range t.built() {
		imports := f.imports()
		for _, name := range slices.Sorted(maps.Keys(imports)) {
			if why := f.mayNot(name); why != "" {
				found = append(found, finding{f.path, imports[name], why})
			}
		}
	}
	return found
}

// mayNot says why a file may not import a path, "" if it may.
func (f *goFile) mayNot(name string) string {
	first, _, _ := strings.Cut(name, "/")
	switch {
	case name == modulePath || strings.HasPrefix(name, modulePath+"/"):
		dir := path.Clean(strings.TrimPrefix(strings.TrimPrefix(name, modulePath), "/"))
		return f.mayNotImportOurs(dir)
	case !strings.Contains(first, "."):
		return "" // the standard library
	case f.test && strings.HasPrefix(name, testify+"/"):
		return ""
	case strings.HasPrefix(name, testify+"/"):
		return "testify is for test files"
	}
	return fmt.Sprintf("%s is neither ours nor the standard library's", name)
}

// mayNotImportOurs says why a file may not import the package in dir, "" if it may.
func (f *goFile) mayNotImportOurs(dir string) string {
	allowed, known := mayImport[f.dir]
	if f.test {
		allowed = slices.Concat(allowed, []string{f.dir}, testsMayImport["*"], testsMayImport[f.dir])
	}
	switch {
	case f.dir == "docs" || strings.HasPrefix(f.dir, "docs/"):
		return ""
	case !known:
		return fmt.Sprintf("mayImport has no row for %s", f.dir)
	case !slices.Contains(allowed, dir):
		return fmt.Sprintf("%s may not import %s", f.dir, path.Join(modulePath, dir))
	}
	return ""
}

// checkModule reads go.mod line by line. A line of a block in parentheses counts as a directive of
// its own.
func checkModule(t *tree) (found []finding) {
	text, block := t.files["go.mod"], ""
	for i, line := range strings.Split(text, "\n") {
		code, comment, _ := strings.Cut(line, "//")
		words := strings.Fields(code)
		if len(words) == 0 {
			continue
		}
		if block != "" && words[0] != ")" {
			words = append([]string{block}, words...)
		}
		switch words[len(words)-1] {
		case "(":
			block = words[0]
			continue
		case ")":
			block = ""
			continue
		}
		if what := wrongDirective(words, strings.TrimSpace(comment) == "indirect"); what != "" {
			found = append(found, finding{"go.mod", i + 1, what})
		}
	}
	if !strings.HasPrefix(text, "module "+modulePath+"\n") {
		found = append(found, finding{"go.mod", 1, "the module is not " + modulePath})
	}
	if line := lineWith(t.files["go.sum"], "k8s.io"); line > 0 {
		found = append(found, finding{"go.sum", line, "a Kubernetes module"})
	}
	return found
}

// wrongDirective says what is wrong with one directive of go.mod, "" if nothing is. Indirect
// requirements are allowed: if testify is the only direct one, they are testify's own.
func wrongDirective(words []string, indirect bool) string {
	switch {
	case strings.Contains(strings.Join(words, " "), "k8s.io"):
		return "a Kubernetes module"
	case words[0] == "module" || words[0] == "go" || words[0] == "toolchain":
		return ""
	case words[0] == "require" && (indirect || len(words) > 1 && words[1] == testify):
		return ""
	}
	return fmt.Sprintf("%q has no place here", strings.Join(words, " "))
}

func checkTopLevel(t *tree) (found []finding) {
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		entry, _, inside := strings.Cut(name, "/")
		isCode := !inside && path.Ext(entry) == ".go"
		if seen[entry] || isCode || slices.Contains(topLevel, entry) {
			continue
		}
		seen[entry] = true
		found = append(found, finding{entry, 0, "this name is not in topLevel"})
	}
	return found
}

func checkRings(t *tree) (found []finding) {
	var first *goFile
	for _, f := range t.source() {
		switch {
		case path.Base(f.path) != "ring.go" || strings.HasPrefix(f.path, "docs/"):
		case first == nil:
			first = f
		case afterPackage(f) != afterPackage(first):
			found = append(found, finding{f.path, 0, "differs from " + first.path})
		}
	}
	return found
}

func afterPackage(f *goFile) string {
	_, text, _ := strings.Cut(f.text, "\n")
	return text
}
