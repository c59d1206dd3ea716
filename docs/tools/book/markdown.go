package main

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"strings"

	"example.com/watchglass/docs/tools/page"
)

// A renderer turns one page of Markdown into HTML, block by block. Text is escaped, and so is HTML,
// except for the few tags that the chapters use.
type renderer struct {
	book   *book  // for links from names in code font and for scenes; nil: none
	page   string // the file that is rendered
	out    strings.Builder
	scenes int             // how many there are in the page
	named  map[string]bool // the moments that have their id
	err    error           // the first scene that does not exist

	report   []string // of the finale: the letter and the stage of the one that is being rendered
	hasBoard bool
	section  string // the last heading
}

func (r *renderer) render(p *page.Page) string {
	if chapterWithRuns.MatchString(r.page) {
		r.folded(p.Blocks)
	} else {
		r.blocks(p.Blocks)
	}
	return r.out.String()
}

func (r *renderer) printf(format string, args ...any) { fmt.Fprintf(&r.out, format, args...) }

func (r *renderer) blocks(blocks []page.Block) {
	for _, b := range blocks {
		r.block(b)
	}
}

func (r *renderer) block(b page.Block) {
	switch b.Kind {
	case page.Paragraph:
		if !r.picture(b.Text) {
			r.printf("<p>%s</p>\n", r.inline(b.Text))
		}
	case page.Heading:
		r.heading(b)
	case page.Code:
		r.code(b.Lang, b.Text, b.From)
	case page.Table:
		r.table(b.Rows)
	case page.List:
		r.list(b)
	case page.Quote:
		r.printf("<blockquote>\n")
		r.blocks(b.Blocks)
		r.printf("</blockquote>\n")
	case page.Comment:
		r.comment(b.From)
	case page.Tag:
		r.printf("%s\n", r.inline(b.Text))
	}
}

// comment renders what a comment stands for, mostly nothing.
func (r *renderer) comment(from page.Origin) {
	switch from.Kind {
	case "scene":
		r.scene(from.Arg)
	case "whole":
		r.whole(from.Arg)
	}
}

func (r *renderer) heading(b page.Block) {
	r.before(b)
	anchor := html.EscapeString(b.Anchor)
	r.printf("<h%d id=\"%s\">%s", b.Level, anchor, r.inline(b.Text))
	if b.Level > 1 {
		r.printf(` <a class="anchor" href="#%s" aria-label="Link to this heading">#</a>`, anchor)
	}
	r.printf("</h%d>\n", b.Level)
	if r.book != nil && r.page == "README.md" && b.Anchor == "use-it" {
		r.out.WriteString(r.book.use())
	}
}

func (r *renderer) list(b page.Block) {
	tag := "ul"
	if b.Ordered {
		tag = "ol"
	}
	r.printf("<%s>\n", tag)
	for _, item := range b.Rows {
		r.printf("<li>%s</li>\n", r.inline(item.Cells[0]))
	}
	r.printf("</%s>\n", tag)
}

func (r *renderer) table(rows []page.Row) {
	r.printf("<div class=\"table\"><table>\n<thead>\n")
	r.row(rows[0], "th")
	r.printf("</thead>\n<tbody>\n")
	for _, row := range rows[1:] {
		r.row(row, "td")
	}
	r.printf("</tbody>\n</table></div>\n")
}

func (r *renderer) row(row page.Row, tag string) {
	r.printf("<tr>")
	for _, cell := range row.Cells {
		tag := tag
		if cell == "" {
			tag = "td" // heads nothing
		}
		r.printf("<%s>%s</%[1]s>", tag, r.inline(cell))
	}
	r.printf("</tr>\n")
}

func (r *renderer) inline(text string) string { return r.spans(page.Spans(text, 1)) }

// spans renders text: everything that is none of the forms is escaped.
func (r *renderer) spans(spans []page.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(r.span(s))
	}
	return b.String()
}

func (r *renderer) span(s page.Span) string {
	switch s.Kind {
	case page.CodeFont:
		return r.codeSpan(s.Text)
	case page.Image:
		return fmt.Sprintf(`<img src="%s" alt="%s"%s>`, address(s.Target), html.EscapeString(s.Text),
			r.sizeOf(s.Target))
	case page.Link:
		return r.link(s)
	case page.Bold:
		return "<strong>" + r.spans(s.Inside) + "</strong>"
	case page.Italic:
		return "<em>" + r.spans(s.Inside) + "</em>"
	case page.Fold:
		return s.Text
	}
	return html.EscapeString(s.Text)
}

var scheme = regexp.MustCompile(`^\s*[A-Za-z][A-Za-z0-9+.-]*:`)

// address returns where a link leads, escaped. A scheme other than http, https and mailto leads
// nowhere.
func address(target string) string {
	switch cmp.Or(scheme.FindString(target), "https:") {
	case "https:", "http:", "mailto:":
		return html.EscapeString(target)
	}
	return "#"
}

// codeSpan renders code font. A name of our packages links to its declaration.
func (r *renderer) codeSpan(code string) string {
	span := "<code>" + strings.ReplaceAll(html.EscapeString(code), ".", ".<wbr>") + "</code>"
	if where := r.name(code); where != "" {
		return `<a class="name" href="` + html.EscapeString(where) + `">` + span + "</a>"
	}
	return span
}
