package verify

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
)

// nameInCode finds pkg.Name and pkg.Type.Name that are not part of a longer path or name.
var nameInCode = regexp.MustCompile(`(?:^|[^\w./])([a-z]\w*)\.([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?`)

// notANameButAFile: `indexer.story` is a file, not a name in package indexer.
var notANameButAFile = map[string]bool{"go": true, "md": true, "story": true, "http": true}

func checkNames(t *tree) (found []finding) {
	index := indexNames(t)
	for _, p := range t.pages {
		p.spans(func(line int, code string) {
			for _, m := range nameInCode.FindAllStringSubmatch(code, -1) {
				pkg, name, member := index[m[1]], m[2], m[3]
				if pkg == nil || notANameButAFile[name] {
					continue
				}
				if !index.has(m[1], name, member, maxEmbedding) {
					found = append(found, finding{p.path, line, fmt.Sprintf("package %s has no %s",
						m[1], strings.TrimSuffix(name+"."+member, "."))})
				}
			}
		})
	}
	return found
}

// names has what each of our packages declares, exported or not, by the package's name.
type names map[string]map[string]*symbol

// A symbol is a name declared at the top level of a package. A type has members: its fields and
// methods, and what it embeds.
type symbol struct {
	members map[string]bool
	embeds  [][2]string // package and name of embedded types
}

func indexNames(t *tree) names {
	index := names{}
	for _, f := range t.built() {
		if f.ast.Name.Name == "main" {
			continue // a program has no names for others to use
		}
		for _, d := range f.ast.Decls {
			index.add(f.pkg(), d)
		}
	}
	return index
}

func (n names) symbol(pkg, name string) *symbol {
	if n[pkg] == nil {
		n[pkg] = map[string]*symbol{}
	}
	if n[pkg][name] == nil {
		n[pkg][name] = &symbol{members: map[string]bool{}}
	}
	return n[pkg][name]
}

func (n names) add(pkg string, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if receiver := receiverOf(d); receiver != "" {
			n.symbol(pkg, receiver).members[d.Name.Name] = true
			return
		}
		n.symbol(pkg, d.Name.Name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			for _, name := range specNames(spec) {
				n.symbol(pkg, name.Name)
			}
			if typ, ok := spec.(*ast.TypeSpec); ok {
				n.symbol(pkg, typ.Name.Name).addType(pkg, typ.Type)
			}
		}
	}
}

// addType adds the members of a struct or an interface. An alias of another type, or a definition
// by one, counts as embedding it.
func (s *symbol) addType(pkg string, expr ast.Expr) {
	var fields *ast.FieldList
	switch e := expr.(type) {
	case *ast.StructType:
		fields = e.Fields
	case *ast.InterfaceType:
		fields = e.Methods
	default:
		s.embed(pkg, e)
		return
	}
	for _, field := range fields.List {
		for _, name := range field.Names {
			s.members[name.Name] = true
		}
		if len(field.Names) == 0 {
			s.members[typeName(field.Type)] = true
			s.embed(pkg, field.Type)
		}
	}
}

func (s *symbol) embed(pkg string, expr ast.Expr) {
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if sel, ok := expr.(*ast.SelectorExpr); ok {
		if from, ok := sel.X.(*ast.Ident); ok {
			pkg = from.Name
		}
	}
	if name := typeName(expr); name != "" {
		s.embeds = append(s.embeds, [2]string{pkg, name})
	}
}

// maxEmbedding ends the search if types embed each other in a circle.
const maxEmbedding = 5

// has reports whether a package declares a name and, if member is not "", whether the name has that
// member, itself or by embedding, which is followed up to deep levels.
func (n names) has(pkg, name, member string, deep int) bool {
	s := n[pkg][name]
	if s == nil {
		return false
	}
	if member == "" || s.members[member] {
		return true
	}
	for _, e := range s.embeds {
		if deep > 0 && n.has(e[0], e[1], member, deep-1) {
			return true
		}
	}
	return false
}
