package main

import (
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
	"strings"
	"sync"
)

// lines knows which line of source made a report, and shows it. The line is taken from the call
// stack at the moment of the report, so it cannot get out of date.
type lines struct {
	prefix string   // of the names of files as the compiler has recorded them, with a slash
	root   *os.Root // the module, nil if the source is not on this machine
	names  sync.Map // file:line → the name of the function there
}

// newLines finds the module that this program was built from, at the place where it was built or,
// failing that, around the current folder. The caller closes it.
func newLines() *lines {
	_, file, _, _ := runtime.Caller(0)
	prefix, _ := strings.CutSuffix(filepath.ToSlash(file), "docs/live/source.go")
	l := &lines{prefix: prefix}
	for _, dir := range append([]string{prefix}, foldersAbove()...) {
		if _, err := os.Stat(filepath.Join(dir, "docs", "live", "source.go")); err != nil {
			continue
		}
		if root, err := os.OpenRoot(dir); err == nil {
			l.root = root
			break
		}
	}
	return l
}

// foldersAbove returns the current folder and all above it.
func foldersAbove() (dirs []string) {
	dir, err := os.Getwd()
	for err == nil && (len(dirs) == 0 || dir != dirs[len(dirs)-1]) {
		dirs, dir = append(dirs, dir), filepath.Dir(dir)
	}
	return dirs
}

func (l *lines) close() {
	if l.root != nil {
		_ = l.root.Close()
	}
}

// own is where this program lies.
const own = "docs/live/"

// caller returns the line that made a report: the innermost one on the stack that is not of this
// program. The name of the file begins at the top of the module. It is "" for what no stage
// reports, such as a button that was pressed.
func (l *lines) caller() (file string, line int, function string) {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		name, inModule := strings.CutPrefix(filepath.ToSlash(f.File), l.prefix)
		if inModule && l.prefix != "" && !strings.HasPrefix(name, own) {
			return name, f.Line, l.nameAt(name, f.Line, f.Function)
		}
		if !more {
			return "", 0, ""
		}
	}
}

// nameAt is the name of the function around a line. The compiler's own name is used only where
// there is no source: it tells of inlining and closures, and not of what a reader would look for.
func (l *lines) nameAt(file string, line int, compiled string) string {
	at := fmt.Sprintf("%s:%d", file, line)
	if name, ok := l.names.Load(at); ok {
		return name.(string)
	}
	name := shortFunc(compiled)
	if l.root != nil {
		if text, err := l.root.ReadFile(filepath.FromSlash(file)); err == nil {
			if inSource, _, _ := enclosing(text, line); inSource != "" {
				name = inSource
			}
		}
	}
	l.names.Store(at, name)
	return name
}

// shortFunc is the name of a function without the path of its package and without marks of the
// compiler: DeltaFIFO.enqueue.
func shortFunc(name string) string {
	name = name[strings.LastIndex(name, "/")+1:]
	_, name, _ = strings.Cut(name, ".")
	name = strings.NewReplacer("(*", "", ")", "", "[...]", "").Replace(name)
	if i := strings.Index(name, ".func"); i > 0 {
		name = name[:i]
	}
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

var errNoSource = errors.New("the source of this program is not on this machine")

// excerpt shows the function around a line, or the lines around it if there is none or if it is
// long.
func (l *lines) excerpt(file string, line int) (*Excerpt, error) {
	if l.root == nil {
		return nil, errNoSource
	}
	if path.Ext(file) != ".go" || !fs.ValidPath(file) {
		return nil, fmt.Errorf("file %.100q is not a Go file of the module", file)
	}
	text, err := l.root.ReadFile(filepath.FromSlash(file))
	if err != nil {
		return nil, fmt.Errorf("file %.100q cannot be read from the module", file)
	}
	all := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if line < 1 || line > len(all) {
		return nil, fmt.Errorf("%s has %d lines, so there is no line %d", file, len(all), line)
	}
	name, first, last := enclosing(text, line)
	if name == "" {
		first, last = 1, len(all)
	}
	if last-first >= maxExcerpt {
		first = max(first, min(line-maxExcerpt/2, last-maxExcerpt+1))
		last = first + maxExcerpt - 1
	}
	e := &Excerpt{File: file, Line: line, Func: name}
	for n := first; n <= last; n++ {
		e.Lines = append(e.Lines, SourceLine{n, all[n-1]})
	}
	return e, nil
}

// enclosing returns the function that a line is in, and its first and last line. name is "" if the
// line is in none.
func enclosing(text []byte, line int) (name string, first, last int) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return "", 0, 0
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		first, last := files.Position(d.Pos()).Line, files.Position(d.End()).Line
		if ok && first <= line && line <= last {
			return funcName(f), first, last
		}
	}
	return "", 0, 0
}

// funcName is the name with the type of the receiver, if there is one.
func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.Ident:
			return t.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}
