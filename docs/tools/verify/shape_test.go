package verify

import (
	"go/ast"
	"go/doc"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/watchglass/docs/tools/repo"
)

const (
	shapes = "a file is one idea, and a function fits on a screen"
	docs   = "every package, every exported declaration, and every field of an Options has a comment"
	sleeps = "a test that sleeps does so in a bubble, where hours pass in microseconds"
)

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
	packages := map[string][]*ast.File{}
	for _, f := range t.source() {
		packages[f.dir] = append(packages[f.dir], f.ast)
	}
	for dir, files := range packages {
		pkg, err := doc.NewFromFiles(fileSet, files, path.Join(repo.Module, dir), doc.AllDecls|doc.PreserveAST)
		switch {
		case err != nil || pkg.Doc == "":
			report(dir, 0, "the package has no doc; %v", err)
		case pkg.Name != "main" && !strings.HasPrefix(pkg.Doc, "Package "+pkg.Name+" "):
			report(dir, 0, "the doc does not begin with Package %s", pkg.Name)
		case pkg.Name != "main":
			checkComments(pkg, report)
		}
	}
}

func checkComments(pkg *doc.Package, report report) {
	says := func(comment, name string, at ast.Node) {
		if where := fileSet.Position(at.Pos()); comment == "" && ast.IsExported(name) {
			report(where.Filename, where.Line, "%s has no comment", name)
		}
	}
	values := func(all []*doc.Value) {
		for _, v := range all {
			for _, spec := range v.Decl.Specs { // the comment of a group is for all of it
				spec := spec.(*ast.ValueSpec)
				says(v.Doc+spec.Doc.Text()+spec.Comment.Text(), spec.Names[0].Name, spec)
			}
		}
	}
	funcs := func(all []*doc.Func) {
		for _, f := range all {
			says(f.Doc, f.Name, f.Decl)
		}
	}
	values(slices.Concat(pkg.Consts, pkg.Vars))
	funcs(pkg.Funcs)
	for _, typ := range pkg.Types {
		says(typ.Doc, typ.Name, typ.Decl)
		values(slices.Concat(typ.Consts, typ.Vars))
		funcs(typ.Funcs)
		if ast.IsExported(typ.Name) {
			funcs(typ.Methods)
		}
		if !ast.IsExported(typ.Name) || !strings.HasSuffix(typ.Name, "Options") {
			continue
		}
		for _, field := range repo.Fields(typ.Decl.Specs[0].(*ast.TypeSpec).Type) {
			for _, name := range field.Names {
				if !strings.Contains(typ.Doc, name.Name) { // for example as one that is required
					says(field.Doc.Text()+field.Comment.Text(), name.Name, field)
				}
			}
		}
	}
}

// checkSleeps finds sleeps in packages whose tests open no bubble. A sleep outside one, in a package
// that has bubbles, is left to the reader.
func checkSleeps(t *tree, report report) {
	bubbles := map[string]bool{}
	for _, f := range t.goFiles {
		bubbles[f.dir] = bubbles[f.dir] || f.test &&
			(mentions(f.ast, "synctest.Test") || mentions(f.ast, "story.PlayInBubble"))
	}
	for _, f := range t.goFiles {
		if f.test && !bubbles[f.dir] && mentions(f.ast, "time.Sleep") {
			report(f.path, 0, "time.Sleep outside a bubble")
		}
	}
}

// mentions reports whether code has a name, alone or behind its package.
func mentions(in ast.Node, name string) (does bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		if expr, ok := n.(ast.Expr); ok {
			pkg, last := repo.TypeName(expr)
			does = does || name == last || name == pkg+"."+last
		}
		return !does
	})
	return does
}
