package verify

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

const (
	links   = "links and named stories exist"
	found   = "chapters and appendices lead to every page, package and story"
	reading = "the README's reading list follows the map's"

	mapPage = "docs/0-the-map.md"
)

func checkLinks(t *tree, report report) {
	folders := map[string]bool{}
	for name := range t.files {
		for dir := path.Dir(name); !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, p := range t.pages {
		for _, l := range p.links {
			_, isFile := t.files[l.name]
			switch {
			case !isFile && !folders[l.name]:
				report(p.path, l.line, "there is no %s", l.name)
			case l.anchor != "" && !t.page(l.name).anchors()[l.anchor]:
				report(p.path, l.line, "%s has no heading #%s", l.name, l.anchor)
			}
		}
	}
}

// checkFound leaves out the exercises, to which the workshop's board leads, and the stories of
// docs/tools/story, which are about stories themselves.
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
	wanted := t.stories()
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
			strings.HasPrefix(name, "docs/tools/story/testdata/")
		if !isShown[name] && !isOther {
			report(name, 0, "no chapter leads to it")
		}
	}
}

// checkReading compares the README's numbered list with the map's table.
func checkReading(t *tree, report report) {
	long := goFilesLinked(t.page(mapPage), tableRow)
	for _, name := range goFilesLinked(t.page("README.md"), listItem) {
		at := slices.Index(long, name)
		if at < 0 {
			report("README.md", 0, "%s does not come next in the reading guide of %s", name, mapPage)
		}
		long = long[at+1:]
	}
}

var (
	listItem = regexp.MustCompile(`^(\d+\.|  ) `)
	tableRow = regexp.MustCompile(`^\|`)
)

// goFilesLinked returns the Go files that lines of one kind link to, in order.
func goFilesLinked(p *page, kind *regexp.Regexp) (names []string) {
	for _, l := range p.links {
		if path.Ext(l.name) == ".go" && kind.MatchString(p.prose[l.line-1]) {
			names = append(names, l.name)
		}
	}
	return names
}
