package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"html"
	"path"
	"slices"
	"strings"
)

// code renders a code block: a state diagram as a picture, Go with its comments set apart, and
// everything else as it is. Above it stands where it comes from.
func (r *renderer) code(lang, text string, from origin) {
	if unbracketed.Replace(strings.TrimSpace(text)) == wholeStrip {
		return // it is above every chapter
	}
	if picture := drawMachine(text); lang == "mermaid" && picture != "" {
		r.out.WriteString("<figure>\n" + picture + "</figure>\n")
		return
	}
	class := "code"
	if from.kind == "curl" {
		class = "code terminal" // its lines are long, so they are wrapped as a terminal does it
	}
	if from.kind == "story" {
		class = "code story"
	}
	lines := html.EscapeString(text)
	if lang == "go" {
		lines = strings.Join(highlight(text), "\n")
	}
	fmt.Fprintf(&r.out, "<div class=\"%s\">%s<pre><code>%s</code></pre></div>\n",
		class, caption(from), lines)
	file, _, _ := strings.Cut(from.arg, "#")
	if from.kind == "story" && r.book != nil && r.book.story(file) != nil {
		r.out.WriteString(r.book.story(file).editor(r.book))
	}
}

// caption says where a block comes from: an excerpt is a link, and a story one or two.
func caption(from origin) string {
	if from.kind != "source" && from.kind != "story" {
		return ""
	}
	file, name, _ := strings.Cut(from.arg, "#")
	target, text, more := file, path.Base(file), ""
	switch {
	case from.kind == "source" && name != "":
		target, text = from.arg, name+" in "+file
	case from.kind == "story" && name != "":
		more = ", steps " + html.EscapeString(name)
	}
	return fmt.Sprintf("<p class=\"from\"><a href=\"/%s\">%s</a>%s</p>\n",
		html.EscapeString(target), html.EscapeString(text), more)
}

const wholeStrip = "fakeapi ─▶ reflector ─▶ deltafifo ─▶ process loop ─▶ indexer ─▶ processor ─▶ " +
	"your handlers"

var unbracketed = strings.NewReplacer("[", "", "]", "")

// parts are those of the pipe, with the numbers of the chapters about them.
var parts = []struct{ name, chapter string }{{"fakeapi", "1"}, {"reflector", "2"}, {"deltafifo", "3"},
	{"process loop", "6"}, {"indexer", "4"}, {"processor", "5"}, {"your handlers", "6"}}

// pipe is the pipe above a chapter. What stands in brackets in the chapter's strip is where the reader is.
func (b *book) pipe(page string) string {
	strip := ""
	for line := range strings.Lines(b.tree.Read(page)) {
		if unbracketed.Replace(strings.TrimSpace(line)) == wholeStrip {
			strip = line
		}
	}
	var out strings.Builder
	here := false
	for i, p := range parts {
		class := ""
		if here = here || strings.Contains(strip, "["+p.name); here {
			class = ` class="here"`
		}
		if i > 0 {
			out.WriteString(`<span class="arrow">─▶</span>`)
		}
		fmt.Fprintf(&out, `<a%s href="%s">%s</a>`, class, b.chapter(p.chapter), p.name)
		here = here && !strings.Contains(strip, p.name+"]")
	}
	return out.String()
}

// chapter returns the path of the chapter with this number, or of the home page if there is none.
func (b *book) chapter(number string) string {
	for _, c := range b.chapters {
		if strings.HasPrefix(path.Base(c.Path), number+"-") {
			return c.Path
		}
	}
	return "/"
}

// sourcePage shows the lines of a file, each with its number as anchor. In Go, declarations are
// anchors as well: Name, or Type.Method. intro stands between the name and the lines.
func sourcePage(name, intro, text string) string {
	text = strings.TrimRight(text, "\n")
	lines, anchors := strings.Split(html.EscapeString(text), "\n"), map[int][]string{}
	if path.Ext(name) == ".go" {
		lines = highlight(text)
		_, names := namesIn(text)
		for name, line := range names {
			anchors[line] = append(anchors[line], name)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<h1 class="file">%s</h1>`+"\n", html.EscapeString(path.Base(name)))
	b.WriteString(intro + `<pre class="lines">`)
	for i, line := range lines {
		b.WriteString("<span class=\"line\">")
		for _, anchor := range slices.Sorted(slices.Values(anchors[i+1])) {
			fmt.Fprintf(&b, `<span class="declared" id="%s"></span>`, html.EscapeString(anchor))
		}
		fmt.Fprintf(&b, "<span class=\"number\" id=\"L%d\">%d</span>%s\n</span>", i+1, i+1, line)
	}
	b.WriteString("</pre>\n")
	return b.String()
}

// highlight returns Go as lines of HTML, with comments, strings and keywords set apart. The text
// need not be a complete file: excerpts have gaps.
func highlight(text string) []string {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(text))
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	var b strings.Builder
	done := 0
	for pos, tok, literal := s.Scan(); tok != token.EOF; pos, tok, literal = s.Scan() {
		class := classOf(tok)
		if class == "" {
			continue
		}
		at := file.Offset(pos)
		end := min(at+len(literal), len(text))
		b.WriteString(html.EscapeString(text[done:at]))
		for i, part := range strings.Split(text[at:end], "\n") {
			if i > 0 {
				b.WriteString("\n") // no element of HTML spans lines
			}
			fmt.Fprintf(&b, "<span class=\"%s\">%s</span>", class, html.EscapeString(part))
		}
		done = end
	}
	b.WriteString(html.EscapeString(text[done:]))
	return strings.Split(b.String(), "\n")
}

func classOf(tok token.Token) string {
	switch {
	case tok == token.COMMENT:
		return "comment"
	case tok == token.STRING || tok == token.CHAR:
		return "string"
	case tok.IsKeyword():
		return "keyword"
	}
	return ""
}
