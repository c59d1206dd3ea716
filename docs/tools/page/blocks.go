package page

import (
	"regexp"
	"strings"
)

// A walk goes over the lines of a page once.
type walk struct {
	anchors map[string]bool
	above   Origin // of a comment that has nothing but blank lines below it so far
}

// blocks parses lines, of which the first one has a number.
func (w *walk) blocks(lines []string, number int) (all []Block) {
	for len(lines) > 0 {
		if strings.TrimSpace(lines[0]) == "" {
			lines, number = lines[1:], number+1
			continue
		}
		b := Block{First: number}
		n := w.block(&b, lines)
		b.Last = number + n - 1
		if b.Kind != Comment {
			w.above = Origin{}
		}
		all = append(all, b)
		lines, number = lines[n:], number+n
	}
	return all
}

// block parses the block that the lines begin with, and returns how many lines it has.
func (w *walk) block(b *Block, lines []string) int {
	line := lines[0]
	switch {
	case strings.HasPrefix(strings.TrimSpace(line), "<!--"):
		return w.comment(b, lines)
	case isFence(line):
		return w.code(b, lines)
	case headingLevel(line) > 0:
		w.heading(b, line)
		return 1
	case line[0] == '>':
		return w.quote(b, lines)
	case itemLength(line) > 0:
		return list(b, lines)
	case len(lines) > 1 && strings.Contains(line, "|") && tableRule.MatchString(lines[1]):
		return table(b, lines)
	case isTag(line):
		b.Kind, b.Text = Tag, line
		return 1
	}
	return paragraph(b, lines)
}

var originForm = regexp.MustCompile(`^\s*<!--\s*(\w+):\s*(.*?)\s*-->\s*$`)

// comment parses a comment, which may have many lines.
func (w *walk) comment(b *Block, lines []string) int {
	b.Kind = Comment
	if m := originForm.FindStringSubmatch(lines[0]); m != nil {
		b.From = Origin{m[1], m[2]}
	}
	w.above = b.From
	for i, line := range lines {
		if strings.Contains(line, "-->") {
			return i + 1
		}
	}
	return len(lines)
}

func isFence(line string) bool { return strings.HasPrefix(line, "```") }

// code parses what stands between two fences. Without the second one, it is the rest of the page.
func (w *walk) code(b *Block, lines []string) int {
	end := 1
	for end < len(lines) && !isFence(lines[end]) {
		end++
	}
	lang := strings.TrimPrefix(lines[0], "```")
	b.Kind, b.From = Code, w.above
	b.Lang = lang[:len(lang)-len(strings.TrimLeftFunc(lang, isWord))]
	b.Text = strings.Join(lines[1:end], "\n")
	return min(end+1, len(lines))
}

func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}

// headingLevel is the number of signs before a heading, 0 if the line is none.
func headingLevel(line string) int {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level > 6 || !strings.HasPrefix(line[level:], " ") && !strings.HasPrefix(line[level:], "\t") {
		return 0
	}
	return level
}

func (w *walk) heading(b *Block, line string) {
	b.Kind, b.Level = Heading, headingLevel(line)
	b.Text = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(line[b.Level:]), "#"))
	b.Anchor = w.anchor(b.Text)
}

func (w *walk) quote(b *Block, lines []string) (n int) {
	var inner []string
	for n < len(lines) && strings.HasPrefix(lines[n], ">") {
		inner = append(inner, strings.TrimPrefix(lines[n][1:], " "))
		n++
	}
	b.Kind, b.Text = Quote, strings.Join(inner, "\n")
	w.above = Origin{}
	b.Blocks = w.blocks(inner, b.First)
	return n
}

// paragraph ends at a blank line, and where a block begins that needs none before it.
func paragraph(b *Block, lines []string) (n int) {
	for n = 1; n < len(lines) && !endsParagraph(lines[n]); n++ {
	}
	b.Text = strings.Join(lines[:n], "\n")
	return n
}

func endsParagraph(line string) bool {
	return strings.TrimSpace(line) == "" || line[0] == '>' || isFence(line) ||
		headingLevel(line) > 0 || isTag(line) || itemLength(line) > 0 && !startsWithNumber(line)
}

func isTag(line string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(line, "<"), "/")
	rest, isDetails := strings.CutPrefix(name, "details")
	if !isDetails {
		rest, isDetails = strings.CutPrefix(name, "summary")
	}
	return line[0] == '<' && isDetails && (rest == "" || !isWord(rune(rest[0])))
}

// itemLength is the length of what stands before an item of a list, 0 if the line is none.
func itemLength(line string) int {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	rest, n := line[digits:], digits+1
	isMark := digits == 0 && strings.HasPrefix(rest, "- ") ||
		0 < digits && digits < 4 && strings.HasPrefix(rest, ". ")
	if !isMark {
		return 0
	}
	for n < len(line) && line[n] == ' ' {
		n++
	}
	return n
}

// startsWithNumber finds lines that are no items of a list if they stand in a paragraph: a sentence
// may begin with "2026."
func startsWithNumber(line string) bool { return '0' <= line[0] && line[0] <= '9' }

// list parses items of one kind, up to the first line that belongs to none of them. The lines of an
// item go on below its first one.
func list(b *Block, lines []string) (n int) {
	b.Kind, b.Ordered = List, startsWithNumber(lines[0])
	isItem := func(line string) bool {
		return itemLength(line) > 0 && startsWithNumber(line) == b.Ordered
	}
	for n < len(lines) && isItem(lines[n]) {
		line := b.First + n
		item := []string{lines[n][itemLength(lines[n]):]}
		for n++; n < len(lines) && !endsParagraph(lines[n]) && itemLength(lines[n]) == 0; n++ {
			item = append(item, strings.TrimSpace(lines[n]))
		}
		b.Rows = append(b.Rows, Row{line, []string{strings.Join(item, "\n")}})
	}
	return n
}

var tableRule = regexp.MustCompile(`^\s*\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?\s*)?$`)

// table parses a line of headings, the line below it that makes it a table, and rows.
func table(b *Block, lines []string) (n int) {
	b.Kind = Table
	b.Rows = []Row{{b.First, cells(lines[0])}}
	for n = 2; n < len(lines) && strings.Contains(lines[n], "|"); n++ {
		b.Rows = append(b.Rows, Row{b.First + n, cells(lines[n])})
	}
	return n
}

// cells splits a row of a table at the bars. One behind a backslash belongs to a cell.
func cells(line string) []string {
	line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, "\x00")
	all := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	for i, cell := range all {
		all[i] = strings.ReplaceAll(strings.TrimSpace(cell), "\x00", "|")
	}
	return all
}
