package verify

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// modulePath is the name under which our packages import each other.
const modulePath = "example.com/watchglass"

// A tree is the repository as the rules see it: every file of it, read once, without those that
// .gitignore names.
type tree struct {
	outside
	files   map[string]string // path → text; paths have slashes and no leading "./"
	dirs    map[string]bool   // every directory with a file in it, "." included
	goFiles []*goFile         // sorted by path
	pages   []*page           // the Markdown files, sorted by path
}

// outside holds the functions by which rules run commands and draw diagrams. The bites replace them
// by functions with fixed results.
type outside struct {
	run      func(command string) (string, error)
	vet      func(program string) error // the text of a main.go
	diagrams map[string]func() string
	inBubble func(f func()) // calls f in a testing/synctest bubble
}

// A goFile is one source file. A file that does not parse has no ast, and only the rule about gofmt
// reports it.
type goFile struct {
	path string
	dir  string // the folder of its package; "." is the root package
	text string
	test bool // named _test.go
	set  *token.FileSet
	ast  *ast.File
	err  error // a scanner.ErrorList
}

func (f *goFile) lineOf(pos token.Pos) int { return f.set.Position(pos).Line }

// pkg is the package's name; an external test package counts as the one it tests.
func (f *goFile) pkg() string { return strings.TrimSuffix(f.ast.Name.Name, "_test") }

// imports returns the imported paths and the lines they stand on.
func (f *goFile) imports() map[string]int {
	lines := map[string]int{}
	for _, spec := range f.ast.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		lines[name] = f.lineOf(spec.Pos())
	}
	return lines
}

func readTree(fsys fs.FS, world outside) (*tree, error) {
	t := &tree{outside: world, files: map[string]string{}, dirs: map[string]bool{}}
	ignored := ignoredBy(fsys)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && ignored(d.Name()) && d.IsDir():
			return fs.SkipDir
		case d.IsDir() || ignored(d.Name()):
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		t.add(name, string(text))
		return err
	})
	return t, err
}

func (t *tree) add(name, text string) {
	t.files[name] = text
	for dir := path.Dir(name); !t.dirs[dir]; dir = path.Dir(dir) {
		t.dirs[dir] = true
	}
	switch path.Ext(name) {
	case ".go":
		if isAnswer(name) {
			return
		}
		t.goFiles = append(t.goFiles, parseGo(name, text))
	case ".md":
		t.pages = append(t.pages, parsePage(name, text))
	}
}

// answer matches the files of the workshop in which readers write their answers.
var answer = regexp.MustCompile(`^docs/workshop/([1-9]_[1-9]_[a-z]+/[a-z]+\.go|finale/.*\.story)$`)

// isAnswer reports whether a reader of the workshop writes this file: the rules do not apply to it.
// The files as they are handed out are checked by go run ./docs/workshop check.
func isAnswer(name string) bool { return answer.MatchString(name) && !inTestdata(name) }

func parseGo(name, text string) *goFile {
	f := &goFile{path: name, dir: path.Dir(name), text: text, set: token.NewFileSet()}
	f.test = strings.HasSuffix(name, "_test.go")
	parsed, err := parser.ParseFile(f.set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		f.err = err
		return f
	}
	f.ast = parsed
	return f
}

// ignoredBy returns whether a name is in .gitignore, or is git's own folder. It reads only patterns
// without slashes in between.
func ignoredBy(fsys fs.FS) func(name string) bool {
	text, _ := fs.ReadFile(fsys, ".gitignore") // without the file, nothing is ignored
	patterns := []string{".git"}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			patterns = append(patterns, strings.TrimSuffix(line, "/"))
		}
	}
	return func(name string) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			ok, _ := path.Match(pattern, name)
			return ok
		})
	}
}

// built is every Go file that belongs to a package, which files in testdata do not.
func (t *tree) built() []*goFile {
	return slices.DeleteFunc(slices.Clone(t.goFiles), func(f *goFile) bool {
		return f.ast == nil || inTestdata(f.path)
	})
}

// source is built without the tests.
func (t *tree) source() []*goFile {
	return slices.DeleteFunc(t.built(), func(f *goFile) bool { return f.test })
}

func inTestdata(name string) bool {
	return slices.Contains(strings.Split(path.Dir(name), "/"), "testdata")
}

// page is the page with this path, nil if there is none.
func (t *tree) page(name string) *page {
	if i := slices.IndexFunc(t.pages, func(p *page) bool { return p.path == name }); i >= 0 {
		return t.pages[i]
	}
	return nil
}

// lineWith is the number of the first line that contains part, 0 if there is none.
func lineWith(text, part string) int {
	before, _, ok := strings.Cut(text, part)
	if !ok {
		return 0
	}
	return strings.Count(before, "\n") + 1
}
