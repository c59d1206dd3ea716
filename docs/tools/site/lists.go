package main

import (
	"fmt"
	"strings"
)

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
	for _, cell := range cells(line) {
		fmt.Fprintf(&r.out, "<%s>%s</%s>", tag, r.inline(cell), tag)
	}
	r.out.WriteString("</tr>\n")
}

// cells splits a row at the bars. One behind a backslash belongs to a cell.
func cells(line string) (all []string) {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			i++
			cell.WriteByte('|')
		case line[i] == '|':
			all = append(all, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	return append(all, strings.TrimSpace(cell.String()))
}
