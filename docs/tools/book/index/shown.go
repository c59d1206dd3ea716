package index

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"example.com/watchglass/docs/tools/page"
	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/tape"
)

// Shown says who shows a declaration. No place is there twice.
type Shown struct {
	Chapters []Place // that quote it or name it in code font: page#heading
	Stories  []Place // in which it acted: the story's file
	Laws     []Place // tests that use it: file#Test, titled by the sentence that is promised
	Uses     []Place // declarations that use it: file#Name
}

// A Place leads to a place in the repository.
type Place struct{ At, Title string }

// Shown returns who shows a declaration. Those of its own package come before others.
func (x *Index) Shown(decl string) Shown {
	shown := x.shown[decl]
	if shown == nil {
		return Shown{}
	}
	nearFirst := func(a, b Place) int {
		isFar := func(p Place) int {
			return min(1,
				len(strings.TrimPrefix(path.Dir(p.At), path.Dir(decl))))
		}
		return cmp.Or(isFar(a)-isFar(b), cmp.Compare(a.At, b.At))
	}
	slices.SortStableFunc(shown.Laws, nearFirst)
	slices.SortStableFunc(shown.Uses, nearFirst)
	return *shown
}

func (x *Index) of(decl string) *Shown {
	if x.shown[decl] == nil {
		x.shown[decl] = &Shown{}
	}
	return x.shown[decl]
}

func add(places *[]Place, p Place) {
	if !slices.Contains(*places, p) {
		*places = append(*places, p)
	}
}

// Played adds a story, by its file, to the functions that acted on its tape.
func (x *Index) Played(story string, t *tape.Tape) {
	for _, e := range t.Events {
		if e.File != "" && e.Func != "" {
			add(&x.of(e.File+"#"+e.Func).Stories, Place{story, inWords(path.Base(story))})
		}
	}
}

// link keeps which identifiers of a file mean which declarations, and who uses these.
func (x *Index) link(f *file, uses map[*ast.Ident]types.Object) {
	for _, d := range f.ast.Decls {
		user := f.user(d)
		function, isFunc := d.(*ast.FuncDecl)
		isLaw := isFunc && f.isTest() && lawForm.MatchString(function.Name.Name)
		var around []ast.Node
		ast.Inspect(d, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			if spec, ok := n.(ast.Spec); ok && len(around) == 2 {
				user = f.user(&ast.GenDecl{Specs: []ast.Spec{spec}}) // of a group, each has uses of its own
			}
			id, _ := n.(*ast.Ident)
			to := x.decls[declared(uses[id])]
			if id == nil || to == "" {
				return true
			}
			start := x.offset(id.Pos())
			f.links = append(f.links, Link{start, start + len(id.Name), to})
			switch {
			case isLaw:
				add(&x.of(to).Laws, Place{user.At, cmp.Or(sentence(around), inWords(function.Name.Name))})
			case to != user.At && !f.isTest():
				add(&x.of(to).Uses, user)
			}
			return true
		})
	}
	slices.SortFunc(f.links, func(a, b Link) int { return a.Start - b.Start })
}

// user is the first name that a declaration declares.
func (f *file) user(d ast.Decl) Place {
	if names := repo.Names(d); len(names) > 0 {
		return Place{f.name + "#" + names[0].Text, names[0].Text}
	}
	return Place{At: f.name}
}

// declared is where an object is declared; of an embedded field, where its type is.
func declared(obj types.Object) token.Pos {
	if field, ok := obj.(*types.Var); ok && field.Embedded() {
		typ := field.Type()
		if pointer, ok := typ.(*types.Pointer); ok {
			typ = pointer.Elem()
		}
		switch typ := typ.(type) {
		case *types.Named:
			return typ.Obj().Pos()
		case *types.Alias:
			return typ.Obj().Pos()
		}
	}
	if obj == nil {
		return token.NoPos
	}
	return obj.Pos()
}

var lawForm = regexp.MustCompile(`^(Test|Fuzz|Example)`)

// sentence returns the name of the subtest or case that a node is in, "" if it is in none: a text
// of words among the arguments of the nearest call that is given a func, or the first one of a
// composite literal.
func sentence(around []ast.Node) string {
	for i, n := range slices.Backward(around[:len(around)-1]) {
		var candidates []ast.Expr
		switch n := n.(type) {
		case *ast.CallExpr:
			if _, isInFunc := around[i+1].(*ast.FuncLit); isInFunc {
				candidates = n.Args
			}
		case *ast.CompositeLit:
			candidates = n.Elts[:min(1, len(n.Elts))]
		case *ast.KeyValueExpr:
			candidates = []ast.Expr{n.Key}
		}
		for _, c := range candidates {
			if pair, ok := c.(*ast.KeyValueExpr); ok {
				c = pair.Value
			}
			if text, ok := c.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if s, err := strconv.Unquote(text.Value); err == nil && strings.Count(s, " ") > 1 {
					return s
				}
			}
		}
	}
	return ""
}

var (
	besidesWords = regexp.MustCompile(`^(Test|Fuzz)|^[0-9_]+|\.story$`)
	wordEnd      = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])`)
)

// inWords makes words of the name of a test or a story: of TestANewFIFOIsEmpty "a new FIFO is
// empty", of 2_no_storm.story "no storm".
func inWords(name string) string {
	if example, ok := strings.CutPrefix(name, "Example"); ok {
		return strings.TrimSuffix("example of "+strings.ReplaceAll(example, "_", "."), " of ")
	}
	name = strings.ReplaceAll(besidesWords.ReplaceAllString(name, ""), "_", " ")
	words := strings.Fields(wordEnd.ReplaceAllString(name, "$1$3 $2$4"))
	for i, w := range words {
		if len(w) < 2 || unicode.IsLower(rune(w[1])) {
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}

// chapters finds what the chapters show: what they quote stands before what they name.
func (x *Index) chapters() {
	var named []func()
	for _, name := range x.tree.List("docs") {
		if path.Ext(name) != ".md" {
			continue
		}
		name = "docs/" + name
		p := x.tree.Page(name)
		for _, s := range p.Sections() {
			at := Place{name + "#" + s.Anchor, p.Title()}
			if s.Level > 1 {
				at.Title += ": " + s.Heading
			}
			for _, b := range s.Blocks {
				if b.Kind == page.Code && b.From.Kind == "source" && strings.Contains(b.From.Arg, "#") {
					add(&x.of(b.From.Arg).Chapters, at)
				}
				named = append(named, x.named(b, at)...)
			}
		}
	}
	for _, add := range named {
		add()
	}
}

// named returns what adds a place to the declarations that a block names in code font.
func (x *Index) named(b page.Block, at Place) (adds []func()) {
	for _, text := range b.Texts() {
		page.Each(text, func(s page.Span) {
			if to := x.Find(s.Text); s.Kind == page.CodeFont && to != "" {
				adds = append(adds, func() { add(&x.of(to).Chapters, at) })
			}
		})
	}
	return adds
}
