package verify

import (
	"regexp"
	"strings"
)

// A page is a Markdown file, divided into prose and code blocks.
type page struct {
	path   string
	prose  []string // every line of the file; those of code blocks are empty here
	blocks []block
	stray  []marker // markers with no code block under them
}

// A block is a fenced code block.
type block struct {
	marker      marker // the comment above it; its kind is "" if there is none
	lang        string
	indent      string // of the fence, for a block within a list
	first, last int    // the lines of the two fences, from 1
	lines       []string
}

// A marker is a comment above a code block that says where its content comes from, such as
//
//	<!-- source: deltafifo/replace.go#DeltaFIFO.Replace -->
type marker struct {
	kind, arg string
	line      int
}

var (
	markerLine = regexp.MustCompile(`^\s*<!--\s*(\w+):\s*(.*?)\s*-->\s*$`)
	fenceLine  = regexp.MustCompile("^(\\s*)(```+|~~~+)\\s*(\\w*)")
	codeSpan   = regexp.MustCompile("`+([^`]+)`+")
)

func parsePage(path, text string) *page {
	p := &page{path: path}
	lines := strings.Split(text, "\n")
	var above marker // waits for its code block
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if fence := fenceLine.FindStringSubmatch(line); fence != nil {
			b := readBlock(lines, i, fence)
			b.marker, above = above, marker{}
			p.blocks = append(p.blocks, b)
			p.prose = append(p.prose, make([]string, b.last-i)...)
			i = b.last - 1
			continue
		}
		p.prose = append(p.prose, line)
		if strings.TrimSpace(line) == "" {
			continue
		}
		if above.kind != "" {
			p.stray = append(p.stray, above)
			above = marker{}
		}
		if m := markerLine.FindStringSubmatch(line); m != nil {
			above = marker{kind: m[1], arg: m[2], line: i + 1}
		}
	}
	if above.kind != "" {
		p.stray = append(p.stray, above)
	}
	return p
}

// readBlock reads the code block whose fence stands on lines[i].
func readBlock(lines []string, i int, fence []string) block {
	b := block{indent: fence[1], lang: fence[3], first: i + 1}
	for i++; i < len(lines); i++ {
		if strings.HasPrefix(strings.TrimSpace(lines[i]), fence[2]) {
			break
		}
		line := strings.TrimRight(lines[i], " \t\r")
		b.lines = append(b.lines, strings.TrimPrefix(line, b.indent))
	}
	b.last = min(i+1, len(lines))
	return b
}

// spans calls visit for each text in code font in the prose.
func (p *page) spans(visit func(line int, code string)) {
	for i, line := range p.prose {
		for _, span := range codeSpan.FindAllStringSubmatch(line, -1) {
			visit(i+1, span[1])
		}
	}
}

// anchors are the names that a link into the page may end with, as GitHub makes them of headings.
func (p *page) anchors() map[string]bool {
	names := map[string]bool{}
	for _, line := range p.prose {
		for _, id := range htmlAnchor.FindAllStringSubmatch(line, -1) {
			names[id[1]] = true
		}
		heading := strings.TrimLeft(line, "#")
		if level := len(line) - len(heading); level < 1 || level > 6 || !strings.HasPrefix(heading, " ") {
			continue
		}
		name := slug(heading)
		for n := 1; names[name]; n++ { // the second heading of that name gets a number
			name = slug(heading) + "-" + string(rune('0'+n))
		}
		names[name] = true
	}
	return names
}

var (
	htmlAnchor = regexp.MustCompile(`(?:id|name)="([^"]+)"`)
	notInSlug  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	linkText   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

func slug(heading string) string {
	text := linkText.ReplaceAllString(strings.TrimSpace(heading), "$1")
	text = notInSlug.ReplaceAllString(strings.ToLower(text), "")
	return strings.ReplaceAll(text, " ", "-")
}
