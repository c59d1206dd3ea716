// Package index knows what is in this repository: what the identifiers in its Go files mean, who
// shows each declaration (chapters, stories, laws and other code), and what can be searched for.
//
//	x := index.Load(tree)
//	for _, link := range x.Links("deltafifo/pop.go") { … } // bytes, and what they lead to
//	shown := x.Shown("deltafifo/pop.go#DeltaFIFO.Pop")
//	entries := x.Entries(tapes) // places in the repository; JSON packs them for search.js
//
// A declaration is called file#Name or file#Type.Member, as package repo lists names; those are the
// anchors of source pages, too.
//
// # How it works
//
// All packages are checked by go/types: first without the bodies of functions, as an import needs
// them, then whole, with their tests. An object is known by its position, which is the same for all
// instances of generic code and for each time that a package is checked.
//
// # What is not promised
//
// Packages from elsewhere are not read: that would need compiled ones, or seconds. So one
// identifier in a hundred has no link, such as a field of what slices.Clone has returned. Code that
// does not compile is not an error, since exercises are unfinished: what cannot be resolved has no
// link.
package index

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
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
	files map[string]*file
	names map[string]string // see Find
	decls map[token.Pos]string
	shown map[string]*Shown
}

type file struct {
	name, text string
	ast        *ast.File // as much of it as parses
	links      []Link    // by their start
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
				line := x.tree.Set.Position(n.At.Pos()).Line
				lines[line] = append(lines[line], n.Text)
			}
		}
	}
	return lines
}

// Excerpt returns the links of an excerpt, as bytes of its text. from is file#Name. A line that
// does not stand in the declaration, such as …, has no links.
func (x *Index) Excerpt(from, text string) (links []Link) {
	name, declared, _ := strings.Cut(from, "#")
	f := x.files[name]
	if f == nil {
		return nil
	}
	start, end := 0, 0
	for _, d := range f.ast.Decls {
		if slices.ContainsFunc(repo.Names(d), func(n repo.Name) bool { return n.Text == declared }) {
			start, end = x.offset(d.Pos()), x.offset(d.End())
		}
	}
	at := 0
	for line := range strings.Lines(text) {
		plain := strings.Trim(line, "\n")
		if i := strings.Index("\n"+f.text[start:end]+"\n", "\n"+plain+"\n"); i >= 0 {
			for _, l := range f.links {
				if l.Start >= start+i && l.End <= start+i+len(plain) {
					links = append(links, Link{l.Start - start - i + at, l.End - start - i + at, l.To})
				}
			}
		}
		at += len(line)
	}
	return links
}

func (x *Index) offset(pos token.Pos) int { return x.tree.Set.PositionFor(pos, false).Offset }

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

// Load reads and checks all Go files of a repository, and reads its chapters.
func Load(tree *repo.Tree) *Index {
	x := &Index{tree: tree, files: map[string]*file{}, names: map[string]string{},
		decls: map[token.Pos]string{}, shown: map[string]*Shown{}}
	c := &checker{x: x, folders: map[string][]*file{}, imported: map[string]*types.Package{}}
	for _, name := range tree.Files(".") {
		if path.Ext(name) != ".go" || strings.Contains(name, "testdata/") {
			continue
		}
		f := &file{name: name, text: tree.Read(name), ast: tree.Go(name)}
		x.files[name] = f
		x.declare(f)
		c.folders[path.Dir(name)] = append(c.folders[path.Dir(name)], f)
	}
	for _, dir := range slices.Sorted(maps.Keys(c.folders)) {
		for _, system := range []string{"linux", "js"} {
			c.tested = nil
			c.tested = c.check(dir, c.matching(dir, system, isInside), false)
			c.check(dir, c.matching(dir, system, isOutside), false)
		}
	}
	x.chapters()
	return x
}
