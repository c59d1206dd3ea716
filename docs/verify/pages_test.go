package verify

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// pageRules are about README.md and the pages of docs.
var pageRules = []rule{
	{
		name:    "excerpts quote the code",
		promise: "a block under <!-- source: file#Name --> is that declaration, line by line.",
		remedy: "your change is fine; it is the page that is out of date: copy the lines as they are " +
			"now. A line with only … stands for lines left out.",
		check: checkExcerpts,
	},
	{
		name:    "printed blocks are what is printed",
		promise: "a page shows a story, a command's output or a diagram as it is printed now.",
		remedy:  "STORY=rewrite go test ./docs/verify writes it; then read the difference.",
		check:   checkPrinted,
	},
	{
		name:    "every Go block says where it is from",
		promise: "a test checks the code in a chapter against its source, so that none goes stale.",
		remedy: "put <!-- source: file#Name --> above it; an Example is a good source. A whole " +
			"program gets <!-- program: how to run it -->, code that need not compile <!-- sketch: why -->.",
		check: checkOrigins,
	},
	{
		name:    "links lead somewhere",
		promise: "the file and the #anchor of every relative link exist.",
		remedy:  "mend the path; an anchor is the heading in small letters, with - for spaces.",
		check:   checkLinks,
	},
	{
		name:    "names in code font exist",
		promise: "one of our packages that a page calls pkg has the `pkg.Name` or `pkg.Type.Name`.",
		remedy: "use the name that the code has now. Write a name of client-go with its path, as in " +
			"`util/workqueue.Interface`: such names are not checked.",
		check: checkNames,
	},
}

// eachBlock calls visit for the blocks of all pages.
func (t *tree) eachBlock(visit func(p *page, b block)) {
	for _, p := range t.pages {
		for _, b := range p.blocks {
			visit(p, b)
		}
	}
}

// checkOrigins finds Go code without a source, and markers without a block. The workshop's pages
// may have such code: their hints are unfinished on purpose.
func checkOrigins(t *tree) (found []finding) {
	known := []string{"source", "story", "run", "curl", "diagram", "program", "sketch"}
	t.eachBlock(func(p *page, b block) {
		kind := b.marker.kind
		switch {
		case kind != "" && !slices.Contains(known, kind):
			found = append(found, finding{p.path, b.marker.line, fmt.Sprintf(
				"there is no marker %q, only %s", kind, strings.Join(known, ", "))})
		case b.lang == "go" && kind == "" && !strings.HasPrefix(p.path, "docs/workshop/"):
			found = append(found, finding{p.path, b.first, "a block of Go with no source"})
		}
	})
	for _, p := range t.pages {
		for _, m := range p.stray {
			if slices.Contains(known, m.kind) {
				found = append(found, finding{p.path, m.line, "a marker with no code block under it"})
			}
		}
	}
	return found
}

var (
	inlineLink = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)>?[^)]*\)`)
	defineLink = regexp.MustCompile(`^\s*\[[^\]]+\]:\s*(\S+)`)
	htmlLink   = regexp.MustCompile(`(?:href|src)="([^"]+)"`)
	elsewhere  = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:|^//`)
)

func checkLinks(t *tree) (found []finding) {
	for _, p := range t.pages {
		for i, line := range p.prose {
			line = codeSpan.ReplaceAllString(line, "")
			for _, target := range linksIn(line) {
				if err := t.resolve(p, target); err != nil {
					found = append(found, finding{p.path, i + 1, err.Error()})
				}
			}
		}
	}
	return found
}

func linksIn(line string) (targets []string) {
	for _, form := range []*regexp.Regexp{inlineLink, defineLink, htmlLink} {
		for _, m := range form.FindAllStringSubmatch(line, -1) {
			if !elsewhere.MatchString(m[1]) {
				targets = append(targets, m[1])
			}
		}
	}
	return targets
}

// resolve says why a link on p leads nowhere.
func (t *tree) resolve(p *page, target string) error {
	file, anchor, hasAnchor := strings.Cut(target, "#")
	name := path.Join(path.Dir(p.path), file)
	if file == "" {
		name = p.path
	}
	if _, isFile := t.files[name]; !isFile && !t.dirs[name] {
		return fmt.Errorf("the link %s leads nowhere: there is no %s", target, name)
	}
	if !hasAnchor {
		return nil
	}
	p = t.page(name)
	switch {
	case p == nil:
		return fmt.Errorf("the link %s has an anchor into a file that has no headings", target)
	case !p.anchors()[anchor]:
		return fmt.Errorf("the link %s leads nowhere: %s has no heading #%s", target, name, anchor)
	}
	return nil
}

// errNoSource is wrapped by errors about a marker, as opposed to those about the block under it.
var errNoSource = errors.New("the marker names nothing")

func cutMarker(arg string) (file, name string) {
	file, name, _ = strings.Cut(arg, "#")
	return strings.TrimSpace(file), strings.TrimSpace(name)
}
