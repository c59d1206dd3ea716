package main

import (
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// A nameIndex holds the place of each name that a package declares, exported or not, as
// /dir/file.go#Name: under pkg.Name and pkg.Type.Member, and for a test under its name. If several
// packages have a test of that name, its place is "".
type nameIndex map[string]string

var testForm = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]\w*$`)

func indexNames(t *repo.Tree) nameIndex {
	x := nameIndex{}
	for _, file := range t.Files(".") {
		if path.Ext(file) != ".go" || strings.Contains(file, "testdata/") {
			continue
		}
		pkg, names := namesIn(t.Read(file))
		for name := range names {
			key, where := name, "/"+file+"#"+name
			_, known := x[name]
			switch {
			case !isSource(file) && !testForm.MatchString(name), isSource(file) && pkg == "main":
				continue // a program has no names for others
			case isSource(file):
				key = pkg + "." + name
			case known:
				where = ""
			}
			x[key] = where
		}
	}
	return x
}

// nameForm is a name in code font: with a package, and with or without arguments in parentheses.
var nameForm = regexp.MustCompile(`^\*?([a-z]\w*\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)(?:\(.*\))?$`)

// find returns the place of what text in code font names, or "".
func (x nameIndex) find(code string) string {
	if m := nameForm.FindStringSubmatch(code); m != nil {
		code = m[1]
	}
	return x[code]
}

// namesIn returns the package of a Go file, and the names that it declares with their lines. Of
// code that does not parse, it returns what it can read.
func namesIn(text string) (pkg string, lines map[string]int) {
	set, lines := token.NewFileSet(), map[string]int{}
	file, _ := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	for _, d := range file.Decls {
		for _, name := range repo.Names(d) {
			lines[name.Text] = set.Position(name.At.Pos()).Line
		}
	}
	return file.Name.Name, lines
}
