package repo

import "go/ast"

// A Name is one that a declaration declares: Name, or Type.Method, or Type.Field.
type Name struct {
	Text   string
	At     *ast.Ident
	Member bool // whether it is a field of a struct or a method of an interface
}

// Names lists what a declaration of a file declares, without the members of embedded types.
func Names(d ast.Decl) (names []Name) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || len(d.Recv.List) == 0 {
			return []Name{{d.Name.Name, d.Name, false}}
		}
		_, receiver := TypeName(d.Recv.List[0].Type)
		return []Name{{receiver + "." + d.Name.Name, d.Name, false}}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, Name{name.Name, name, false})
				}
			case *ast.TypeSpec:
				names = append(names, Name{spec.Name.Name, spec.Name, false})
				for _, field := range Fields(spec.Type) {
					for _, name := range field.Names {
						names = append(names, Name{spec.Name.Name + "." + name.Name, name, true})
					}
				}
			}
		}
	}
	return names
}

// Fields returns the fields of a struct, the methods of an interface, and nothing for other types.
func Fields(typ ast.Expr) []*ast.Field {
	switch typ := typ.(type) {
	case *ast.StructType:
		return typ.Fields.List
	case *ast.InterfaceType:
		return typ.Methods.List
	}
	return nil
}

// TypeName returns the package, if it is another one, and the name of a type as it was declared: T
// of *T, T[K] and pkg.T.
func TypeName(expr ast.Expr) (pkg, name string) {
	switch e := expr.(type) {
	case *ast.Ident:
		return "", e.Name
	case *ast.StarExpr:
		return TypeName(e.X)
	case *ast.IndexExpr:
		return TypeName(e.X)
	case *ast.IndexListExpr:
		return TypeName(e.X)
	case *ast.SelectorExpr:
		_, pkg = TypeName(e.X)
		return pkg, e.Sel.Name
	}
	return "", ""
}
