package main

import (
	"fmt"
	"strings"
)

// list renders items of one kind, up to the first line that belongs to none of them.
func (r *renderer) list(lines []string) (n int) {
	m := itemLine.FindStringSubmatch(lines[0])
	indent, tag := len(m[1]), "ul"
	if startsWithNumber(m[2]) {
		tag = "ol"
	}
	start := strings.TrimRight(m[2], ".)")
	if tag == "ol" && start != "1" {
		fmt.Fprintf(&r.out, "<ol start=\"%s\">\n", start)
	} else {
		fmt.Fprintf(&r.out, "<%s>\n", tag)
	}
	for n < len(lines) && isItem(lines[n], indent, tag) {
		n += r.item(lines[n:])
		next := n
		for next < len(lines) && strings.TrimSpace(lines[next]) == "" {
			next++
		}
		if next < len(lines) && isItem(lines[next], indent, tag) {
			n = next
		}
	}
	fmt.Fprintf(&r.out, "</%s>\n", tag)
	return n
}

func isItem(line string, indent int, tag string) bool {
	m := itemLine.FindStringSubmatch(line)
	return m != nil && len(m[1]) == indent && startsWithNumber(m[2]) == (tag == "ol")
}

// item renders one item: its first line, the lines indented below it, and lines of a paragraph that
// are not indented although they go on.
func (r *renderer) item(lines []string) (n int) {
	m := itemLine.FindStringSubmatch(lines[0])
	width := len(m[1]) + len(m[2]) + len(m[3])
	inner, loose, blank := []string{m[4]}, false, false
	for n = 1; n < len(lines); n++ {
		line := lines[n]
		isBlank := strings.TrimSpace(line) == ""
		indented := len(line)-len(strings.TrimLeft(line, " ")) >= min(width, len(m[1])+2)
		if !isBlank && !indented && (blank || endsParagraph(line) || itemLine.MatchString(line)) {
			break
		}
		loose = loose || blank && !isBlank
		blank = isBlank
		inner = append(inner, cutIndent(line, width))
	}
	r.out.WriteString("<li>")
	r.blocks(inner, !loose)
	r.out.WriteString("</li>\n")
	return n
}

// cutIndent takes up to so many spaces from the beginning of a line.
func cutIndent(line string, width int) string {
	for i := 0; i < width && strings.HasPrefix(line, " "); i++ {
		line = line[1:]
	}
	return line
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
