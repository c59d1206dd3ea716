package main

import (
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// A nameIndex knows where the packages declare their names, exported or not, and where tests are.
type nameIndex struct {
	// where holds /dir/file.go#Name under pkg.Name, pkg.Type.Member and, for tests, under Name, or
	// ambiguous if several packages have a test of that name.
	where map[string]string
}

func indexNames(t *repo.Tree) *nameIndex {
	x := &nameIndex{where: map[string]string{}}
	for _, dir := range packages(t, ".") {
		for _, name := range t.List(dir) {
			if path.Ext(name) == ".go" {
				x.addFile(path.Join(dir, name), t.Read(path.Join(dir, name)))
			}
		}
	}
	return x
}

func (x *nameIndex) addFile(name, text string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return // its own page shows it as it is
	}
	for _, d := range file.Decls {
		for _, n := range slices.Concat(repo.Declared(d), repo.Members(d)) {
			where := "/" + name + "#" + n.Text
			switch {
			case isTest(name, n.Text) && x.where[n.Text] == "":
				x.where[n.Text] = where
			case isTest(name, n.Text):
				x.where[n.Text] = ambiguous
			case isSource(name) && file.Name.Name != "main": // a program has no names for others
				x.where[file.Name.Name+"."+n.Text] = where
			}
		}
	}
}

// ambiguous stands for the place of a name that is declared in several.
const ambiguous = "-"

func isTest(file, name string) bool {
	return strings.HasSuffix(file, "_test.go") && testForm.MatchString(name)
}

var (
	// nameForm is a name in code font: with a package, and with or without arguments in parentheses.
	nameForm = regexp.MustCompile(`^\*?([a-z]\w*\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)(?:\(.*\))?$`)
	testForm = regexp.MustCompile(`^(Test|Fuzz|Benchmark)[A-Z]\w*$`)
)

// find returns the path of a name's declaration.
func (x *nameIndex) find(code string) (where string, ok bool) {
	if x == nil {
		return "", false
	}
	name := strings.TrimSpace(code)
	if m := nameForm.FindStringSubmatch(name); m != nil {
		name = m[1]
	} else if !testForm.MatchString(name) {
		return "", false
	}
	where = x.where[name]
	return where, where != "" && where != ambiguous
}
