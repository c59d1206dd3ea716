package verify

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/page"
	"example.com/watchglass/docs/tools/repo"
)

// A rule is a promise about the repository, with the function that reports where it is broken.
type rule struct {
	promise string
	remedy  string // what an author should do about a finding
	check   func(*tree, report)
}

// A report takes one finding. Lines are counted from 1; line 0 stands for the whole file.
type report func(file string, line int, format string, args ...any)

var rules = []rule{
	{blocks, "STORY=rewrite go test ./docs/tools/verify writes stories, diagrams and what commands " +
		"print; " +
		"then read the difference. Copy excerpts of code by hand: your change is fine, it is the " +
		"page that is out of date. A line with only … stands for lines left out.", checkBlocks},
	{origins, "put <!-- source: file#Name --> above the block; an Example is a good source.", checkOrigins},
	{folded, "put the story into the fold of the answer, or below the next heading.", checkFolded},
	{played, "write the name that the story's file has now.", checkPlayed},
	{inFont, "use the name that the code has now. Write a name of client-go with its path, as in " +
		"`util/workqueue.Interface`: such names are not checked.", checkNames},
	{upstream, "read the source, then write into the row what the page says now; see " + upstreamPage +
		".", checkUpstream},
	{found, "link to the page, to the file with the package's doc comment, or to the story from a " +
		"chapter, " +
		"or quote the story.", checkFound},
	{dictionary, "put the name into the table of its package, in the first cell, in code font: Name " +
		"or Type.Method; the second cell is its name in client-go, or –.", checkDictionary},
	{imports, "declare what you need as a small interface of your own, and let informer pass it in; " +
		"give a new package a row of mayImport in docs/tools/verify/house_test.go. In the place of " +
		"another module, " +
		"write the few lines that you need: everything here is built from scratch.", checkImports},
	{narrow, "break the line where a thought ends. Addresses, raw strings and rows of tables may be " +
		"wider.", checkWidth},
	{single, "give each statement and each declaration a line of its own, and let braces end or " +
		"begin lines.", checkStatements},
	{top, "move the file into its package; put what a tool leaves behind into .gitignore.", checkTop},
	{named, "name the file that has it now, or the declaration: paths begin at the top or in the package.", checkNamedFiles},
}

func TestTheRepositoryKeepsEveryRule(t *testing.T) {
	tree := theRepo(t)
	for _, r := range rules {
		t.Run(r.promise, func(t *testing.T) {
			r.check(tree, func(file string, line int, format string, args ...any) {
				t.Errorf("%s:%d: %s\n\tWhat to do: %s", file, line, fmt.Sprintf(format, args...), r.remedy)
			})
		})
	}
}

const root = "../../.." // the folder of the repository

// A tree is the repository as the rules see it: every file, read once, without those that
// .gitignore names.
type tree struct {
	files   map[string]string  // path → text; paths have slashes and no leading "./"
	goFiles map[string]*goFile // those of packages
	pages   map[string]*mdPage // the Markdown files
	bubble  func(func())       // runs a function with a clock of its own
}

// A goFile is one source file of a package: files in testdata are not, and neither are the files
// that a reader of the workshop writes.
type goFile struct {
	path, dir string // the root package has the dir "."
	test      bool   // whether it holds tests
	ast       *ast.File
}

// fileSet has the positions of all files.
var fileSet = token.NewFileSet()

func (f *goFile) lineOf(pos token.Pos) int { return fileSet.Position(pos).Line }

// theRepo returns the repository of this file. Under STORY=rewrite, it first brings the pages up to
// date.
func theRepo(t *testing.T) *tree {
	t.Helper()
	read := readTree(t)
	if os.Getenv("STORY") != "rewrite" {
		return read
	}
	for name, p := range read.pages {
		at := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.WriteFile(at, []byte(read.rewritten(p)), 0o644))
	}
	return readTree(t)
}

func readTree(t *testing.T) *tree {
	bubble := func(f func()) { synctest.Test(t, func(*testing.T) { f() }) }
	read := &tree{map[string]string{}, map[string]*goFile{}, map[string]*mdPage{}, bubble}
	files := repo.Open(os.DirFS(root))
	for _, name := range files.Files(".") {
		read.add(name, files.Read(name))
	}
	return read
}

func (t *tree) add(name, text string) {
	t.files[name] = text
	switch {
	case path.Ext(name) == ".md":
		t.pages[name] = parsePage(name, text)
	case path.Ext(name) == ".go" && !isAnswer(name) && !strings.Contains(name, "testdata/"):
		f := &goFile{path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go")}
		var err error
		if f.ast, err = parser.ParseFile(fileSet, name, text, parser.ParseComments); err == nil {
			t.goFiles[name] = f // go vet reports the others
		}
	}
}

var answer = regexp.MustCompile(`^docs/workshop/([1-9]_[1-9]_[a-z]+/[a-z]+\.go|finale/[^/]*\.story)$`)

// isAnswer reports whether a reader of the workshop writes this file: the rules do not apply to it.
// The files as they are handed out are checked by go run ./docs/workshop check.
func isAnswer(name string) bool { return answer.MatchString(name) }

// source returns the Go files without the tests.
func (t *tree) source() (files []*goFile) {
	for _, f := range t.goFiles {
		if !f.test {
			files = append(files, f)
		}
	}
	return files
}

// page returns the page with this path. It is empty if there is none.
func (t *tree) page(name string) *mdPage {
	return cmp.Or(t.pages[name], &mdPage{path: name, Page: &page.Page{}})
}

// An mdPage is a Markdown file.
type mdPage struct {
	path string
	*page.Page
	links []pageLink
}

// each calls f for each span of the page.
func (p *mdPage) each(f func(page.Span)) {
	for _, text := range p.Texts() {
		page.Each(text, f)
	}
}

var (
	elsewhere = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:|^//`)
	runStory  = regexp.MustCompile(`-run '?TestStories/([\w./]+)'? +\./([\w/]+)`)
)

// A pageLink is a relative link on a page.
type pageLink struct {
	line int
	name string // the path from the top of the repository
}

// parsePage parses a page, and lists its relative links and the stories that its commands play.
func parsePage(name, text string) *mdPage {
	p := &mdPage{path: name, Page: page.Parse(text)}
	p.each(func(s page.Span) {
		file, _, _ := strings.Cut(s.Target, "#")
		if s.Kind == page.Link && file != "" && !elsewhere.MatchString(file) {
			p.links = append(p.links, pageLink{s.Line, path.Join(path.Dir(name), file)})
		}
	})
	for i, line := range p.Lines {
		for _, m := range runStory.FindAllStringSubmatch(line, -1) {
			story := path.Join(m[2], "testdata", m[1]+".story")
			p.links = append(p.links, pageLink{i + 1, story})
		}
	}
	return p
}
