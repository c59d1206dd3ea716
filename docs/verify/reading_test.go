package verify

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

var readingRules = []rule{
	{
		name:    "the short reading list follows the long one",
		promise: "the README's reading list has files of the map's reading guide, in the same order.",
		remedy:  "give the files in README.md the order of the table in docs/0-the-map.md.",
		check:   checkReading,
	},
}

var (
	listItem = regexp.MustCompile(`^(\d+\.|  ) `)
	tableRow = regexp.MustCompile(`^\|`)
)

func checkReading(t *tree) (found []finding) {
	short, long := t.page("README.md"), t.page("docs/0-the-map.md")
	if short == nil || long == nil {
		return nil
	}
	rest := goFilesLinked(long, tableRow)
	for _, link := range goFilesLinked(short, listItem) {
		at := 0
		for at < len(rest) && rest[at].name != link.name {
			at++
		}
		if at == len(rest) {
			found = append(found, finding{short.path, link.line, fmt.Sprintf(
				"%s does not come next in the reading guide of %s", link.name, long.path)})
			continue
		}
		rest = rest[at+1:]
	}
	return found
}

// A fileLink is a link to a file of the repository.
type fileLink struct {
	name string
	line int
}

// goFilesLinked returns the links to Go files on lines of one kind, in order.
func goFilesLinked(p *page, kind *regexp.Regexp) (links []fileLink) {
	for i, line := range p.prose {
		if !kind.MatchString(line) {
			continue
		}
		for _, target := range linksIn(codeSpan.ReplaceAllString(line, "")) {
			if strings.HasSuffix(target, ".go") {
				links = append(links, fileLink{path.Join(path.Dir(p.path), target), i + 1})
			}
		}
	}
	return links
}
