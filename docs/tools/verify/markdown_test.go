package verify

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// A page is a Markdown file, divided into prose and code blocks.
type page struct {
	path, text string
	prose      []string // every line of the file; those of code blocks are empty here
	blocks     []block
	links      []pageLink
}

// A block is a fenced code block.
type block struct {
	marker
	lang        string
	first, last int // the lines of the two fences, from 1
	lines       []string
}

// A marker is a comment above a block that says where its content comes from, such as
//
//	<!-- source: deltafifo/replace.go#DeltaFIFO.Replace -->
type marker struct{ kind, arg string }

var (
	markerLine = regexp.MustCompile(`^\s*<!--\s*(\w+):\s*(.*?)\s*-->\s*$`)
	fenceLine  = regexp.MustCompile("^```(\\w*)")
	codeSpan   = regexp.MustCompile("`+([^`]+)`+")
)

func parsePage(name, text string) *page {
	p := &page{path: name, text: text}
	var above marker
	var b *block // the one that the lines are in
	for i, line := range strings.Split(text, "\n") {
		fence, prose := fenceLine.FindStringSubmatch(line), ""
		switch {
		case b != nil && fence != nil:
			b.last = i + 1
			p.blocks, b = append(p.blocks, *b), nil
		case b != nil:
			b.lines = append(b.lines, strings.TrimRight(line, " \t\r"))
		case fence != nil:
			b, above = &block{marker: above, lang: fence[1], first: i + 1}, marker{}
		default:
			prose = line
			if m := markerLine.FindStringSubmatch(line); m != nil {
				above = marker{m[1], m[2]}
			} else if strings.TrimSpace(line) != "" {
				above = marker{}
			}
		}
		p.prose = append(p.prose, prose)
	}
	p.links = p.findLinks()
	return p
}

var chapterName = regexp.MustCompile(`^docs/([0-9])-[a-z0-9-]+\.md$`)

// number returns the number of a chapter, -1 for another page.
func (p *page) number() int {
	if m := chapterName.FindStringSubmatch(p.path); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return -1
}

// spans calls visit for each text in code font in the prose.
func (p *page) spans(visit func(line int, code string)) {
	for i, line := range p.prose {
		for _, span := range codeSpan.FindAllStringSubmatch(line, -1) {
			visit(i+1, span[1])
		}
	}
}

var (
	link      = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)|^\s*\[[^\]]+\]:\s*(\S+)|(?:href|src)="([^"]+)"`)
	elsewhere = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:|^//`)
	runStory  = regexp.MustCompile(`-run '?TestStories/([\w./]+)'? +\./([\w/]+)`)
)

// A pageLink is a relative link on a page.
type pageLink struct {
	line         int
	name, anchor string // the path from the top of the repository; the anchor is "" if there is none
}

// findLinks lists the relative links of a page, and the stories that its commands play.
func (p *page) findLinks() (links []pageLink) {
	for i, line := range p.prose {
		for _, m := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, ""), -1) {
			target := m[1] + m[2] + m[3]
			if elsewhere.MatchString(target) {
				continue
			}
			file, anchor, _ := strings.Cut(target, "#")
			name := path.Join(path.Dir(p.path), file)
			if file == "" {
				name = p.path
			}
			links = append(links, pageLink{i + 1, name, anchor})
		}
	}
	for i, line := range strings.Split(p.text, "\n") {
		for _, m := range runStory.FindAllStringSubmatch(line, -1) {
			links = append(links, pageLink{i + 1, path.Join(m[2], "testdata", m[1]+".story"), ""})
		}
	}
	return links
}

var (
	htmlAnchor = regexp.MustCompile(`(?:id|name)="([^"]+)"`)
	heading    = regexp.MustCompile(`^#{1,6} +(.*)`)
)

// anchors returns the names that a link into the page may end with.
func (p *page) anchors() repo.Anchors {
	names := repo.Anchors{}
	for _, line := range p.prose {
		for _, id := range htmlAnchor.FindAllStringSubmatch(line, -1) {
			names[id[1]] = true
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			names.Add(m[1])
		}
	}
	return names
}
