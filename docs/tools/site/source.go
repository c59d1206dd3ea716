package main

import (
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"html"
	"path"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// sourcePage shows the lines of a file, each with its number as anchor. In Go, declarations are
// anchors as well: Name, or Type.Method. intro stands between the name and the lines.
func sourcePage(name, intro, text string) string {
	text = strings.TrimRight(text, "\n")
	lines, anchors := strings.Split(html.EscapeString(text), "\n"), map[int][]string{}
	if path.Ext(name) == ".go" {
		lines, anchors = highlight(text), declaredOn(text)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<h1 class="file">%s</h1>`+"\n", html.EscapeString(path.Base(name)))
	b.WriteString(intro + `<pre class="lines">`)
	for i, line := range lines {
		b.WriteString("<span class=\"line\">")
		for _, anchor := range anchors[i+1] {
			fmt.Fprintf(&b, `<span class="declared" id="%s"></span>`, html.EscapeString(anchor))
		}
		fmt.Fprintf(&b, "<span class=\"number\" id=\"L%d\">%d</span>%s\n</span>", i+1, i+1, line)
	}
	b.WriteString("</pre>\n")
	return b.String()
}

// declaredOn lists the names that a Go file declares, by the lines where their declarations begin.
func declaredOn(text string) map[int][]string {
	found := map[int][]string{}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return found // what does not parse is shown without anchors
	}
	for _, d := range file.Decls {
		for _, name := range slices.Concat(repo.Declared(d), repo.Members(d)) {
			line := set.Position(name.At.Pos()).Line
			found[line] = append(found[line], name.Text)
		}
	}
	return found
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
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
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
