package verify

import (
	"go/ast"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	shapes   = "a file is one idea, and a function fits on a screen"
	docs     = "every package has a doc, which says what the package is"
	comments = "every exported declaration, and every field of an Options, has a comment"
	sleeps   = "a test that sleeps does so in a bubble, where hours pass in microseconds"
)

const (
	maxFileLines = 300 // the files of tests may be longer
	maxFuncLines = 60
	maxColumns   = 100 // a tab counts as one
)

func checkShapes(t *tree, report report) {
	for _, f := range t.source() {
		if n := strings.Count(f.text, "\n"); n > maxFileLines {
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

func checkPackageDocs(t *tree, report report) {
	documented := map[string]bool{}
	for _, f := range t.source() {
		doc, pkg := f.ast.Doc.Text(), f.ast.Name.Name
		documented[f.dir] = documented[f.dir] || doc != ""
		if doc != "" && pkg != "main" && !strings.HasPrefix(doc, "Package "+pkg+" ") {
			report(f.path, 1, "the doc does not begin with Package %s", pkg)
		}
	}
	for _, f := range t.source() {
		if !documented[f.dir] {
			report(f.path, 1, "package %s has no doc", f.ast.Name.Name)
		}
	}
}

func checkComments(t *tree, report report) {
	for _, f := range t.source() {
		for _, d := range f.ast.Decls {
			if f.ast.Name.Name == "main" {
				continue
			}
			for _, name := range uncommented(d) {
				report(f.path, f.lineOf(d.Pos()), "%s has no comment", name)
			}
		}
	}
}

// uncommented lists the exported names of a declaration that have no comment. A comment on a group
// of values is for all of them; a type needs its own. A method counts if its type is exported.
func uncommented(d ast.Decl) (names []string) {
	gen, _ := d.(*ast.GenDecl)
	if gen == nil {
		if docOf(d) == nil {
			names = declares(d)
		}
	} else if gen.Doc == nil || gen.Lparen.IsValid() {
		for _, spec := range gen.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Doc == nil {
					names = append(names, spec.Name.Name)
				}
			case *ast.ValueSpec:
				if spec.Doc == nil && spec.Comment == nil && gen.Doc == nil {
					names = append(names, declares(&ast.GenDecl{Specs: []ast.Spec{spec}})...)
				}
			}
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		typ, method, isMethod := strings.Cut(name, ".")
		return !ast.IsExported(typ) || isMethod && !ast.IsExported(method)
	})
	return append(names, silentOptions(gen)...)
}

// silentOptions lists the fields of an Options struct that have no comment and are not named in the
// comment of the struct, which says for example that a field is required.
func silentOptions(gen *ast.GenDecl) (names []string) {
	if gen == nil || len(declares(gen)) != 1 || !strings.HasSuffix(declares(gen)[0], "Options") {
		return nil
	}
	typ, _ := gen.Specs[0].(*ast.TypeSpec)
	ast.Inspect(typ, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && field.Doc == nil && field.Comment == nil {
			for _, name := range field.Names {
				if name.IsExported() && !strings.Contains(gen.Doc.Text(), name.Name) {
					names = append(names, name.Name)
				}
			}
		}
		return typ != nil && typ.Name.IsExported()
	})
	return names
}

// checkSleeps finds sleeps in a file with tests that opens no bubble and calls no function of its
// package that does, and in other test files of a package whose tests open no bubble.
func checkSleeps(t *tree, report report) {
	openers := map[string][]string{} // functions, by the folder of their package
	for _, f := range t.goFiles {
		for _, d := range f.ast.Decls {
			if f.test && (mentions(d, "synctest.Test") || mentions(d, "story.PlayInBubble")) {
				openers[f.dir] = append(openers[f.dir], declares(d)...)
			}
		}
	}
	for _, f := range t.goFiles {
		if !f.test || !strings.Contains(f.text, "time.Sleep") {
			continue
		}
		hasTests := slices.ContainsFunc(f.ast.Decls, func(d ast.Decl) bool {
			return strings.HasPrefix(strings.Join(declares(d), ""), "Test")
		})
		inBubble := !hasTests && openers[f.dir] != nil ||
			slices.ContainsFunc(openers[f.dir], func(name string) bool { return mentions(f.ast, name) })
		if !inBubble && mentions(f.ast, "time.Sleep") {
			report(f.path, 0, "time.Sleep outside a bubble")
		}
	}
}

// mentions reports whether code has a name, alone or behind its package.
func mentions(in ast.Node, name string) (does bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		if expr, ok := n.(ast.Expr); ok {
			pkg, last := typeName(expr)
			does = does || name == last || name == pkg+"."+last
		}
		return !does
	})
	return does
}
