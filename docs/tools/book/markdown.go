package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// A renderer turns one page of Markdown into HTML, block by block. Text is escaped, and so is HTML,
// except for the few tags that the chapters use.
type renderer struct {
	book    *book  // for links from names in code font and for scenes; nil: none
	page    string // the file that is rendered
	out     strings.Builder
	anchors repo.Anchors
	from    origin // of the next code block
	scenes  int    // how many there are in the page
	err     error  // the first scene that does not exist
}

// An origin is the comment above a code block that says where its content comes from, such as
// <!-- source: deltafifo/pop.go#DeltaFIFO.Pop -->.
type origin struct{ kind, arg string }

func (r *renderer) render(text string) string {
	r.anchors = repo.Anchors{}
	r.blocks(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"))
	return r.out.String()
}

var (
	fenceLine   = regexp.MustCompile("^```(\\w*)")
	headingLine = regexp.MustCompile(`^(#{1,6})\s+(.*?)\s*#*$`)
	originLine  = regexp.MustCompile(`^\s*<!--\s*(\w+):\s*(.*?)\s*-->\s*$`)
	itemLine    = regexp.MustCompile(`^(-|\d{1,3}\.) +`)
	tagLine     = regexp.MustCompile(`^</?(details|summary)\b`)
	tableRule   = regexp.MustCompile(`^\s*\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?\s*)?$`)
)

func (r *renderer) blocks(lines []string) {
	for len(lines) > 0 {
		lines = lines[r.block(lines):]
	}
}

// block renders the block that the lines begin with and returns how many lines it has.
func (r *renderer) block(lines []string) (n int) {
	line := lines[0]
	switch {
	case strings.TrimSpace(line) == "":
		return 1
	case strings.HasPrefix(strings.TrimSpace(line), "<!--"):
		return r.comment(lines)
	case fenceLine.MatchString(line):
		return r.fence(lines)
	case headingLine.MatchString(line):
		r.heading(line)
		return 1
	case strings.HasPrefix(line, ">"):
		return r.quotation(lines)
	case itemLine.MatchString(line):
		return r.list(lines)
	case len(lines) > 1 && strings.Contains(line, "|") && tableRule.MatchString(lines[1]):
		return r.table(lines)
	case tagLine.MatchString(line):
		r.out.WriteString(r.inline(line) + "\n")
		return 1
	}
	return r.paragraph(lines)
}

// comment drops a comment, which may have many lines. An origin is kept for the block below it.
func (r *renderer) comment(lines []string) int {
	if m := originLine.FindStringSubmatch(lines[0]); m != nil {
		switch r.from = (origin{m[1], m[2]}); m[1] {
		case "scene":
			r.scene(m[2])
		case "picture":
			r.picture()
		case "whole":
			r.whole(m[2])
		}
	}
	for i, line := range lines {
		if strings.Contains(line, "-->") {
			return i + 1
		}
	}
	return len(lines)
}

// fence renders a code block and what heads it.
func (r *renderer) fence(lines []string) int {
	end := 1
	for end < len(lines) && !fenceLine.MatchString(lines[end]) {
		end++
	}
	from := r.from
	r.from = origin{}
	r.code(fenceLine.FindStringSubmatch(lines[0])[1], strings.Join(lines[1:end], "\n"), from)
	return min(end+1, len(lines))
}

func (r *renderer) heading(line string) {
	m := headingLine.FindStringSubmatch(line)
	anchor := r.anchors.Add(m[2])
	level := len(m[1])
	fmt.Fprintf(&r.out, "<h%d id=\"%s\">%s", level, html.EscapeString(anchor), r.inline(m[2]))
	if level > 1 {
		fmt.Fprintf(&r.out, ` <a class="anchor" href="#%s" aria-label="Link to this heading">#</a>`,
			html.EscapeString(anchor))
	}
	fmt.Fprintf(&r.out, "</h%d>\n", level)
}

func (r *renderer) quotation(lines []string) (n int) {
	var inner []string
	for n < len(lines) && strings.HasPrefix(lines[n], ">") {
		inner = append(inner, strings.TrimPrefix(strings.TrimPrefix(lines[n], ">"), " "))
		n++
	}
	r.out.WriteString("<blockquote>\n")
	r.blocks(inner)
	r.out.WriteString("</blockquote>\n")
	return n
}

// paragraph ends at a blank line, and where a block begins that needs none before it.
func (r *renderer) paragraph(lines []string) (n int) {
	for n = 1; n < len(lines) && !endsParagraph(lines[n]); n++ {
	}
	fmt.Fprintf(&r.out, "<p>%s</p>\n", r.inline(strings.Join(lines[:n], "\n")))
	return n
}

func endsParagraph(line string) bool {
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, ">") ||
		fenceLine.MatchString(line) || headingLine.MatchString(line) || tagLine.MatchString(line) ||
		itemLine.MatchString(line) && !startsWithNumber(line)
}

// startsWithNumber finds lines that are no items of a list if they stand in a paragraph: a sentence
// may begin with "2026."
func startsWithNumber(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && line[0] >= '0' && line[0] <= '9'
}

// list renders items of one kind, up to the first line that belongs to none of them. The lines of
// an item go on below its first one.
func (r *renderer) list(lines []string) (n int) {
	tag := "ul"
	if startsWithNumber(lines[0]) {
		tag = "ol"
	}
	fmt.Fprintf(&r.out, "<%s>\n", tag)
	isItem := func(line string) bool {
		return itemLine.MatchString(line) && startsWithNumber(line) == (tag == "ol")
	}
	for n < len(lines) && isItem(lines[n]) {
		item := []string{itemLine.ReplaceAllString(lines[n], "")}
		for n++; n < len(lines) && !endsParagraph(lines[n]) && !itemLine.MatchString(lines[n]); n++ {
			item = append(item, strings.TrimSpace(lines[n]))
		}
		fmt.Fprintf(&r.out, "<li>%s</li>\n", r.inline(strings.Join(item, "\n")))
	}
	fmt.Fprintf(&r.out, "</%s>\n", tag)
	return n
}

// table renders a line of headings, the line below it that makes it a table, and rows.
func (r *renderer) table(lines []string) (n int) {
	r.out.WriteString("<div class=\"table\"><table>\n<thead>\n")
	r.row(lines[0], "th")
	r.out.WriteString("</thead>\n<tbody>\n")
	for n = 2; n < len(lines) && strings.Contains(lines[n], "|"); n++ {
		r.row(lines[n], "td")
	}
	r.out.WriteString("</tbody>\n</table></div>\n")
	return n
}

func (r *renderer) row(line, tag string) {
	r.out.WriteString("<tr>")
	for _, cell := range repo.Cells(line) {
		fmt.Fprintf(&r.out, "<%s>%s</%s>", tag, r.inline(cell), tag)
	}
	r.out.WriteString("</tr>\n")
}

// The forms of text within a line, each tried where the last one ended.
var (
	codeForm  = regexp.MustCompile("^(?:``((?:[^`]|`[^`])+)``|`([^`]+)`)")
	imageForm = regexp.MustCompile(`^!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)`)
	linkForm  = regexp.MustCompile("^\\[((?:[^\\[\\]`]|`[^`]*`)*)\\]" +
		`\(\s*<?([^)\s>]+)>?\s*(?:"([^"]*)")?[^)]*\)`)
	boldForm   = regexp.MustCompile(`^\*\*([^\s*](?:[^*]|\*[^\s*][^*]*\*|\*\s)*?)\*\*`)
	italicForm = regexp.MustCompile(`^\*([^\s*](?:[^*]*[^\s*])?)\*`)
	tagForm    = regexp.MustCompile(`^</?(details|summary)>`)
)

// inline renders text: everything that is none of the forms is escaped.
func (r *renderer) inline(text string) string {
	var b strings.Builder
	for text != "" {
		rendered, n := r.form(text)
		b.WriteString(rendered)
		text = text[n:]
	}
	return b.String()
}

// form renders what the text begins with, and returns how long it was.
func (r *renderer) form(text string) (rendered string, n int) {
	if next := strings.IndexAny(text, "`![*<"); next != 0 {
		if next < 0 {
			next = len(text)
		}
		return html.EscapeString(text[:next]), next
	}
	if m := codeForm.FindStringSubmatch(text); m != nil {
		return r.codeSpan(m[1] + m[2]), len(m[0])
	} else if m := imageForm.FindStringSubmatch(text); m != nil {
		return `<img src="` + address(m[2]) + `" alt="` + html.EscapeString(m[1]) + `">`, len(m[0])
	} else if m := linkForm.FindStringSubmatch(text); m != nil {
		plain := renderer{} // a name in a link does not link elsewhere
		return `<a href="` + address(r.moment(m[2], m[3])) + `">` + plain.inline(m[1]) + "</a>", len(m[0])
	} else if m := boldForm.FindStringSubmatch(text); m != nil {
		return "<strong>" + r.inline(m[1]) + "</strong>", len(m[0])
	} else if m := italicForm.FindStringSubmatch(text); m != nil {
		return "<em>" + r.inline(m[1]) + "</em>", len(m[0])
	} else if m := tagForm.FindString(text); m != "" {
		return m, len(m)
	}
	return html.EscapeString(text[:1]), 1
}

var scheme = regexp.MustCompile(`^\s*[A-Za-z][A-Za-z0-9+.-]*:`)

// address returns where a link leads, escaped. A scheme other than http, https and mailto leads
// nowhere.
func address(target string) string {
	if s := scheme.FindString(target); s != "" && s != "https:" && s != "http:" && s != "mailto:" {
		return "#"
	}
	return html.EscapeString(target)
}

// codeSpan renders code font. A name of our packages links to its declaration.
func (r *renderer) codeSpan(code string) string {
	code = strings.ReplaceAll(code, "\n", " ")
	if len(code) > 1 && strings.HasPrefix(code, " ") && strings.HasSuffix(code, " ") {
		code = code[1 : len(code)-1]
	}
	span := "<code>" + strings.ReplaceAll(html.EscapeString(code), ".", ".<wbr>") + "</code>"
	if where := r.name(code); where != "" {
		return `<a class="name" href="` + html.EscapeString(where) + `">` + span + "</a>"
	}
	return span
}
