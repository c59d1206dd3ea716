package verify

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

const (
	links        = "links lead somewhere"
	pagesLinked  = "the map leads to every page"
	storiesShown = "every story is shown by a chapter"
	introducing  = "every package is introduced by one chapter"
	reading      = "the README's reading list follows the map's"

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

func checkPages(t *tree, report report) {
	for _, p := range t.pages {
		if path.Dir(p.path) == "docs" && p.path != mapPage && !t.page(mapPage).linksTo(p.path) {
			report(p.path, 0, "the map has no link to this page")
		}
	}
}

// checkStoriesShown leaves out the stories of docs/tools/story, which are about stories themselves.
func checkStoriesShown(t *tree, report report) {
	for _, name := range t.stories() {
		shown := slices.ContainsFunc(t.pages, func(p *page) bool {
			return p.number() >= 0 && (p.linksTo(name) || slices.ContainsFunc(p.blocks, func(b block) bool {
				return b.kind == "story" && strings.HasPrefix(b.arg+"#", name+"#")
			}))
		})
		if !shown && !strings.HasPrefix(name, "docs/tools/story/") {
			report(name, 0, "no chapter shows this story")
		}
	}
}

func checkIntroduced(t *tree, report report) {
	for _, f := range t.source() {
		if f.ast.Doc == nil || strings.HasPrefix(f.dir, "docs/workshop/") {
			continue
		}
		var by []string
		for _, p := range t.pages {
			if p.number() >= 0 && p.linksTo(f.path) {
				by = append(by, p.path)
			}
		}
		if len(by) != 1 {
			report(f.path, 0, "%d chapters introduce this package: %s", len(by), strings.Join(by, ", "))
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
