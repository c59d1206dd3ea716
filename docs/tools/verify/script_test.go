package verify

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token of a script: a name, a number, a piece of text or a sign. Comments are none.
type scriptToken struct {
	text    string
	line    int
	isFirst bool // on its line
}

// scriptForms are what a script consists of. A pattern is told from a division by what is before
// it.
var (
	scriptPattern = regexp.MustCompile(`^/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*`)
	scriptText    = regexp.MustCompile(`^(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")`)
	beforePattern = regexp.MustCompile(`^(?:[(,=:\[!&|?{};+\-*%<>~^]|=>|return|typeof|case|)$`)
)

// scriptTokens cuts a script into tokens. Those within ${ } of a text stand between "${" and "}".
func scriptTokens(text string) (tokens []scriptToken) {
	line, isFirst := 1, true
	var braces []bool // those that are open: whether they belong to a text
	add := func(s, as string) {
		tokens = append(tokens, scriptToken{as, line, isFirst})
		line, isFirst, text = line+strings.Count(s, "\n"), false, text[len(s):]
	}
	quasi := func() { // reads text up to ${ or the end of it
		for i := 0; i < len(text); i++ {
			switch {
			case text[i] == '\\':
				i++
			case text[i] == '`':
				add(text[:i+1], "`")
				return
			case strings.HasPrefix(text[i:], "${"):
				add(text[:i+2], "${")
				braces = append(braces, true)
				return
			}
		}
		add(text, "`") // it does not end
	}
	last := func() string {
		if len(tokens) == 0 {
			return ""
		}
		return tokens[len(tokens)-1].text
	}
	for text != "" {
		head, _, _ := strings.Cut(text, "\n") // nothing but comments and text has several lines
		word := scriptWord(head)
		switch {
		case head == "":
			line, isFirst, text = line+1, true, text[1:]
		case strings.IndexByte(" \t\r", head[0]) >= 0:
			text = text[1:]
		case strings.HasPrefix(head, "//"):
			text = text[len(head):]
		case strings.HasPrefix(head, "/*"):
			comment, rest, _ := strings.Cut(text[2:], "*/")
			line, text = line+strings.Count(comment, "\n"), rest
		case head[0] == '`':
			text = text[1:]
			quasi()
		case head[0] == '/' && beforePattern.MatchString(last()) && scriptPattern.MatchString(head):
			add(scriptPattern.FindString(head), "text")
		case strings.IndexByte(`'"`, head[0]) >= 0 && scriptText.MatchString(head):
			add(scriptText.FindString(head), "text")
		case word != "":
			add(word, word)
		default:
			sign := scriptSign(head)
			add(sign, sign)
			if sign == "{" {
				braces = append(braces, false)
			}
			if sign == "}" && len(braces) > 0 {
				isText := braces[len(braces)-1]
				if braces = braces[:len(braces)-1]; isText {
					quasi()
				}
			}
		}
	}
	return tokens
}

// scriptWord returns the name or number that a line begins with, "" if there is none. A dot within
// it is part of it.
func scriptWord(line string) string {
	end := strings.IndexFunc(line, func(r rune) bool {
		return !(r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) ||
			strings.ContainsRune("_$.#", r))
	})
	if end < 0 {
		end = len(line)
	}
	return strings.TrimRight(line[:end], ".#")
}

// scriptSign returns the sign that a line begins with.
func scriptSign(line string) string {
	for _, long := range []string{"=>", "..."} {
		if strings.HasPrefix(line, long) {
			return long
		}
	}
	_, size := utf8.DecodeRuneInString(line)
	return line[:size]
}

// opensBlock are the tokens after which a brace opens statements; besides, one that heads a class
// or begins a line does.
var opensBlock = []string{")", "=>", "else", "try", "finally", "do", "catch"}

// A bracket that is open: its kind is one of ( [ { ${ or block, and for parentheses whether they
// only group.
type bracket struct {
	kind   string
	groups bool
	comma  int // the line of the first comma in it, 0: none
}

// joinedJS reports statements that share a line: joined by a semicolon or a comma, behind a brace
// that opens or closes a block, or before one that closes it. Semicolons at the ends of lines are
// reported, too: a script here has none.
func joinedJS(text string, report func(line int, what string)) {
	open := []bracket{{kind: "block"}}
	isClass := false
	var before scriptToken
	tokens := scriptTokens(text)
	for i, tok := range tokens {
		in := &open[len(open)-1]
		switch tok.text {
		case "class":
			isClass = true
		case "(", "[", "${":
			calls := before.text == "." || before.text == ")" || before.text == "]" || before.text == "`" ||
				scriptWord(before.text) != "" &&
					!slices.Contains([]string{"return", "await"}, before.text)
			open = append(open, bracket{kind: tok.text, groups: tok.text == "(" && !calls})
		case "{":
			isBlock := isClass || slices.Contains(opensBlock, before.text) ||
				in.kind == "block" && (tok.isFirst || before.text == ";") && !goesOn(before)
			open = append(open, bracket{kind: map[bool]string{true: "block", false: "{"}[isBlock]})
			isClass = false
			if isBlock && i+1 < len(tokens) && !tokens[i+1].isFirst && tokens[i+1].text != "}" {
				report(tok.line, "a statement stands behind the brace that opens its block")
			}
		case ")", "]", "}":
			if len(open) > 1 {
				open = open[:len(open)-1]
			}
			next := scriptToken{isFirst: true}
			if i+1 < len(tokens) {
				next = tokens[i+1]
			}
			if in.groups && in.comma > 0 && next.text != "=>" {
				report(in.comma, "a comma joins two statements")
			}
			if in.kind != "block" || tok.text != "}" {
				break
			}
			ends := slices.Contains([]string{"else", "catch", "finally", "while"}, next.text)
			if !tok.isFirst && before.text != "{" && before.line == tok.line &&
				opened(tokens[:i]) != tok.line {
				report(tok.line, "a statement stands before the brace that closes its block")
			}
			if !next.isFirst && !ends && scriptWord(next.text) != "" {
				report(next.line, "a statement stands behind the brace that closes a block")
			}
		case ";":
			if in.kind == "block" {
				report(tok.line, "a semicolon joins two statements")
			}
		case ",":
			if in.comma = cmp.Or(in.comma, tok.line); in.kind == "block" {
				report(tok.line, "a comma joins two statements")
			}
		case "else":
			if !tok.isFirst && before.text != "}" {
				report(tok.line, "else stands behind a statement")
			}
		}
		before = tok
	}
}

// goesOn reports whether a value must follow a token, so that a brace behind it begins an object.
func goesOn(tok scriptToken) bool {
	return slices.Contains([]string{"=", "?", ":", "|", "&", "+", ",", "return"}, tok.text)
}

// opened is the line of the brace that is closed behind these tokens.
func opened(tokens []scriptToken) int {
	depth := 0
	for _, tok := range slices.Backward(tokens) {
		switch tok.text {
		case "}":
			depth++
		case "{", "${":
			if depth == 0 {
				return tok.line
			}
			depth--
		}
	}
	return 0
}
