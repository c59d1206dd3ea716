package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
)

// A nameIndex knows where the packages declare their names, exported or not.
type nameIndex struct {
	where map[string]string // pkg.Name or pkg.Type.Member → /dir/file.go#Name
}

func indexNames(t *tree) *nameIndex {
	x := &nameIndex{where: map[string]string{}}
	for _, dir := range t.packages(".") {
		for _, name := range t.list(dir) {
			if isSource(name) {
				x.addFile(path.Join(dir, name), t.read(path.Join(dir, name)))
			}
		}
	}
	return x
}

func (x *nameIndex) addFile(name, text string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil || file.Name.Name == "main" {
		return // a program has no names for others to use
	}
	for _, d := range file.Decls {
		eachName(d, func(_ *ast.Ident, anchor string) {
			x.where[file.Name.Name+"."+anchor] = "/" + name + "#" + anchor
		})
	}
}

// nameForm is a name in code font: with a package, and with or without arguments in parentheses.
var nameForm = regexp.MustCompile(`^\*?([a-z]\w*\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)(?:\(.*\))?$`)

// find returns the path of a name's declaration.
func (x *nameIndex) find(code string) (where string, ok bool) {
	m := nameForm.FindStringSubmatch(strings.TrimSpace(code))
	if x == nil || m == nil {
		return "", false
	}
	where, ok = x.where[m[1]]
	return where, ok
}
