package main

import (
	"html"
	"regexp"
	"strings"
)

// The forms of text within a line, each tried where the last one ended.
var (
	codeForm   = regexp.MustCompile("^(?:``((?:[^`]|`[^`])+)``|`([^`]+)`)")
	imageForm  = regexp.MustCompile(`^!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)`)
	linkForm   = regexp.MustCompile("^\\[((?:[^\\[\\]`]|`[^`]*`)*)\\]\\(\\s*<?([^)\\s>]+)>?[^)]*\\)")
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
		return `<a href="` + address(m[2]) + `">` + plain.inline(m[1]) + "</a>", len(m[0])
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
	span := "<code>" + html.EscapeString(code) + "</code>"
	if where := r.names.find(code); where != "" {
		return `<a class="name" href="` + html.EscapeString(where) + `">` + span + "</a>"
	}
	return span
}
