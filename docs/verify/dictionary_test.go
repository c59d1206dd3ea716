package verify

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// dictionaryPage maps every exported name of dictionaryPackages to its counterpart. Each package has
// a heading of its own there, and each name stands in the first cell of a row of its table.
const dictionaryPage = "docs/9-from-here-to-client-go.md"

// dictionaryPackages are the packages that an object passes through.
var dictionaryPackages = []string{
	".", "reflector", "reflector/wire", "reflector/cluster",
	"reflector/retrywatch", "deltafifo", "deltafifo/realfifo",
	"indexer", "processor", "informer", "informer/factory", "informer/mutation",
	"informer/workqueue", "informer/rvinformer",
}

var dictionaryRules = []rule{
	{
		name:    "the dictionary is complete",
		promise: "chapter 9 lists every exported name of the packages that an object passes through.",
		remedy: "put the name into the table of its package, in the first cell, in code font: Name or " +
			"Type.Method; the second cell is its name in client-go, or – if there is none.",
		check: checkDictionary,
	},
	{
		name:    "a story that a page names can be run",
		promise: "go test -v -run 'TestStories/name' ./package in a page plays a story.",
		remedy:  "write the story's name without .story, and the folder above its testdata.",
		check:   checkCommands,
	},
}

func checkDictionary(t *tree) (found []finding) {
	at := slices.IndexFunc(t.pages, func(p *page) bool { return p.path == dictionaryPage })
	if at < 0 {
		return nil
	}
	tables := dictionaryOf(t.pages[at])
	for _, dir := range dictionaryPackages {
		table, want := tables[titleOf(dir)], exportedNames(t, dir)
		if table == nil && len(want) > 0 {
			found = append(found, finding{dictionaryPage, 0, "there is no heading ### " + titleOf(dir)})
			continue
		}
		for _, name := range want {
			if table[name] == 0 {
				found = append(found, finding{dictionaryPage, 0,
					fmt.Sprintf("%s of %s is missing", name, titleOf(dir))})
			}
			delete(table, name)
		}
		for _, name := range slices.Sorted(maps.Keys(table)) {
			found = append(found, finding{dictionaryPage, table[name],
				fmt.Sprintf("%s exports no %s", titleOf(dir), name)})
		}
	}
	return found
}

// titleOf is the heading of a package's table.
func titleOf(dir string) string {
	if dir == "." {
		return "watchglass"
	}
	return dir
}

// dictionaryOf reads the tables of a page: by heading, the names in the first cells, with their
// lines.
func dictionaryOf(p *page) map[string]map[string]int {
	tables := map[string]map[string]int{}
	heading := ""
	for i, line := range p.prose {
		if title, ok := strings.CutPrefix(line, "### "); ok {
			heading = strings.TrimSpace(title)
			tables[heading] = map[string]int{}
		}
		row, ok := strings.CutPrefix(line, "|")
		if !ok || heading == "" {
			continue
		}
		cell, _, _ := strings.Cut(row, "|")
		for _, span := range codeSpan.FindAllStringSubmatch(cell, -1) {
			tables[heading][span[1]] = i + 1
		}
	}
	return tables
}

// exportedNames lists what a package exports, sorted: names, and methods as Type.Method. The
// methods Error, Unwrap and String are left out.
func exportedNames(t *tree, dir string) []string {
	names := map[string]bool{}
	for _, f := range t.source() {
		if f.dir != dir {
			continue
		}
		for _, d := range f.ast.Decls {
			for _, name := range declares(d) {
				if isExportedName(name) {
					names[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func isExportedName(name string) bool {
	typ, method, isMethod := strings.Cut(name, ".")
	if !isMethod {
		return ast.IsExported(typ)
	}
	expected := method == "Error" || method == "Unwrap" || method == "String"
	return ast.IsExported(typ) && ast.IsExported(method) && !expected
}

// storyCommand is a command that plays one story.
var storyCommand = regexp.MustCompile(`-run '?TestStories/([\w./]+)'? +\./([\w/]+)`)

func checkCommands(t *tree) (found []finding) {
	for _, p := range t.pages {
		for i, line := range strings.Split(t.files[p.path], "\n") {
			for _, m := range storyCommand.FindAllStringSubmatch(line, -1) {
				name := path.Join(m[2], "testdata", m[1]+".story")
				if _, ok := t.files[name]; !ok {
					found = append(found, finding{p.path, i + 1, "there is no story " + name})
				}
			}
		}
	}
	return found
}
