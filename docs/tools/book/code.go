package main

import (
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"html"
	"path"
	"strings"

	"example.com/watchglass/docs/tools/book/index"
	"example.com/watchglass/docs/tools/page"
	"example.com/watchglass/docs/tools/picture"
)

// code renders a code block: the reflector's table as a picture, Go with its comments set apart,
// and everything else as it is. Above it stands where it comes from.
func (r *renderer) code(lang, text string, from page.Origin) {
	if unbracketed.Replace(strings.TrimSpace(text)) == wholeStrip {
		return // it is above every chapter
	}
	if from.Kind == "diagram" {
		r.out.WriteString("<figure class=\"picture\">\n" + picture.Table() + "</figure>\n")
		return
	}
	class := "code"
	if from.Kind == "curl" {
		class = "code terminal" // its lines are long, so they are wrapped as a terminal does it
	}
	if from.Kind == "story" {
		class = "code story"
	}
	lines := html.EscapeString(text)
	if lang == "go" {
		var links []index.Link
		if r.book != nil && from.Kind == "source" {
			links = r.book.refs.Excerpt(from.Arg, text)
		}
		lines = strings.Join(highlight(text, links), "\n")
	}
	fmt.Fprintf(&r.out, "<div class=\"%s\">%s<pre><code>%s</code></pre></div>\n", class,
		caption(from), lines)
	file, _, _ := strings.Cut(from.Arg, "#")
	if from.Kind == "story" && r.book != nil && r.book.story(file) != nil {
		r.out.WriteString(r.book.story(file).editor(r.book))
	}
}

// caption says where a block comes from: an excerpt is a link, and a story one or two.
func caption(from page.Origin) string {
	if from.Kind != "source" && from.Kind != "story" {
		return ""
	}
	file, name, _ := strings.Cut(from.Arg, "#")
	target, text, more := file, path.Base(file), ""
	switch {
	case from.Kind == "source" && name != "":
		target, text = from.Arg, name+" in "+file
	case from.Kind == "story" && name != "":
		more = ", steps " + html.EscapeString(name)
	}
	return fmt.Sprintf("<p class=\"from\"><a href=\"/%s\">%s</a>%s</p>\n",
		html.EscapeString(target), html.EscapeString(text), more)
}

const wholeStrip = "fakeapi ─▶ reflector ─▶ deltafifo ─▶ process loop ─▶ indexer ─▶ processor " +
	"─▶ your handlers"

var unbracketed = strings.NewReplacer("[", "", "]", "")

// parts are those of the pipe, with the numbers of the chapters about them.
var parts = []struct{ name, chapter string }{{"fakeapi", "1"}, {"reflector", "2"}, {"deltafifo", "3"},
	{"process loop", "6"}, {"indexer", "4"}, {"processor", "5"}, {"your handlers", "6"}}

// pipe is the pipe above a chapter. What stands in brackets in the chapter's strip is where the
// reader is.
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

// highlight returns Go as lines of HTML, with comments, strings and keywords set apart, and with
// links from names to their declarations. The text need not be a complete file: excerpts have gaps.
func highlight(text string, links []index.Link) []string {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(text))
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	var b strings.Builder
	done := 0
	for pos, tok, literal := s.Scan(); tok != token.EOF; pos, tok, literal = s.Scan() {
		at := file.Offset(pos)
		for len(links) > 0 && links[0].Start < at {
			links = links[1:]
		}
		open, end := "", "</span>"
		if class := classOf(tok); class != "" {
			open = `<span class="` + class + `">`
		} else if tok == token.IDENT && len(links) > 0 && links[0].Start == at {
			open, end = `<a class="ref" href="/`+html.EscapeString(links[0].To)+`">`, "</a>"
		} else {
			continue
		}
		b.WriteString(html.EscapeString(text[done:at]))
		done = min(at+len(literal), len(text))
		for i, part := range strings.Split(text[at:done], "\n") {
			if i > 0 {
				b.WriteString("\n") // no element of HTML spans lines
			}
			b.WriteString(open + html.EscapeString(part) + end)
		}
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

// whole renders a file of Go below a chapter's excerpts of it, folded. If it is the next step of
// another file, which is named before it, its new lines are marked.
func (r *renderer) whole(arg string) {
	if r.book == nil {
		return
	}
	var texts []string
	for _, name := range strings.Fields(arg) {
		if !r.book.tree.Has(name) {
			r.err = cmp.Or(r.err, fmt.Errorf("there is no file %s to show whole", name))
			return
		}
		texts = append(texts, strings.TrimSpace(r.book.tree.Read(name)))
	}
	text := texts[len(texts)-1]
	lines, n := highlight(text, nil), 0
	summary := fmt.Sprintf("The whole program, %d lines", len(lines))
	if len(texts) > 1 {
		for i, isNew := range added(strings.Split(texts[0], "\n"), strings.Split(text, "\n")) {
			if isNew {
				n++
				lines[i] = "<ins>" + lines[i] + "</ins>"
			}
		}
		summary += fmt.Sprintf("; %d are new or have changed", n)
	}
	fmt.Fprintf(&r.out, "<details><summary>%s</summary><div "+
		"class=\"code\"><pre><code>%s</code></pre></div></details>\n",
		summary, strings.Join(lines, "\n"))
}

// added says of each line of now whether it is new: old and now have as many of the others in
// common, in their order, as possible.
func added(old, now []string) []bool {
	common := make([][]int, len(old)+1) // of old[i:] and now[k:]
	for i := range common {
		common[i] = make([]int, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for k := len(now) - 1; k >= 0; k-- {
			if common[i][k] = max(common[i+1][k], common[i][k+1]); old[i] == now[k] {
				common[i][k] = common[i+1][k+1] + 1
			}
		}
	}
	isNew := make([]bool, len(now))
	for i, k := 0, 0; k < len(now); {
		switch {
		case i < len(old) && old[i] == now[k]:
			i, k = i+1, k+1
		case i < len(old) && common[i+1][k] >= common[i][k+1]:
			i++
		default:
			isNew[k], k = true, k+1
		}
	}
	return isNew
}
