package verify

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"

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
		for _, b := range p.blocks {
			name, _, _ := strings.Cut(b.arg, "#")
			isShown[name] = isShown[name] || b.kind == "story"
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
	fileEnding = regexp.MustCompile(`^(go|md|story|http)$`)
	testInCode = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)[A-Z]\w*`)
)

func checkNames(t *tree, report report) {
	index := indexNames(t)
	for _, p := range t.pages {
		isExercise := strings.HasPrefix(p.path, "docs/workshop/")
		for i, line := range p.prose {
			for _, span := range codeSpan.FindAllStringSubmatch(line, -1) {
				for _, m := range nameInCode.FindAllStringSubmatch(span[1], -1) {
					typ := m[1] + "." + m[2]
					has := m[3] == "" || index[typ+"."+m[3]] || index[typ+".*"]
					if index["package "+m[1]] && !fileEnding.MatchString(m[2]) && !(index[typ] && has) {
						report(p.path, i+1, "there is no %s", strings.Trim(m[0], " ()[]{}*&"))
					}
				}
				if name := testInCode.FindString(span[1]); name != "" && !isExercise && !index["func "+name] {
					report(p.path, i+1, "there is no %s", name)
				}
			}
		}
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

var firstCell = regexp.MustCompile(`(?m)^\|[^|]*\|`) // of a row

func checkDictionary(t *tree, report report) {
	page := strings.Join(t.page(dictionaryPage).prose, "\n")
	for _, dir := range dictionaryPackages {
		title := strings.Replace(dir, ".", "watchglass", 1)
		_, section, _ := strings.Cut(page, "\n### "+title+"\n")
		section, _, _ = strings.Cut(section, "\n##")
		cells := strings.Join(firstCell.FindAllString(section, -1), "")
		exported, listed := exportedNames(t, dir), map[string]bool{}
		for _, span := range codeSpan.FindAllStringSubmatch(cells, -1) {
			if listed[span[1]] = true; !slices.Contains(exported, span[1]) {
				report(dictionaryPage, 0, "%s exports no %s", title, span[1])
			}
		}
		for _, name := range exported {
			if !listed[name] {
				report(dictionaryPage, 0, "%s of %s is missing", name, title)
			}
		}
	}
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

// upstreamRow is a claim: a page, words on it, what the source says, a file of the module cache,
// and a declaration in it.
var upstreamRow = regexp.MustCompile(`^\| (docs/\S+) \| (.+) \| .+ \| \S+@v\S+\.go \| \w+ \|$`)

// checkUpstream cannot read the source, which is no part of this repository. It keeps the table in
// such a state that a reader can.
func checkUpstream(t *tree, report report) {
	for i, line := range t.page(upstreamPage).prose {
		row := upstreamRow.FindStringSubmatch(line)
		switch {
		case !strings.HasPrefix(line, "| docs/"):
		case row == nil:
			report(upstreamPage, i+1,
				"expected | page | words | what the source says | file | declaration |")
		case !strings.Contains(flowing(t.page(row[1])), row[2]):
			report(upstreamPage, i+1, "%s does not say %q", row[1], row[2])
		}
	}
}

// flowing returns the prose of a page as one line, without the marks of quotations.
func flowing(p *page) string {
	var words []string
	for _, line := range p.prose {
		words = append(words, strings.Fields(strings.TrimPrefix(line, "> "))...)
	}
	return strings.Join(words, " ")
}

const folded = "no story stands open between a folded answer and the next heading"

// checkFolded keeps the answer to a prediction from being read before it is given: the story that
// proves it lies in its fold.
func checkFolded(t *tree, report report) {
	for _, p := range t.pages {
		answered, depth := false, 0
		for i, line := range p.prose {
			switch {
			case strings.HasPrefix(line, "#"):
				answered = false
			case strings.HasPrefix(line, "<details>"):
				answered, depth = answered || strings.Contains(line, ">Answer<"), depth+1
			case line == "</details>":
				depth--
			case answered && depth == 0 && strings.HasPrefix(line, "<!-- story:"):
				report(p.path, i+1, "%s stands open below an answer", line)
			}
		}
	}
}
