package verify

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits for files and functions, so that a reader can take them in. The files of tests may be
// longer.
const (
	maxFileLines = 300
	maxFuncLines = 60
	maxColumns   = 100 // a tab counts as one
	maxNesting   = 4
)

var shapeRules = []rule{
	{
		name:    "a file is one idea",
		promise: "no source file has more than 300 lines, no line more than 100 columns.",
		remedy:  "move the second idea of the file to a file of its own; break the line.",
		check:   checkFiles,
	},
	{
		name:    "a function fits on a screen",
		promise: "no function has more than 60 lines, or nests deeper than 4.",
		remedy:  "make a function of a part that can be named.",
		check:   checkFunctions,
	},
	{
		name:    "every package has a doc",
		promise: "every package has a doc comment, which says what the package is.",
		remedy:  "write a doc.go: what it is, smallest use, promises, what is not promised.",
		check:   checkPackageDocs,
	},
	{
		name:    "what is exported is explained",
		promise: "every exported declaration, and every field of an Options, has a comment.",
		remedy:  "say what it is, what zero or nil means, and what breaks otherwise.",
		check:   checkDocs,
	},
}

func checkFiles(t *tree) (found []finding) {
	for _, f := range t.source() {
		lines := strings.Split(strings.TrimSuffix(f.text, "\n"), "\n")
		if len(lines) > maxFileLines {
			found = append(found, finding{f.path, 0, fmt.Sprintf("%d lines", len(lines))})
		}
		for i, line := range lines {
			if columns := utf8.RuneCountInString(line); columns > maxColumns {
				found = append(found, finding{f.path, i + 1, fmt.Sprintf("%d columns", columns)})
			}
		}
	}
	return found
}

func checkFunctions(t *tree) (found []finding) {
	for _, f := range t.source() {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			at := f.lineOf(fn.Pos())
			if lines := f.lineOf(fn.End()) - at + 1; lines > maxFuncLines {
				found = append(found, finding{f.path, at,
					fmt.Sprintf("%s has %d lines", fn.Name.Name, lines)})
			}
			if depth := nesting(fn.Body); depth > maxNesting {
				found = append(found, finding{f.path, at,
					fmt.Sprintf("%s nests %d deep", fn.Name.Name, depth)})
			}
		}
	}
	return found
}

// nesting is how deep statements that contain others, and function literals, are nested in n. An
// else if is as deep as its if.
func nesting(n ast.Node) (deepest int) {
	ast.Inspect(n, func(child ast.Node) bool {
		if child == nil || child == n {
			return true
		}
		switch c := child.(type) {
		case *ast.IfStmt:
			deepest = max(deepest, 1+nesting(c.Body))
			if c.Else != nil {
				deepest = max(deepest, nestingOfElse(c.Else))
			}
			return false
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt,
			*ast.FuncLit:
			deepest = max(deepest, 1+nesting(c))
			return false
		}
		return true
	})
	return deepest
}

func nestingOfElse(n ast.Stmt) int {
	if elseIf, ok := n.(*ast.IfStmt); ok {
		return nesting(&ast.BlockStmt{List: []ast.Stmt{elseIf}})
	}
	return 1 + nesting(n)
}

func checkPackageDocs(t *tree) (found []finding) {
	documented, first := map[string]bool{}, map[string]*goFile{}
	for _, f := range t.source() {
		if first[f.dir] == nil {
			first[f.dir] = f
		}
		if f.ast.Doc == nil {
			continue
		}
		documented[f.dir] = true
		if pkg := f.ast.Name.Name; pkg != "main" && !strings.HasPrefix(f.ast.Doc.Text(), "Package "+pkg+" ") {
			found = append(found, finding{f.path, 1, "the doc does not begin with Package " + pkg})
		}
	}
	for dir, f := range first {
		if !documented[dir] {
			found = append(found, finding{f.path, 1, "package " + f.ast.Name.Name + " has no doc"})
		}
	}
	slices.SortFunc(found, func(a, b finding) int { return strings.Compare(a.file, b.file) })
	return found
}

func checkDocs(t *tree) (found []finding) {
	for _, f := range t.source() {
		if f.ast.Name.Name == "main" {
			continue
		}
		for _, d := range f.ast.Decls {
			for _, name := range undocumented(d) {
				found = append(found, finding{f.path, f.lineOf(name.Pos()), name.Name + " has no comment"})
			}
		}
	}
	return found
}

// undocumented lists the exported names of a declaration that have no comment. A comment on a group
// of values is for all of them; a type needs its own. A method counts if its type is exported.
func undocumented(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if receiver := receiverOf(d); d.Doc == nil && d.Name.IsExported() &&
			(receiver == "" || ast.IsExported(receiver)) {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if !hasComment(d, spec) {
				names = append(names, exported(specNames(spec))...)
			}
			names = append(names, silentOptions(d, spec)...)
		}
	}
	return names
}

func hasComment(d *ast.GenDecl, spec ast.Spec) bool {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return spec.Doc != nil || d.Doc != nil && !d.Lparen.IsValid()
	case *ast.ValueSpec:
		return spec.Doc != nil || spec.Comment != nil || d.Doc != nil
	}
	return d.Tok == token.IMPORT
}

// silentOptions lists the fields of an Options struct that have no comment and are not named in the
// comment of the struct, which says for example that a field is required.
func silentOptions(d *ast.GenDecl, spec ast.Spec) (names []*ast.Ident) {
	typ, ok := spec.(*ast.TypeSpec)
	if !ok || !strings.HasSuffix(typ.Name.Name, "Options") || !typ.Name.IsExported() {
		return nil
	}
	fields, ok := typ.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, field := range fields.Fields.List {
		if field.Doc == nil && field.Comment == nil {
			names = append(names, exported(field.Names)...)
		}
	}
	return slices.DeleteFunc(names, func(n *ast.Ident) bool {
		return strings.Contains(d.Doc.Text()+typ.Doc.Text(), n.Name)
	})
}

func exported(names []*ast.Ident) []*ast.Ident {
	return slices.DeleteFunc(slices.Clone(names), func(n *ast.Ident) bool { return !n.IsExported() })
}
