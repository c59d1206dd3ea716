package page

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// A SpanKind is what a span is.
type SpanKind int

// The kinds of spans.
const (
	Words SpanKind = iota
	CodeFont
	Image
	Link
	Bold
	Italic
	Fold // <details> or <summary>, or the end of one
)

// A Span is a part of a text.
type Span struct {
	Kind   SpanKind
	Line   int
	Text   string // without marks; of an image, what stands for it; of a fold, the tag
	Target string // of a link or an image
	Title  string // of a link
	Inside []Span // of a link and of what is bold or italic
}

// The forms of text within a line, each tried where the last one ended.
var (
	codeForm  = regexp.MustCompile("^(?:``((?:[^`]|`[^`])+)``|`([^`]+)`)")
	imageForm = regexp.MustCompile(`^!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?[^)]*\)`)
	linkForm  = regexp.MustCompile("^\\[((?:[^\\[\\]`]|`[^`]*`)*)\\]" +
		`\(\s*<?([^)\s>]+)>?\s*(?:"([^"]*)")?[^)]*\)`)
	boldForm   = regexp.MustCompile(`^\*\*([^\s*](?:[^*]|\*[^\s*][^*]*\*|\*\s)*?)\*\*`)
	italicForm = regexp.MustCompile(`^\*([^\s*](?:[^*]*[^\s*])?)\*`)
	foldForm   = regexp.MustCompile(`^</?(details|summary)>`)
)

// longest is how many bytes a form may have. Without a limit, each mark of a text that has no
// second one would be looked for up to its end.
const longest = 1000

// Spans parses a text whose first line has a number. What is none of the forms is words.
func Spans(text string, line int) (all []Span) {
	words := 0 // how much of the text is words before what is parsed
	flush := func() {
		if words > 0 {
			all = append(all, Span{Line: line, Text: text[:words]})
			line += strings.Count(text[:words], "\n")
			text, words = text[words:], 0
		}
	}
	for words < len(text) {
		next := strings.IndexAny(text[words:], "`![*<")
		if next < 0 {
			words = len(text)
			break
		}
		words += next
		rest := text[words:min(len(text), words+longest)]
		if s, n := form(rest, line+strings.Count(text[:words], "\n")); n > 0 {
			flush()
			all = append(all, s)
			line += strings.Count(text[:n], "\n")
			text = text[n:]
		} else {
			words++
		}
	}
	flush()
	return all
}

// form parses the form that a text begins with, and returns how long it is, 0 if it is none.
func form(text string, line int) (Span, int) {
	around := func(kind SpanKind, inner string) Span {
		inside := Spans(inner, line)
		return Span{Kind: kind, Line: line, Text: plain(inside), Inside: inside}
	}
	switch text[0] {
	case '!', '[': // most have no target, and to match one of these forms takes long
		if _, target, ok := strings.Cut(text, "]("); !ok || !strings.Contains(target, ")") {
			return Span{}, 0
		}
	}
	switch text[0] {
	case '`':
		if m := codeForm.FindStringSubmatch(text); m != nil {
			return Span{Kind: CodeFont, Line: line, Text: codeText(m[1] + m[2])}, len(m[0])
		}
	case '!':
		if m := imageForm.FindStringSubmatch(text); m != nil {
			return Span{Kind: Image, Line: line, Text: m[1], Target: m[2]}, len(m[0])
		}
	case '[':
		if m := linkForm.FindStringSubmatch(text); m != nil {
			s := around(Link, m[1])
			s.Target, s.Title = m[2], m[3]
			return s, len(m[0])
		}
	case '*':
		if m := boldForm.FindStringSubmatch(text); m != nil {
			return around(Bold, m[1]), len(m[0])
		}
		if m := italicForm.FindStringSubmatch(text); m != nil {
			return around(Italic, m[1]), len(m[0])
		}
	case '<':
		if tag := foldForm.FindString(text); tag != "" {
			return Span{Kind: Fold, Line: line, Text: tag}, len(tag)
		}
	}
	return Span{}, 0
}

// codeText is what code font shows: one line, without the spaces that keep backquotes apart.
func codeText(code string) string {
	code = strings.ReplaceAll(code, "\n", " ")
	if len(code) > 1 && strings.HasPrefix(code, " ") && strings.HasSuffix(code, " ") {
		return code[1 : len(code)-1]
	}
	return code
}

// Each calls f for the spans of a text and for those inside of them.
func Each(t Text, f func(Span)) {
	each(Spans(t.Text, t.Line), f)
}

func each(spans []Span, f func(Span)) {
	for _, s := range spans {
		f(s)
		each(s.Inside, f)
	}
}

// Plain returns a text without its marks.
func Plain(text string) string { return plain(Spans(text, 1)) }

func plain(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		if s.Kind != Fold {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// anchor returns the anchor that a code host gives a heading: small letters, with - for spaces. The
// second heading of one name gets a number.
func (w *walk) anchor(heading string) string {
	slug := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' || r == '-':
			return r
		}
		return -1
	}, strings.ToLower(Plain(heading)))
	anchor := slug
	for n := 1; w.anchors[anchor]; n++ {
		anchor = fmt.Sprintf("%s-%d", slug, n)
	}
	w.anchors[anchor] = true
	return anchor
}
