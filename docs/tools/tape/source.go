package tape

import (
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"example.com/watchglass/docs/tools/repo"
)

// Source knows which line of source acted when a report is made (acts.go), and shows it. The
// function is taken from the call stack of the report, so it cannot get out of date.
type Source struct {
	prefix string   // of the names of files as the compiler has recorded them, with a slash
	root   fs.FS    // the module; empty if the source is not on this machine
	files  sync.Map // name → *goFile, as it was when it was first asked for
}

// NewSource returns the source of a module whose files are in fsys. If that is nil, nothing can be
// shown, and events say only which file and line reported them.
func NewSource(fsys fs.FS) *Source {
	if fsys == nil {
		fsys = embed.FS{}
	}
	_, file, _, _ := runtime.Caller(0)
	prefix, _ := strings.CutSuffix(filepath.ToSlash(file), "docs/tools/tape/source.go")
	return &Source{prefix: prefix, root: fsys}
}

// OpenSource finds the module around the current folder.
func OpenSource() *Source {
	top, err := repo.Root()
	if err != nil {
		return NewSource(nil)
	}
	return NewSource(os.DirFS(top))
}

// ReadFile returns a file of the module.
func (l *Source) ReadFile(name string) ([]byte, error) { return fs.ReadFile(l.root, name) }

// nameAt is the name of the function around a line. The compiler's own name is used only where
// there is no source: it names inlined functions and closures, which a reader would not look for.
func (l *Source) nameAt(file string, line int, compiled string) string {
	if f, err := l.file(file); err == nil {
		if name, _, _ := f.around(line); name != "" {
			return name
		}
	}
	_, name, _ := strings.Cut(path.Base(compiled), ".") // without the package
	return name
}

// Excerpt is the answer to GET /source.
type Excerpt struct {
	File  string       `json:"file"`
	Line  int          `json:"line"`
	Func  string       `json:"func"`
	Lines []SourceLine `json:"lines"`
}

// SourceLine is a line with its number.
type SourceLine struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

// maxExcerpt is how many lines of source are shown at most.
const maxExcerpt = 40

// Excerpt shows the function around a line, or the lines around it if there is none or if it is
// long.
func (l *Source) Excerpt(name string, line int) (*Excerpt, error) {
	f, err := l.file(name)
	if err != nil {
		return nil, err
	}
	if line < 1 || line > len(f.lines) {
		return nil, fmt.Errorf("%s has %d lines, so there is no line %d", name, len(f.lines), line)
	}
	function, first, last := f.around(line)
	if function == "" {
		first, last = 1, len(f.lines)
	}
	if last-first >= maxExcerpt {
		first = max(first, min(line-maxExcerpt/2, last-maxExcerpt+1))
		last = first + maxExcerpt - 1
	}
	e := &Excerpt{File: name, Line: line, Func: function}
	for n := first; n <= last; n++ {
		e.Lines = append(e.Lines, SourceLine{n, f.lines[n-1]})
	}
	return e, nil
}

// goFile is a file of the module.
type goFile struct {
	lines     []string
	functions []function
}

type function struct {
	name        string
	first, last int // lines
}

// file reads a file of the module, once.
func (l *Source) file(name string) (*goFile, error) {
	if path.Ext(name) != ".go" || !fs.ValidPath(name) {
		return nil, fmt.Errorf("file %.100q is not a Go file of the module", name)
	}
	if known, ok := l.files.Load(name); ok {
		return known.(*goFile), nil
	}
	text, err := fs.ReadFile(l.root, name)
	if err != nil {
		return nil, fmt.Errorf("file %.100q cannot be read from the module", name)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	f := &goFile{lines: lines, functions: functions(text)}
	l.files.Store(name, f)
	return f, nil
}

// around returns the function that a line is in, and its first and last line. name is "" if the
// line is in none.
func (f *goFile) around(line int) (name string, first, last int) {
	for _, fn := range f.functions {
		if fn.first <= line && line <= fn.last {
			return fn.name, fn.first, fn.last
		}
	}
	return "", 0, 0
}

// functions returns the functions that a file declares. A file that does not parse has none.
func functions(text []byte) (found []function) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, d := range parsed.Decls {
		if _, ok := d.(*ast.FuncDecl); ok {
			first, last := files.Position(d.Pos()).Line, files.Position(d.End()).Line
			found = append(found, function{repo.Names(d)[0].Text, first, last})
		}
	}
	return found
}

// ofInformer is the folder of the stories that a machine can play.
const ofInformer = "informer/testdata/"

// Story reads a story: a file or, in the module, one of the informer's stories, by a part of its
// name.
func (l *Source) Story(name string) (Story, error) {
	text, err := os.ReadFile(name)
	if err == nil {
		return Story{Name: filepath.Base(name), Text: string(text)}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) || strings.Contains(name, "/") {
		return Story{}, err
	}
	files, err := fs.Glob(l.root, ofInformer+"*.story")
	if err != nil {
		return Story{}, err
	}
	found := slices.DeleteFunc(files, func(file string) bool {
		return !strings.Contains(path.Base(file), name)
	})
	if len(found) != 1 {
		return Story{}, fmt.Errorf("%d stories have %q in their name, expected one: %s", len(found), name,
			strings.Join(found, " "))
	}
	return l.StoryAt(found[0])
}

// StoryAt reads a story of the module, given by its file.
func (l *Source) StoryAt(file string) (Story, error) {
	text, err := l.ReadFile(file)
	return Story{Name: path.Base(file), Text: string(text)}, err
}
