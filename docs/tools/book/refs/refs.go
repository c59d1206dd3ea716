// Package refs knows what the identifiers in this repository's Go files mean, and who shows each
// declaration: chapters, stories, laws and other code.
//
//	x, err := refs.Load(top)
//	for _, link := range x.Links("deltafifo/pop.go") { … } // bytes of the file, and what they lead to
//	shown := x.Shown("deltafifo/pop.go#DeltaFIFO.Pop")
//
// A declaration is called file#Name or file#Type.Member, as package repo lists names; those are the
// anchors of source pages, too.
//
// # How it works
//
// All packages are parsed and checked by go/types (check.go): first without the bodies of functions,
// as an import needs them, then whole, with their tests. Packages from elsewhere come from the compiler's
// export data, for which the go command is asked once. An object is known by its position, which is
// the same for all instances of generic code and for each time that a package is checked.
//
// # What is not promised
//
// Code that does not compile is no error: an exercise is unfinished. What go/types cannot resolve has
// no link, nor has what only a function or a type in a function declares.
package refs

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// A Link is an identifier in a file, or in an excerpt of one, and the declaration that it means.
type Link struct {
	Start, End int // bytes
	To         string
}

// An Index knows the Go files of a repository. It does not change but by Played.
type Index struct {
	tree  *repo.Tree
	set   *token.FileSet
	files map[string]*file
	names map[string]string // see Find
	decls map[token.Pos]string
	shown map[string]*Shown
}

// A file is one that does parse, or as much of it as could be read.
type file struct {
	name, text string
	ast        *ast.File
	links      []Link // by their start
	isChecked  bool
}

func (f *file) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

// Links returns the links of a file in their order. They do not overlap.
func (x *Index) Links(name string) []Link {
	if f := x.files[name]; f != nil {
		return f.links
	}
	return nil
}

// Declared returns the names that a file declares, by their lines.
func (x *Index) Declared(name string) map[int][]string {
	lines := map[int][]string{}
	if f := x.files[name]; f != nil {
		for _, d := range f.ast.Decls {
			for _, n := range repo.Names(d) {
				line := x.set.Position(n.At.Pos()).Line
				lines[line] = append(lines[line], n.Text)
			}
		}
	}
	return lines
}

// Excerpt returns the links of an excerpt, as bytes of its text. from is file or file#Name. The
// lines of an excerpt stand in the file in the same order; a line that does not stand there, such as
// one with …, has no links.
func (x *Index) Excerpt(from, text string) (links []Link) {
	name, declared, _ := strings.Cut(from, "#")
	f := x.files[name]
	if f == nil {
		return nil
	}
	rest := 0 // from where on the next line can stand
	for _, d := range f.ast.Decls {
		for _, n := range repo.Names(d) {
			if n.Text == declared && d.Pos() > 0 {
				rest = strings.LastIndex(f.text[:x.offset(d.Pos())], "\n") + 1
			}
		}
	}
	at := 0
	for line := range strings.Lines(text) {
		plain := strings.TrimRight(line, "\n")
		if i := strings.Index("\n"+f.text[rest:]+"\n", "\n"+plain+"\n"); i >= 0 && plain != "" {
			start := rest + i
			for _, l := range f.links {
				if l.Start >= start && l.End <= start+len(plain) {
					links = append(links, Link{l.Start - start + at, l.End - start + at, l.To})
				}
			}
			rest = min(start+len(plain)+1, len(f.text))
		}
		at += len(line)
	}
	return links
}

func (x *Index) offset(pos token.Pos) int { return x.set.PositionFor(pos, false).Offset }

var (
	// nameForm is a name in code font: with a package, and with or without arguments.
	nameForm = regexp.MustCompile(`^\*?([a-z]\w*\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)(?:\(.*\))?$`)
	testForm = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]\w*$`)
)

// Find returns the declaration that text in code font names, pkg.Name, pkg.Type.Member or TestName,
// or "" if there is none. A test whose name other packages have, too, is not found.
func (x *Index) Find(code string) string {
	if m := nameForm.FindStringSubmatch(code); m != nil {
		code = m[1]
	}
	return x.names[code]
}

// declare enters what a file declares.
func (x *Index) declare(f *file) {
	pkg := f.ast.Name.Name
	for _, d := range f.ast.Decls {
		for _, n := range repo.Names(d) {
			where := f.name + "#" + n.Text
			x.decls[n.At.Pos()] = where
			_, known := x.names[n.Text]
			switch {
			case f.isTest() && testForm.MatchString(n.Text) && known:
				x.names[n.Text] = ""
			case f.isTest() && testForm.MatchString(n.Text):
				x.names[n.Text] = where
			case !f.isTest() && pkg != "main": // a program has no names for others
				x.names[pkg+"."+n.Text] = where
			}
		}
	}
}

// Files returns the Go files that the index knows, sorted.
func (x *Index) Files() (names []string) {
	for name := range x.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
