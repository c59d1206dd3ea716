package verify

import (
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

const (
	inFont     = "names in code font exist: pkg.Name, pkg.Type.Name and TestName"
	dictionary = "the dictionary has every exported name of the packages that an object passes through"
)

var (
	// nameInCode finds pkg.Name and pkg.Type.Name that are not part of a longer path or name.
	nameInCode = regexp.MustCompile(`(?:^|[^\w./])([a-z]\w*)\.([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?`)
	fileEnding = regexp.MustCompile(`^(go|md|story|http)$`)
	testInCode = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)[A-Z]\w*`)
)

func checkNames(t *tree, report report) {
	index := indexNames(t)
	for _, p := range t.pages {
		p.spans(func(line int, code string) {
			for _, m := range nameInCode.FindAllStringSubmatch(code, -1) {
				typ := m[1] + "." + m[2]
				has := m[3] == "" || index[typ+"."+m[3]] || index[typ+".*"]
				if index["package "+m[1]] && !fileEnding.MatchString(m[2]) && !(index[typ] && has) {
					report(p.path, line, "there is no %s", strings.Trim(m[0], " ()[]{}*&"))
				}
			}
			isExercise := strings.HasPrefix(p.path, "docs/workshop/")
			if name := testInCode.FindString(code); name != "" && !isExercise && !index["func "+name] {
				report(p.path, line, "there is no %s", name)
			}
		})
	}
}

// indexNames lists what our packages declare, exported or not: pkg.Name and pkg.Type.Member, and
// pkg.Type.* for the members of an embedded type; besides, "package pkg" and "func TestName".
func indexNames(t *tree) map[string]bool {
	index := map[string]bool{}
	for _, f := range t.goFiles {
		pkg := strings.TrimSuffix(f.ast.Name.Name, "_test")
		if pkg == "main" {
			continue // a program has no names for others to use
		}
		index["package "+pkg] = true
		for _, d := range f.ast.Decls {
			for _, name := range declares(d) {
				index[pkg+"."+name] = true
				index["func "+name] = index["func "+name] || f.test
			}
			for _, name := range repo.Members(d) {
				index[pkg+"."+name.Text] = true
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok && hasOthersMembers(spec.Type) {
					index[pkg+"."+spec.Name.Name+".*"] = true
				}
				return true
			})
		}
	}
	return index
}

// hasOthersMembers reports whether a type has the members of another one: it embeds that, or is
// defined by it.
func hasOthersMembers(typ ast.Expr) bool {
	switch typ.(type) {
	case *ast.StructType, *ast.InterfaceType:
		return slices.ContainsFunc(repo.Fields(typ), func(f *ast.Field) bool { return f.Names == nil })
	}
	return true
}

// declares lists the names that a declaration declares; a method is Type.Method.
func declares(d ast.Decl) (names []string) {
	for _, name := range repo.Declared(d) {
		names = append(names, name.Text)
	}
	return names
}

// dictionaryPage maps exported names to their counterparts. Each package has a heading of its own
// there, and each name stands in the first cell of a row of its table.
const dictionaryPage = "docs/e-dictionary.md"

var dictionaryPackages = []string{
	".", "reflector", "reflector/wire", "reflector/cluster", "reflector/retrywatch", "deltafifo",
	"deltafifo/realfifo", "indexer", "processor", "informer", "informer/factory",
	"informer/ordered", "informer/mutation", "informer/workqueue", "informer/rvinformer",
}

func checkDictionary(t *tree, report report) {
	tables := dictionaryTables(t.page(dictionaryPage))
	for _, dir := range dictionaryPackages {
		title := strings.Replace(dir, ".", "watchglass", 1)
		for _, name := range exportedNames(t, dir) {
			if tables[title][name] == 0 {
				report(dictionaryPage, 0, "%s of %s is missing", name, title)
			}
			delete(tables[title], name)
		}
		for _, name := range slices.Sorted(maps.Keys(tables[title])) {
			report(dictionaryPage, tables[title][name], "%s exports no %s", title, name)
		}
	}
}

// dictionaryTables reads the tables below each heading: the names in first cells, and their lines.
func dictionaryTables(p *page) map[string]map[string]int {
	tables, title := map[string]map[string]int{}, ""
	for i, line := range p.prose {
		if strings.HasPrefix(line, "## ") {
			title = ""
		} else if text, ok := strings.CutPrefix(line, "### "); ok {
			title = text
			tables[title] = map[string]int{}
		}
		cells := strings.Split(line, "|")
		if len(cells) < 2 || title == "" {
			continue
		}
		for _, span := range codeSpan.FindAllStringSubmatch(cells[1], -1) {
			tables[title][span[1]] = i + 1
		}
	}
	return tables
}

// exportedNames lists what a package exports: names, and methods as Type.Method. The methods Error,
// Unwrap and String are left out.
func exportedNames(t *tree, dir string) (exported []string) {
	for _, f := range t.source() {
		for i := 0; f.dir == dir && i < len(f.ast.Decls); i++ {
			for _, name := range declares(f.ast.Decls[i]) {
				typ, method, _ := strings.Cut(name, ".")
				expected := method == "Error" || method == "Unwrap" || method == "String"
				if ast.IsExported(typ) && !expected && (method == "" || ast.IsExported(method)) {
					exported = append(exported, name)
				}
			}
		}
	}
	return exported
}
