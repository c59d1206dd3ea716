package main

import "strings"

// literal reads text of several lines: behind | every line is kept as it is, behind > lines are
// joined by spaces. indent is that of the map or list it belongs to, which the text must exceed.
func (b *block) literal(header string, indent int) (string, error) {
	style := header[0]
	marks, comment, hasComment := strings.Cut(header[1:], " ")
	if comment = strings.TrimSpace(comment); hasComment && comment != "" && comment[0] != '#' {
		return "", b.errorf("%q is left over: the text begins on the next line", comment)
	}
	chomp, own := byte(0), 0
	for _, c := range []byte(marks) {
		switch {
		case (c == '-' || c == '+') && chomp == 0:
			chomp = c
		case c >= '1' && c <= '9' && own == 0:
			own = max(indent, 0) + int(c-'0')
		default:
			return "", b.errorf("%c%s is no beginning of a text: expected %c, %c- or %c+",
				style, marks, style, style, style)
		}
	}
	b.at++
	lines, err := b.literalLines(indent, own)
	if err != nil {
		return "", err
	}
	if b.at == len(b.lines) && b.rest != "" && strings.Trim(b.rest, " ") == "" {
		return "", b.errorf("spaces at the end of the file: do they belong to the text?")
	}
	kept := len(lines)
	for kept > 0 && lines[kept-1] == "" {
		kept--
	}
	text := strings.Join(lines[:kept], "\n")
	if style == '>' {
		text = fold(lines[:kept])
	}
	switch {
	case chomp == '+' && kept < len(lines):
		text += strings.Repeat("\n", len(lines)-kept)
		if kept > 0 {
			text += "\n"
		}
	case b.rest != "" && b.at == len(b.lines): // there is no line end to keep
	case chomp != '-' && kept > 0:
		text += "\n"
	}
	return text, nil
}

// literalLines takes the lines that belong to the text, without its indentation: own columns, or,
// if that is zero, as much as the first line has that is not blank.
func (b *block) literalLines(indent, own int) (lines []string, err error) {
	widest := 0 // of the blank lines before the first other one
	for ; b.at < len(b.lines); b.at++ {
		line := b.lines[b.at]
		columns := indentOf(line)
		blank := columns == len(line)
		switch {
		case blank && own == 0:
			widest = max(widest, columns)
			line = ""
		case blank:
			line = line[min(own, columns):]
		case own == 0 && columns > indent:
			if own = columns; widest > own {
				return nil, b.errorf("a blank line before this one is indented further")
			}
			line = line[own:]
		case own == 0 || columns < own:
			return lines, nil
		default:
			line = line[own:]
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// fold joins lines by spaces. A blank line is a line break, and lines that are indented further
// keep theirs.
func fold(lines []string) string {
	var b strings.Builder
	blank, last := 0, ""
	for i, line := range lines {
		if line == "" {
			blank++
			continue
		}
		switch kept := further(last) || further(line); {
		case i == blank: // nothing but blank lines so far
			b.WriteString(strings.Repeat("\n", blank))
		case kept:
			b.WriteString(strings.Repeat("\n", blank+1))
		case blank == 0:
			b.WriteString(" ")
		default:
			b.WriteString(strings.Repeat("\n", blank))
		}
		b.WriteString(line)
		blank, last = 0, line
	}
	return b.String()
}

func further(line string) bool { return line != "" && isSpace(line[0]) }
