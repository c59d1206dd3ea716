package verify

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// mayImport says what the code of a room may import of ours; "." is the root package. What a room
// is missing here, it may not have. docs may import everything.
var mayImport = map[string][]string{
	".":                  {},
	"reflector":          {"."},
	"reflector/wire":     {".", "reflector"},
	"deltafifo":          {"."},
	"deltafifo/realfifo": {".", "deltafifo"},
	"indexer":            {"."},
	"processor":          {"."},
	"informer": {".", "reflector", "reflector/wire", "deltafifo", "deltafifo/realfifo", "indexer",
		"processor"},
	"informer/contract":   {"."},
	"informer/rvinformer": {".", "reflector", "deltafifo"},
	"informer/workqueue":  {},
	"fakeapi":             {"fakeapi/store", "fakeapi/patch", "fakeapi/printer", "fakeapi/selector"},
	"fakeapi/store":       {},
	"fakeapi/patch":       {},
	"fakeapi/printer":     {},
	"fakeapi/selector":    {},
	"fakeapi/serve":       {"fakeapi"},
}

// testsMayImport is what test files may import on top of that and of the package they test.
var testsMayImport = map[string][]string{
	"*":                   {".", "docs/story"},
	"reflector":           {"reflector/wire", "fakeapi", "docs/diagram"},
	"reflector/wire":      {"fakeapi"},
	"informer":            {"fakeapi", "informer/contract", "informer/workqueue"},
	"informer/rvinformer": {"fakeapi", "reflector/wire"},
}

// testify is the one module beside the standard library, and it is for tests.
const testify = "github.com/stretchr/testify"

// topLevel is what lies beside the rooms.
var topLevel = []string{
	"go.mod", "go.sum", "Makefile", "README.md", "LICENSE", ".gitignore", ".ci",
	"reflector", "deltafifo", "indexer", "processor", "informer", "fakeapi", "docs",
}

var roomRules = []rule{
	{
		name:    "rooms import only what they may",
		promise: "stages do not know each other, fakeapi shares only HTTP, and nothing imports docs.",
		remedy: "say what you need as a small interface of your own and let informer plug it in; " +
			"a new room gets its row in docs/verify/rooms_test.go.",
		check: checkImports,
	},
	{
		name:    "only testify is required",
		promise: "the module requires testify for its tests and nothing else, and never Kubernetes.",
		remedy:  "write the few lines you need; that is what this house is for.",
		check:   checkModule,
	},
	{
		name:    "the top level is for rooms",
		promise: "beside the rooms there is only what a Go module needs.",
		remedy:  "put it into the room it belongs to; what a tool leaves behind goes into .gitignore.",
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
		room := path.Clean(strings.TrimPrefix(strings.TrimPrefix(name, modulePath), "/"))
		return f.mayNotEnter(room)
	case !strings.Contains(first, "."):
		return "" // the standard library
	case f.test && strings.HasPrefix(name, testify+"/"):
		return ""
	case strings.HasPrefix(name, testify+"/"):
		return "testify is for test files"
	}
	return fmt.Sprintf("%s is neither ours nor the standard library's", name)
}

func (f *goFile) mayNotEnter(room string) string {
	allowed, known := mayImport[f.dir]
	if f.test {
		allowed = slices.Concat(allowed, []string{f.dir}, testsMayImport["*"], testsMayImport[f.dir])
	}
	switch {
	case f.dir == "docs" || strings.HasPrefix(f.dir, "docs/"):
		return ""
	case !known:
		return fmt.Sprintf("there is no row for %s in the table of rooms", f.dir)
	case !slices.Contains(allowed, room):
		return fmt.Sprintf("%s may not import %s", f.dir, strings.TrimPrefix(path.Join(modulePath, room), "./"))
	}
	return ""
}

// checkModule reads go.mod line by line: blocks in parentheses or not, a requirement is a line that
// holds a path and a version.
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

// wrongDirective judges one line of go.mod. An indirect requirement is testify's own, as long as it
// is the only direct one and go mod tidy has nothing to say.
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
		found = append(found, finding{entry, 0, "not one of the rooms, and not what lies beside them"})
	}
	return found
}
