package main

import (
	"fmt"
	"html"
	"path"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/book/refs"
)

// sourcePage shows the lines of a file, each with its number as anchor. In Go, declarations are anchors as
// well, Name or Type.Method; names lead to their declarations, and below stands who shows each of those
// that the file has.
func (b *book) sourcePage(name, text string) string {
	text = strings.TrimRight(text, "\n")
	lines, anchors := strings.Split(html.EscapeString(text), "\n"), map[int][]string{}
	if path.Ext(name) == ".go" {
		lines, anchors = highlight(text, b.refs.Links(name)), b.refs.Declared(name)
	}
	var out, below strings.Builder
	fmt.Fprintf(&out, "<h1 class=\"file\">%s</h1>\n<pre class=\"lines\">", html.EscapeString(path.Base(name)))
	for i, line := range lines {
		out.WriteString("<span class=\"line\">")
		for _, anchor := range slices.Sorted(slices.Values(anchors[i+1])) {
			fmt.Fprintf(&out, `<span class="declared" id="%s"></span>`, html.EscapeString(anchor))
			below.WriteString(shown(anchor, b.refs.Shown(name+"#"+anchor)))
		}
		fmt.Fprintf(&out, "<span class=\"number\" id=\"L%d\">%[1]d</span>%s\n</span>", i+1, line)
	}
	out.WriteString("</pre>\n")
	if below.Len() > 0 {
		out.WriteString("<h2>Where these are shown</h2>\n" + below.String())
	}
	return out.String()
}

// shown lists who shows a declaration, "" if nobody does but other code.
func shown(name string, by refs.Shown) string {
	if len(by.Chapters)+len(by.Stories)+len(by.Laws) == 0 {
		return ""
	}
	list := func(title string, places []refs.Place) string {
		const most = 6
		if len(places) == 0 {
			return ""
		}
		var links []string
		for _, p := range places[:min(len(places), most)] {
			links = append(links, fmt.Sprintf(`<a href="/%s">%s</a>`, html.EscapeString(p.At), html.EscapeString(p.Title)))
		}
		if n := len(places) - most; n > 0 {
			links = append(links, fmt.Sprintf("and %d more", n))
		}
		return fmt.Sprintf("<dd>%s: %s</dd>\n", title, strings.Join(links, " · "))
	}
	return fmt.Sprintf("<dl class=\"shown\"><dt><a href=\"#%s\"><code>%[1]s</code></a></dt>\n%s%s%s%s</dl>\n", html.EscapeString(name),
		list("chapters", by.Chapters), list("stories", by.Stories), list("laws", by.Laws), list("used by", by.Uses))
}
