package repo

import "strings"

// A Section is a heading of a page with the lines below it, up to the next heading. Level 0 is what
// stands before the first one.
type Section struct {
	Level           int
	Anchor, Heading string // Heading is without marks
	Lines           []string
}

// marks are those of Markdown that a heading without them is not to show.
var marks = strings.NewReplacer("`", "", "*", "")

// Sections cuts a page into its sections. A line of a code block is no heading.
func Sections(text string) []Section {
	all, anchors, fence := []Section{{}}, Anchors{}, false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "```") {
			fence = !fence
		}
		level := len(line) - len(strings.TrimLeft(line, "#"))
		if fence || level == 0 || level > 6 || !strings.HasPrefix(line[level:], " ") {
			last := &all[len(all)-1]
			last.Lines = append(last.Lines, line)
			continue
		}
		heading := strings.TrimSpace(strings.TrimRight(line[level:], "#"))
		shown := marks.Replace(linkText.ReplaceAllString(heading, "$1"))
		all = append(all, Section{Level: level, Anchor: anchors.Add(heading), Heading: shown})
	}
	return all
}

// Title is the first heading of a page, "Untitled" if it has none.
func Title(text string) string {
	for _, s := range Sections(text)[1:] {
		return s.Heading
	}
	return "Untitled"
}

// Cells splits a row of a table at the bars. One behind a backslash belongs to a cell.
func Cells(line string) []string {
	line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, "\x00")
	all := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	for i, cell := range all {
		all[i] = strings.ReplaceAll(strings.TrimSpace(cell), "\x00", "|")
	}
	return all
}
