package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAPageIsBlocks(t *testing.T) {
	p := Parse("# A `b`\r\n\r\nText *of*\r\ntwo lines.\r\n## A b\n> Quoted\n> - item\n\n" +
		"<!-- source: a/b.go#T.M -->\n\n```go\nx := 1\n\n```\n<!-- open\n\n-->\n" +
		"<details><summary>Answer</summary>\n1. one\n   more\n2. two\n- three\n\n" +
		"| a | `b\\|c` |\n|---|:-:|\n| d | |\n```\nno end")
	want := []Block{
		{Kind: Heading, First: 1, Last: 1, Text: "A `b`", Level: 1, Anchor: "a-b"},
		{Kind: Paragraph, First: 3, Last: 4, Text: "Text *of*\ntwo lines."},
		{Kind: Heading, First: 5, Last: 5, Text: "A b", Level: 2, Anchor: "a-b-1"},
		{Kind: Quote, First: 6, Last: 7, Text: "Quoted\n- item", Blocks: []Block{
			{Kind: Paragraph, First: 6, Last: 6, Text: "Quoted"},
			{Kind: List, First: 7, Last: 7, Rows: []Row{{7, []string{"item"}}}},
		}},
		{Kind: Comment, First: 9, Last: 9, From: Origin{"source", "a/b.go#T.M"}},
		{Kind: Code, First: 11, Last: 14, Text: "x := 1\n", Lang: "go", From: Origin{"source", "a/b.go#T.M"}},
		{Kind: Comment, First: 15, Last: 17},
		{Kind: Tag, First: 18, Last: 18, Text: "<details><summary>Answer</summary>"},
		{Kind: List, First: 19, Last: 21, Ordered: true, Rows: []Row{
			{19, []string{"one\nmore"}}, {21, []string{"two"}},
		}},
		{Kind: List, First: 22, Last: 22, Rows: []Row{{22, []string{"three"}}}},
		{Kind: Table, First: 24, Last: 26, Rows: []Row{
			{24, []string{"a", "`b|c`"}}, {26, []string{"d", ""}},
		}},
		{Kind: Code, First: 27, Last: 28, Text: "no end"},
	}
	assert.Equal(t, want, p.Blocks)
	assert.Equal(t, "A b", p.Title())
	assert.Equal(t, "Untitled", Parse("text").Title())
	assert.Len(t, p.Code(), 2)

	t.Run("a comment is the origin of the code below it, and of no other", func(t *testing.T) {
		code := Parse("<!-- story: a -->\ntext\n```\n```\n> <!-- diff: b -->\n> ```\n> ```\n").Code()
		assert.Equal(t, Origin{}, code[0].From)
		assert.Equal(t, Origin{"diff", "b"}, code[1].From)
	})
	t.Run("a section is a heading with what is below it", func(t *testing.T) {
		all := Parse("before\n# One\na\n\nb\n## [Two](x)\n").Sections()
		require.Len(t, all, 3)
		assert.Equal(t, "before", all[0].Blocks[0].Text)
		assert.Len(t, all[1].Blocks, 2)
		assert.Equal(t, Section{Level: 2, Anchor: "two", Heading: "Two"}, all[2])
	})
	t.Run("a line that only looks like another block is prose", func(t *testing.T) {
		for _, text := range []string{
			"#no space", "####### seven", "in\n2026. Then",
			"in May\n26. Then", "1234. long", "-none", "a | b\nc",
			"<detail>", "<p>", "</summaryx>", "``", "*", "[a", "\\",
		} {
			assert.Equal(t, Paragraph, Parse(text).Blocks[0].Kind, text)
			assert.Len(t, Parse(text).Blocks, 1, text)
		}
	})
}

func TestATextIsSpans(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Span
	}{
		{"a\nb", []Span{{Line: 7, Text: "a\nb"}}},
		{"a `b` ``c ` d``", []Span{{Line: 7, Text: "a "}, {Kind: CodeFont, Line: 7, Text: "b"}, {Line: 7, Text: " "}, {Kind: CodeFont, Line: 7, Text: "c ` d"}}},
		{"` a `\n`a\nb`", []Span{{Kind: CodeFont, Line: 7, Text: "a"}, {Line: 7, Text: "\n"}, {Kind: CodeFont, Line: 8, Text: "a b"}}},
		{"![a](b.svg)", []Span{{Kind: Image, Line: 7, Text: "a", Target: "b.svg"}}},
		{"[a](<b#c> \"d\")", []Span{{Kind: Link, Line: 7, Text: "a", Target: "b#c", Title: "d", Inside: []Span{{Line: 7, Text: "a"}}}}},
		{"*a*", []Span{{Kind: Italic, Line: 7, Text: "a", Inside: []Span{{Line: 7, Text: "a"}}}}},
		{"**a**", []Span{{Kind: Bold, Line: 7, Text: "a", Inside: []Span{{Line: 7, Text: "a"}}}}},
		{"**a\nb** c", []Span{{Kind: Bold, Line: 7, Text: "a\nb", Inside: []Span{{Line: 7, Text: "a\nb"}}}, {Line: 8, Text: " c"}}},
		{"2 * 3 * 4 [a] !b < c `", []Span{{Line: 7, Text: "2 * 3 * 4 [a] !b < c `"}}},
		{"<summary>a</summary>", []Span{{Kind: Fold, Line: 7, Text: "<summary>"}, {Line: 7, Text: "a"}, {Kind: Fold, Line: 7, Text: "</summary>"}}},
	} {
		assert.Equal(t, c.want, Spans(c.text, 7), c.text)
	}
	assert.Equal(t, "a b c", Plain("**a `b`** [*c*](d)"))

	t.Run("a form is looked for in a thousand bytes, so text without its end does not take long",
		func(t *testing.T) {
			for size, kind := range map[int]SpanKind{longest - 2: Italic, longest - 1: Words} {
				assert.Equal(t, kind, Spans("*"+strings.Repeat("x", size)+"*", 7)[0].Kind)
			}
		})
	t.Run("what is inside of a span has its line", func(t *testing.T) {
		lines := map[string]int{}
		Each(Text{3, "a\n**b\n[`c`](d)**"}, func(s Span) { lines[s.Text] = s.Line })
		assert.Equal(t, map[string]int{"a\n": 3, "b\nc": 4, "b\n": 4, "c": 5}, lines)
	})
}

// FuzzParse checks what the package promises, and what a block may hold.
func FuzzParse(f *testing.F) {
	pages, _ := filepath.Glob("../../*.md")
	require.NotEmpty(f, pages)
	for _, name := range pages {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text[:min(len(text), 5000)]))
	}
	f.Add("> ```\n> # a\n- b\n# c\n<!--\n")
	f.Add("a|b\n-|-\n# c|\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := Parse(text)
		checkBlocks(t, p.Lines, 1, p.Blocks)
		for _, text := range p.Texts() {
			checkSpans(t, text)
		}
	})
}

// checkBlocks checks that every line that is not blank is in one block, and that no block holds
// another that needs no blank line before it.
func checkBlocks(t *testing.T, lines []string, number int, blocks []Block) {
	t.Helper()
	at := number
	for _, b := range blocks {
		for ; at < b.First; at++ {
			require.Empty(t, strings.TrimSpace(lines[at-number]), "line %d is in no block", at)
		}
		require.Equal(t, at, b.First)
		require.GreaterOrEqual(t, b.Last, b.First)
		at = b.Last + 1
		own := lines[b.First-number : b.Last+1-number]
		switch b.Kind {
		case Paragraph, List:
			for _, line := range own[1:] {
				begins := strings.HasPrefix(line, "```") || strings.HasPrefix(line, ">") ||
					strings.HasPrefix(line, "# ") || strings.TrimSpace(line) == ""
				require.False(t, begins, "%q is in a block of kind %d", line, b.Kind)
			}
		case Code:
			require.NotContains(t, "\n"+b.Text, "\n```")
		case Quote:
			checkBlocks(t, strings.Split(b.Text, "\n"), b.First, b.Blocks)
		}
	}
	for ; at < number+len(lines); at++ {
		require.Empty(t, strings.TrimSpace(lines[at-number]), "line %d is in no block", at)
	}
}

// checkSpans checks that spans have the text without some of its marks, and lines that go up.
func checkSpans(t *testing.T, text Text) {
	t.Helper()
	rest, line := strings.ReplaceAll(text.Text, "\n", " "), text.Line
	for _, s := range Spans(text.Text, text.Line) {
		require.GreaterOrEqual(t, s.Line, line)
		line = s.Line
		for _, c := range []byte(strings.ReplaceAll(s.Text, "\n", " ")) {
			i := strings.IndexByte(rest, c)
			if i < 0 {
				t.Fatalf("%q of %q is not in its text", s.Text, text.Text)
			}
			rest = rest[i+1:]
		}
	}
	require.LessOrEqual(t, line, text.Line+strings.Count(text.Text, "\n"))
}
