package verify

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/story"
)

const (
	imports = "packages import only what they may: stages do not know each other, and fakeapi and the client share only HTTP"
	module  = "the module requires testify for its tests and nothing else, and never Kubernetes"
	top     = "the top level is for packages"
	shapes  = "a file is one idea, and a function fits on a screen"
	docs    = "every package, every exported declaration, and every field of an Options has a comment"

	followed = "a story has at most 12 steps, says why before each state, and uses commands of the template"
	numbered = "stories are numbered, go test -v shows them first, and readers find a template beside them"
)

// mayImport lists, for each package by its folder, the packages of this module that its code may
// import; "." is the root package, and what stands behind a + is for its tests. The tests of all
// packages may also import the package under test, the root, docs/tools/story and docs/tools/words.
// Packages in docs may import everything, and those in fakeapi, but for the leaves listed here, all below fakeapi.
// Without circles, which the compiler refuses.
var mayImport = table(`
.:
reflector: . + reflector/wire fakeapi docs/tools/diagram
reflector/wire: . reflector reflector/cluster reflector/rest + fakeapi
reflector/rest: reflector + fakeapi
reflector/cluster: + fakeapi
reflector/retrywatch: . reflector reflector/cluster + reflector/wire fakeapi
deltafifo: .
deltafifo/realfifo: . deltafifo
indexer: .
processor: .
informer: . reflector reflector/wire deltafifo deltafifo/realfifo indexer processor
	informer/mutation informer/ordered + fakeapi informer/contract informer/selector informer/workqueue
informer/ordered: . deltafifo deltafifo/realfifo indexer processor
informer/factory: . informer reflector/rest reflector/wire + fakeapi indexer reflector
informer/mutation: . processor + deltafifo
informer/selector:
informer/chaos: + deltafifo fakeapi indexer informer informer/contract informer/mutation
	informer/selector processor reflector reflector/wire
informer/contract: . deltafifo
informer/rvinformer: . reflector deltafifo + fakeapi reflector/wire
informer/workqueue:
fakeapi: fakeapi/
fakeapi/: fakeapi/
fakeapi/store:
fakeapi/stream: fakeapi/store
fakeapi/status:
fakeapi/patch:
fakeapi/selector:
fakeapi/printer:
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
	dir, isOurs := strings.CutPrefix(name+"/", repo.Module+"/")
	dir = cmp.Or(strings.TrimSuffix(dir, "/"), ".")
	host, _, _ := strings.Cut(name, "/")
	switch {
	case !isOurs && strings.Contains(host, "."):
		return f.test && strings.HasPrefix(name, testify+"/")
	case !isOurs || strings.HasPrefix(f.dir+"/", "docs/"):
		return true // the standard library, or for docs
	case f.test && slices.Contains([]string{f.dir, ".", "docs/tools/story", "docs/tools/words"}, dir):
		return true
	}
	row, known := mayImport[f.dir]
	if !known && strings.HasPrefix(f.dir, "fakeapi/") {
		row = mayImport["fakeapi/"]
	}
	plus := slices.Index(append(row, "+"), "+")
	at := slices.IndexFunc(row, func(allowed string) bool {
		return dir == allowed || strings.HasSuffix(allowed, "/") && strings.HasPrefix(dir, allowed)
	})
	return at >= 0 && (at < plus || f.test)
}

// directive matches the lines that go.mod may have. Indirect requirements are testify's own.
var directive = regexp.MustCompile(`^(module ` + repo.Module + `|go [\d.]+|require \(|\)|` +
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
	for name := range t.files {
		entry, _, isInside := strings.Cut(name, "/")
		isCode := !isInside && path.Ext(entry) == ".go"
		if !isCode && !slices.Contains(topLevel, entry) {
			report(name, 0, "%s is not in topLevel of docs/tools/verify/house_test.go", entry)
		}
	}
}

const (
	maxFileLines = 300 // tests may be longer, and the steps of docs/grow, which are one file each
	maxFuncLines = 60
	maxColumns   = 100 // a tab counts as one
)

func checkShapes(t *tree, report report) {
	for _, f := range t.source() {
		if n := strings.Count(f.text, "\n"); n > maxFileLines && !strings.HasPrefix(f.dir, "docs/grow/") {
			report(f.path, 0, "%d lines", n)
		}
		for i, line := range strings.Split(f.text, "\n") {
			if n := utf8.RuneCountInString(line); n > maxColumns {
				report(f.path, i+1, "%d columns", n)
			}
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				if n := 1 + f.lineOf(fn.End()) - f.lineOf(fn.Pos()); n > maxFuncLines {
					report(f.path, f.lineOf(fn.Pos()), "%s has %d lines", fn.Name.Name, n)
				}
			}
		}
	}
}

func checkDocs(t *tree, report report) {
	packages := map[string]string{}
	for _, f := range t.source() {
		packages[f.dir] += f.ast.Doc.Text()
	}
	for _, f := range t.source() {
		pkg, begins := f.ast.Name.Name, "Package "+f.ast.Name.Name+" "
		if pkg == "main" {
			begins = ""
		}
		if doc := packages[f.dir]; doc == "" || !strings.HasPrefix(doc, begins) {
			report(f.path, 0, "no doc of the package begins with %q", begins)
		}
		for _, d := range f.ast.Decls {
			if pkg != "main" {
				f.checkComments(d, report)
			}
		}
	}
}

// checkComments finds exported names without a comment. The comment of a group is for all of it, and
// so is that of an Options type for the fields that it names, for example as required.
func (f *goFile) checkComments(d ast.Decl, report report) {
	says := func(comment string, name *ast.Ident) {
		if strings.TrimSpace(comment) == "" && name.IsExported() {
			report(f.path, f.lineOf(name.Pos()), "%s has no comment", name.Name)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		receiver := repo.Names(d)[0].Text
		if ast.IsExported(receiver) {
			says(d.Doc.Text(), d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				says(d.Doc.Text()+spec.Doc.Text()+spec.Comment.Text(), spec.Names[0])
			case *ast.TypeSpec:
				doc := d.Doc.Text() + spec.Doc.Text() + spec.Comment.Text()
				says(doc, spec.Name)
				if !spec.Name.IsExported() || !strings.HasSuffix(spec.Name.Name, "Options") {
					continue
				}
				for _, field := range repo.Fields(spec.Type) {
					for _, name := range field.Names {
						if !strings.Contains(doc, name.Name) {
							says(field.Doc.Text()+field.Comment.Text(), name)
						}
					}
				}
			}
		}
	}
}

func checkStories(t *tree, report report) {
	for _, name := range t.stories() {
		steps, err := story.Parse(t.files[name])
		if err != nil || len(steps) > 12 {
			report(name, 0, "%d steps; %v", len(steps), err)
		}
		template, has := t.files[path.Dir(name)+"/story.template"]
		said := false // since the last loud step; set-up in between may carry the prose
		for _, step := range steps {
			said = said || strings.TrimSpace(strings.Join(step.Prose, "")) != ""
			if step.Loud && !said {
				report(name, step.Line, "no prose says why before %s", step.Command.Text)
			}
			said = said && !step.Loud
			listed := regexp.MustCompile(`(?m)^//.*\b` + step.Command.Name + `\b`)
			if has && !listed.MatchString(template) {
				report(name, step.Line, "the template does not list %s", step.Command.Name)
			}
		}
	}
}

// checkNumbers expects 01_ or 1_, so that files stand in the order in which to read them, and
// TestStories first in the first file of tests: go test runs the tests in that order. The stories of
// a step of docs/grow have no template: they are about what it gets wrong, and what it mends.
func checkNumbers(t *tree, report report) {
	packages := map[string][]string{}
	for _, name := range t.stories() {
		if dir, isPackage := strings.CutSuffix(path.Dir(name), "/testdata"); isPackage {
			packages[dir] = append(packages[dir], path.Base(name))
		}
	}
	for dir, stories := range packages {
		for i, name := range stories {
			number := fmt.Sprintf("%0*d_", len(fmt.Sprint(len(stories))), i+1)
			if !strings.HasPrefix(name, number) {
				report(dir, 0, "story %d of %d is %s", i+1, len(stories), name)
			}
		}
		tests := ""
		for _, name := range slices.Sorted(maps.Keys(t.goFiles)) {
			if f := t.goFiles[name]; f.test && f.dir == dir {
				tests += f.text
			}
		}
		if testFunc.FindString(tests) != "\nfunc TestStories(" {
			report(dir, 0, "the first test is not TestStories")
		}
		needs := !strings.HasPrefix(dir, "docs/grow/") && dir != "docs/tools/story"
		if _, has := t.files[dir+"/testdata/story.template"]; needs && !has {
			report(dir, 0, "there is no testdata/story.template")
		}
	}
}

var testFunc = regexp.MustCompile(`\nfunc Test[A-LN-Z]\w+\(`) // not TestMain
