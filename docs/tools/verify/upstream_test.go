package verify

import (
	"path"
	"regexp"
	"strings"
)

const upstream = "each claim about upstream stands in its table, with a place in the source"

const upstreamPage = "docs/tools/verify/upstream.md"

var (
	sourceFile  = regexp.MustCompile(`^([a-z0-9./-]+@v[0-9a-z.-]+)/.+\.go$`) // in the module cache
	declaration = regexp.MustCompile(`^\w+$`)
	columns     = "page | words on it | what the source says | file | declaration"
)

// checkUpstream cannot read the source, which is no part of this repository. It keeps the table in
// such a state that a reader can.
func checkUpstream(t *tree, report report) {
	table, claimed := t.page(upstreamPage), map[string]bool{}
	var fetched string
	for _, b := range table.blocks {
		fetched += strings.Join(b.lines, " ") + " "
	}
	for i, line := range table.prose {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if !strings.HasPrefix(line, "| docs/") {
			continue
		}
		if len(cells) != 5 {
			report(table.path, i+1, "%d cells; expected %s", len(cells), columns)
			continue
		}
		claimed[cells[0]] = true
		if !strings.Contains(flowing(t.page(cells[0])), cells[1]) {
			report(table.path, i+1, "%s does not say %q", cells[0], cells[1])
		}
		module := sourceFile.FindStringSubmatch(cells[3])
		if module == nil || !strings.Contains(fetched, " "+module[1]+" ") {
			report(table.path, i+1, "%s is in no module that the page tells how to fetch", cells[3])
		}
		if !declaration.MatchString(cells[4]) {
			report(table.path, i+1, "%q is no name", cells[4])
		}
	}
	for _, p := range t.pages {
		if path.Dir(p.path) == "docs" && strings.Contains(p.text, "**In client-go.**") && !claimed[p.path] {
			report(p.path, 0, "it has a box about client-go, and no row in %s", upstreamPage)
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
