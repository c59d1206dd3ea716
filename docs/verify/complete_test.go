package verify

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

var completeRules = []rule{
	{
		name:    "all chapters and appendices are there",
		promise: "docs has the chapters and the appendices, and no other pages beside them.",
		remedy:  "list a page that is renamed or added in docs/verify/complete_test.go.",
		check:   checkPages,
	},
	{
		name:    "every story is shown by a chapter",
		promise: "each story is quoted by a chapter, or a chapter links to its file.",
		remedy:  "link to it from the chapter about its stage.",
		check:   checkStoriesShown,
	},
	{
		name:    "every package is introduced by one chapter",
		promise: "for each package, exactly one chapter links to the file with its doc comment.",
		remedy: "link to that file, which is mostly doc.go, from one chapter; the other chapters can " +
			"link to the package's folder or to its other files.",
		check: checkIntroduced,
	},
}

var allPages = []string{
	"docs/0-the-map.md", "docs/1-fakeapi.md", "docs/2-reflector.md", "docs/3-deltafifo.md",
	"docs/4-indexer.md", "docs/5-processor.md", "docs/6-informer.md", "docs/7-when-things-break.md",
	"docs/8-seven-myths.md", "docs/9-from-here-to-client-go.md",
	"docs/a-glossary.md", "docs/b-cost.md", "docs/c-nothing-gets-lost.md", facilitatorPage,
}

func checkPages(t *tree) (found []finding) {
	for _, name := range allPages {
		if _, ok := t.files[name]; !ok {
			found = append(found, finding{name, 0, "this page is missing"})
		}
	}
	for _, p := range t.pages {
		if path.Dir(p.path) == "docs" && !slices.Contains(allPages, p.path) {
			found = append(found, finding{p.path, 0, "this page is not in the list of pages"})
		}
	}
	return found
}

// checkStoriesShown leaves out the stories of docs/story, which are about stories themselves.
func checkStoriesShown(t *tree) (found []finding) {
	shown := map[string]bool{}
	for _, p := range t.pages {
		if p.number() < 0 {
			continue
		}
		for _, name := range p.linksTo() {
			shown[name] = true
		}
		for _, b := range p.blocks {
			if name, _ := cutMarker(b.marker.arg); b.marker.kind == "story" {
				shown[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		isStory := path.Ext(name) == ".story" && !isAnswer(name) &&
			!strings.HasPrefix(name, "docs/story/")
		if isStory && !shown[name] {
			found = append(found, finding{name, 0, "no chapter shows this story"})
		}
	}
	return found
}

// linksTo lists the files that the page links to, each once.
func (p *page) linksTo() (names []string) {
	for _, line := range p.prose {
		for _, target := range linksIn(codeSpan.ReplaceAllString(line, "")) {
			file, _, _ := strings.Cut(target, "#")
			names = append(names, path.Join(path.Dir(p.path), file))
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

func checkIntroduced(t *tree) (found []finding) {
	introduced, docs := map[string]*page{}, t.packageDocs()
	for _, p := range t.pages {
		if p.number() < 0 {
			continue
		}
		for _, name := range p.linksTo() {
			if by := introduced[name]; by != nil && by != p && docs[name] {
				found = append(found, finding{p.path, 0, fmt.Sprintf("%s is linked by %s as well", name, by.path)})
			}
			introduced[name] = p
		}
	}
	for _, f := range t.source() {
		isExercise := strings.HasPrefix(f.dir, "docs/workshop/")
		if docs[f.path] && introduced[f.path] == nil && !isExercise {
			found = append(found, finding{f.path, 0, "no chapter introduces this package"})
		}
	}
	return found
}

// packageDocs are the files that have the doc comment of their package.
func (t *tree) packageDocs() map[string]bool {
	docs := map[string]bool{}
	for _, f := range t.source() {
		docs[f.path] = f.ast.Doc != nil
	}
	return docs
}
