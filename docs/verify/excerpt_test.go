package verify

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

func checkExcerpts(t *tree) (found []finding) {
	t.eachBlock(func(p *page, b block) {
		if b.marker.kind != "source" {
			return
		}
		wholes, err := t.sourceOf(b.marker.arg)
		if err != nil {
			found = append(found, finding{p.path, b.marker.line, err.Error()})
			return
		}
		if at, what := matchExcerpt(b.lines, wholes); what != "" {
			found = append(found, finding{p.path, b.first + 1 + at,
				fmt.Sprintf("not in %s: %s", b.marker.arg, what)})
		}
	})
	return found
}

// sourceOf returns the lines that a marker names, once with the doc comment and once without: an
// excerpt may begin at either. Without a #Name it is the whole file.
func (t *tree) sourceOf(arg string) (wholes [][]string, err error) {
	name, decl := cutMarker(arg)
	text, ok := t.files[name]
	if !ok {
		return nil, fmt.Errorf("%w: there is no file %s", errNoSource, name)
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if decl == "" {
		return [][]string{lines}, nil
	}
	i := slices.IndexFunc(t.goFiles, func(f *goFile) bool { return f.path == name && f.ast != nil })
	if i < 0 {
		return nil, fmt.Errorf("%w: %s is not Go, so it declares no %s", errNoSource, name, decl)
	}
	doc, first, last := t.goFiles[i].span(decl)
	if first == 0 {
		return nil, fmt.Errorf("%w: %s declares no %s", errNoSource, name, decl)
	}
	return [][]string{lines[first-1 : last], lines[doc-1 : last]}, nil
}

// span finds a declaration: Name, or Type.Method. It returns the lines where its comment begins,
// where it begins and where it ends, all 0 if there is none. Of a group in parentheses, each member
// stands for the whole group.
func (f *goFile) span(decl string) (doc, first, last int) {
	for _, d := range f.ast.Decls {
		if !slices.Contains(declares(d), decl) {
			continue
		}
		first, last = f.lineOf(d.Pos()), f.lineOf(d.End())
		doc = first
		if comment := docOf(d); comment != nil {
			doc = f.lineOf(comment.Pos())
		}
		return doc, first, last
	}
	return 0, 0, 0
}

// declares lists the names that a declaration declares; a method is Type.Method.
func declares(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if receiver := receiverOf(d); receiver != "" {
			name = receiver + "." + name
		}
		names = append(names, name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			for _, name := range specNames(spec) {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

func specNames(spec ast.Spec) []*ast.Ident {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{spec.Name}
	case *ast.ValueSpec:
		return spec.Names
	}
	return nil
}

func docOf(d ast.Decl) *ast.CommentGroup {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	}
	return nil
}

// receiverOf is the name of a method's type, without star and type parameters, "" for a function.
func receiverOf(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	return typeName(d.Recv.List[0].Type)
}

// typeName is the name of a type as it was declared: T of *T, T[K] and pkg.T.
func typeName(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// matchExcerpt compares a block with the lines it quotes: the same lines in the same order, from
// the first to the last, except where the block has a line "…". It returns the index of the line
// that does not fit and what is wrong with it, "" if all lines fit.
func matchExcerpt(block []string, wholes [][]string) (at int, what string) {
	for _, whole := range wholes {
		if i, wrong := matchOne(block, whole); what == "" || wrong == "" || i > at {
			at, what = i, wrong
			if wrong == "" {
				return at, ""
			}
		}
	}
	return at, what
}

func matchOne(block, whole []string) (at int, what string) {
	if len(block) == 0 {
		return 0, "the block is empty"
	}
	next, anchored := 0, true // anchored: no gap yet, so the block begins where whole does
	for i := 0; i < len(block); i++ {
		if isGap(block[i]) {
			anchored = false
			continue
		}
		run := runFrom(block, i)
		toEnd := i+len(run) == len(block)
		start, longest := place(run, whole, next, anchored, toEnd)
		if start < 0 && longest == len(run) {
			return i + longest - 1, "the declaration goes on after this line; add a line with …"
		}
		if start < 0 {
			return i + longest, fmt.Sprintf("%q", block[i+longest])
		}
		next = start + len(run)
		i += len(run) - 1
	}
	return 0, ""
}

// place finds run in whole, at or after the index from: exactly there if anchored, and up to the
// end of whole if toEnd. If run fits nowhere, start is -1, and longest is how many of its lines
// fit.
func place(run, whole []string, from int, anchored, toEnd bool) (start, longest int) {
	for start := from; start < len(whole); start++ {
		n := 0
		for n < len(run) && start+n < len(whole) && same(run[n], whole[start+n]) {
			n++
		}
		longest = max(longest, n)
		if n == len(run) && (!toEnd || start+n == len(whole)) {
			return start, n
		}
		if anchored {
			break
		}
	}
	return -1, longest
}

func runFrom(block []string, i int) []string {
	run := block[i:]
	if end := slices.IndexFunc(run, isGap); end >= 0 {
		run = run[:end]
	}
	return run
}

func isGap(line string) bool {
	line = strings.TrimSpace(line)
	return line == "…" || line == "// …"
}

func same(quoted, written string) bool {
	return strings.TrimRight(quoted, " \t") == strings.TrimRight(written, " \t\r")
}
