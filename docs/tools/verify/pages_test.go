package verify

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/page"
	"example.com/watchglass/docs/tools/repo"
)

const (
	played     = "stories that a command plays exist; go test ./docs/tools/book follows the links"
	found      = "chapters and appendices lead to every page, package and story"
	inFont     = "names in code font exist: pkg.Name, pkg.Type.Name and TestName"
	dictionary = "the dictionary has every exported name of the packages that an object passes through"
	upstream   = "each claim about upstream stands in its table, with a place in the source"

	mapPage = "docs/0-the-map.md"
)

// checkPlayed finds commands of pages that play a story which is not there. The book does not build
// if a link leads nowhere.
func checkPlayed(t *tree, report report) {
	for _, p := range t.pages {
		for _, l := range p.links {
			if _, ok := t.files[l.name]; !ok && strings.HasSuffix(l.name, ".story") {
				report(p.path, l.line, "there is no %s", l.name)
			}
		}
	}
}

// checkFound leaves out the exercises, to which the workshop's board leads, and the stories of
// docs/tools/verify, which are about stories themselves.
func checkFound(t *tree, report report) {
	isShown := map[string]bool{}
	for _, p := range t.pages {
		if path.Dir(p.path) != "docs" {
			continue
		}
		for _, l := range p.links {
			isShown[l.name] = isShown[l.name] || l.name != p.path
		}
		for _, b := range p.Code() {
			name, _, _ := strings.Cut(b.From.Arg, "#")
			isShown[name] = isShown[name] || b.From.Kind == "story"
		}
	}
	wanted := []string{}
	for name := range t.files {
		if path.Ext(name) == ".story" && !isAnswer(name) {
			wanted = append(wanted, name)
		}
	}
	for _, p := range t.pages {
		if path.Dir(p.path) == "docs" && p.path != mapPage {
			wanted = append(wanted, p.path)
		}
	}
	for _, f := range t.source() {
		if f.ast.Doc != nil {
			wanted = append(wanted, f.path)
		}
	}
	for _, name := range wanted {
		isOther := strings.HasPrefix(name, "docs/workshop/") && name != "docs/workshop/doc.go" ||
			strings.HasPrefix(name, "docs/tools/verify/testdata/")
		if !isShown[name] && !isOther {
			report(name, 0, "no chapter leads to it")
		}
	}
}

var (
	// nameInCode finds pkg.Name and pkg.Type.Name that are not part of a longer path or name.
	nameInCode = regexp.MustCompile(`(?:^|[^\w./])([a-z]\w*)\.([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?`)
	fileEnding = regexp.MustCompile(`^(go|md|html|story|http)$`)
	testInCode = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)[A-Z]\w*`)
)

func checkNames(t *tree, report report) {
	index := indexNames(t)
	for _, p := range t.pages {
		isExercise := strings.HasPrefix(p.path, "docs/workshop/")
		p.each(func(s page.Span) {
			if s.Kind != page.CodeFont {
				return
			}
			for _, m := range nameInCode.FindAllStringSubmatch(s.Text, -1) {
				typ := m[1] + "." + m[2]
				has := m[3] == "" || index[typ+"."+m[3]] || index[typ+".*"]
				isFile := fileEnding.MatchString(m[2])
				if index["package "+m[1]] && !isFile && !(index[typ] && has) {
					report(p.path, s.Line, "there is no %s", strings.Trim(m[0], " ()[]{}*&"))
				}
			}
			name := testInCode.FindString(s.Text)
			if name != "" && !isExercise && !index["func "+name] {
				report(p.path, s.Line, "there is no %s", name)
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
			for _, name := range repo.Names(d) {
				index[pkg+"."+name.Text] = true
				index["func "+name.Text] = index["func "+name.Text] || f.test
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

// dictionaryPage maps exported names to their counterparts. Each package has a heading of its own
// there, and each name stands in the first cell of a row of its table.
const dictionaryPage = "docs/e-dictionary.md"

var dictionaryPackages = []string{
	".", "reflector", "reflector/client", "reflector/cluster", "deltafifo",
	"indexer", "processor", "informer", "informer/factory",
	"informer/mutation", "informer/workqueue", "informer/rvinformer",
}

func checkDictionary(t *tree, report report) {
	sections := t.page(dictionaryPage).Sections()
	for _, dir := range dictionaryPackages {
		title := strings.Replace(dir, ".", "watchglass", 1)
		exported, listed := exportedNames(t, dir), map[string]bool{}
		for _, name := range firstCells(sections, title) {
			if listed[name] = true; !slices.Contains(exported, name) {
				report(dictionaryPage, 0, "%s exports no %s", title, name)
			}
		}
		for _, name := range exported {
			if !listed[name] {
				report(dictionaryPage, 0, "%s of %s is missing", name, title)
			}
		}
	}
}

// firstCells returns what stands in code font in the first cells of the tables of a section.
func firstCells(sections []page.Section, title string) (names []string) {
	at := slices.IndexFunc(sections, func(s page.Section) bool { return s.Heading == title })
	if at < 0 {
		return nil
	}
	for _, b := range sections[at].Blocks {
		for _, row := range b.Rows {
			page.Each(page.Text{Line: row.Line, Text: row.Cells[0]}, func(s page.Span) {
				if s.Kind == page.CodeFont && b.Kind == page.Table {
					names = append(names, s.Text)
				}
			})
		}
	}
	return names
}

// exportedNames lists what a package exports: names, and methods as Type.Method. The methods Error,
// Unwrap and String are left out.
func exportedNames(t *tree, dir string) (exported []string) {
	for _, f := range t.source() {
		for i := 0; f.dir == dir && i < len(f.ast.Decls); i++ {
			for _, name := range repo.Names(f.ast.Decls[i]) {
				typ, method, _ := strings.Cut(name.Text, ".")
				expected := method == "Error" || method == "Unwrap" || method == "String"
				if ast.IsExported(typ) && name.At.IsExported() && !name.Member && !expected {
					exported = append(exported, name.Text)
				}
			}
		}
	}
	return exported
}

const upstreamPage = "docs/tools/verify/upstream.md"

// A claim is a page, words on it, what the source says, a file of the module cache, and a
// declaration in it.
var claim = [5]*regexp.Regexp{
	0: regexp.MustCompile(`^docs/\S+$`),
	3: regexp.MustCompile(`^\S+@v\S+\.go$`),
	4: regexp.MustCompile(`^\w+$`),
}

// checkUpstream cannot read the source, which is no part of this repository. It keeps the table in
// such a state that a reader can.
func checkUpstream(t *tree, report report) {
	for _, b := range t.page(upstreamPage).Blocks {
		for _, row := range b.Rows {
			switch {
			case b.Kind != page.Table || !strings.HasPrefix(row.Cells[0], "docs/"):
			case !isClaim(row.Cells):
				report(upstreamPage, row.Line,
					"expected | page | words | what the source says | file | declaration |")
			case !strings.Contains(flowing(t.page(row.Cells[0])), row.Cells[1]):
				report(upstreamPage, row.Line, "%s does not say %q", row.Cells[0], row.Cells[1])
			}
		}
	}
}

func isClaim(cells []string) bool {
	is := len(cells) == len(claim)
	for i, cell := range cells {
		is = is && cell != "" && (claim[i] == nil || claim[i].MatchString(cell))
	}
	return is
}

// flowing returns the prose of a page with its marks, as one line.
func flowing(p *mdPage) string {
	var words []string
	for _, text := range p.Texts() {
		words = append(words, strings.Fields(text.Text)...)
	}
	return strings.Join(words, " ")
}

const folded = "no story stands open between a folded answer and the next heading"

// checkFolded keeps the answer to a prediction from being read before it is given: the story that
// proves it lies in its fold.
func checkFolded(t *tree, report report) {
	for _, p := range t.pages {
		answered, depth := false, 0
		for _, b := range p.Blocks {
			switch {
			case b.Kind == page.Heading:
				answered = false
			case b.Kind == page.Tag && strings.HasPrefix(b.Text, "<details>"):
				answered, depth = answered || strings.Contains(b.Text, ">Answer<"), depth+1
			case b.Kind == page.Tag && b.Text == "</details>":
				depth--
			case answered && depth == 0 && b.Kind == page.Comment && b.From.Kind == "story":
				report(p.path, b.First, "the story %s stands open below an answer", b.From.Arg)
			}
		}
	}
}
