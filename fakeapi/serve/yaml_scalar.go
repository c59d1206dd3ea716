package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A scanner reads what stands on one line: scalars and flow collections.
type scanner struct {
	text  string
	at    int // bytes of text that are done with
	line  int // its number, for errors
	depth int // how many collections it stands in
}

func (s *scanner) errorf(format string, args ...any) error {
	return &lineError{s.line, fmt.Sprintf(format, args...)}
}

func (s *scanner) rest() string { return s.text[s.at:] }

func (s *scanner) skipSpace() {
	s.at += len(s.rest()) - len(strings.TrimLeft(s.rest(), " \t"))
}

// end checks that nothing but a comment is left.
func (s *scanner) end() error {
	before := s.at
	s.skipSpace()
	if rest := s.rest(); rest != "" && !(rest[0] == '#' && s.at > before) {
		return s.errorf("%q is left over behind the value: does it need quotes?", rest)
	}
	return nil
}

// value reads a scalar or a flow collection. inFlow says that it stands in a flow collection, where
// commas and brackets end plain text.
func (s *scanner) value(inFlow bool) (any, error) {
	s.skipSpace()
	rest := s.rest()
	switch {
	case rest == "":
		return nil, s.errorf("a value is missing; one in brackets must end on its line")
	case rest[0] == '{' || rest[0] == '[':
		return s.flow()
	case rest[0] == '"' || rest[0] == '\'':
		return s.quoted()
	case rest[0] == '&' || rest[0] == '*':
		return nil, s.errorf("anchors and aliases are not read here: write the value out")
	case rest[0] == '!':
		return nil, s.errorf("tags are not read here: quote what is to be a string")
	case isItem(rest):
		return nil, s.errorf("a list begins on a line of its own")
	case !beginsPlain(rest):
		return nil, s.errorf("%q cannot begin a value: quote it", rest[:1])
	}
	return s.resolve(s.plain(inFlow))
}

// beginsPlain says whether text may begin like this without being taken for something else.
func beginsPlain(text string) bool {
	if text == "" || strings.IndexByte("-?:", text[0]) >= 0 {
		return len(text) > 1 && !isSpace(text[1])
	}
	return strings.IndexByte("&*!%@`|>,[]{}#\"'", text[0]) < 0
}

// plain reads text without quotes, up to what ends it: a comment, a colon with a space, or, in a
// flow collection, a comma or a bracket.
func (s *scanner) plain(inFlow bool) string {
	start := s.at
	for ; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		if c == ':' && s.endsKey() ||
			c == '#' && s.at > 0 && isSpace(s.text[s.at-1]) ||
			inFlow && strings.IndexByte(",[]{}", c) >= 0 {
			break
		}
	}
	text := strings.TrimRight(s.text[start:s.at], " \t")
	s.at = start + len(text)
	return text
}

// endsKey says whether the colon here ends a key: only if something other than text follows it.
func (s *scanner) endsKey() bool {
	next := s.text[s.at+1:]
	return next == "" || isSpace(next[0])
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

// colon reads the colon behind a key. It is false, and reads nothing, where there is none.
func (s *scanner) colon() bool {
	before := s.at
	s.skipSpace()
	if rest := s.rest(); rest != "" && rest[0] == ':' && s.endsKey() {
		s.at++
		return true
	}
	s.at = before
	return false
}

// keyOf is the key that plain text stands for. kubectl's keys are strings, whatever they look like.
func (s *scanner) keyOf(plain string) (string, error) {
	if plain == "<<" {
		return "", s.errorf("merge keys are not read here: write the entries out")
	}
	if !beginsPlain(plain) {
		return "", s.errorf("%q is not read as a key here: quote it", plain)
	}
	switch v, err := s.resolve(plain); v := v.(type) {
	case string:
		return v, err
	case json.Number:
		if string(v) != plain {
			return "", s.errorf("the key %s is a number, which others write as %s: quote it", plain, v)
		}
		return plain, nil
	case bool:
		return strconv.FormatBool(v), nil
	default:
		if err == nil {
			err = s.errorf("null is no key: quote it")
		}
		return "", err
	}
}

var (
	// disputed are booleans in YAML 1.1, and to kubectl, and plain words in YAML 1.2.
	disputed = []string{"y", "n", "yes", "no", "on", "off"}

	decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	integer = regexp.MustCompile(
		`^[-+]?(0[0-7]+|0[oO][0-7]+|0[xX][0-9a-fA-F]+|0[bB][01]+|[1-9][0-9]*|0)$`)
	float = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	// zeros are read as octal by some as far as they can be.
	zeros = regexp.MustCompile(`^[-+]?0[0-9]+$`)
)

// resolve is what plain text stands for: null, a boolean, a number, or itself.
func (s *scanner) resolve(plain string) (any, error) {
	switch plain {
	case "", "~", "null", "Null", "NULL":
		return nil, nil
	case "true", "True", "TRUE":
		return true, nil
	case "false", "False", "FALSE":
		return false, nil
	}
	if slices.Contains(disputed, strings.ToLower(plain)) {
		return nil, s.errorf("%s is a boolean to some and a word to others: "+
			"write true or false, or quote it", plain)
	}
	// To some, underscores are as good as not there.
	bare := strings.ReplaceAll(plain, "_", "")
	switch {
	case decimal.MatchString(plain) && len(plain) < 300: // as it is, or digits could be lost
		return json.Number(plain), nil
	case integer.MatchString(plain):
		return s.base(plain)
	case zeros.MatchString(bare), bare != plain && isNumber(bare):
		return nil, s.errorf("%s is a number to some and a word to others: quote it", plain)
	case float.MatchString(plain):
		return s.decimalPoint(plain)
	case isInfinite(plain):
		return nil, s.errorf("JSON has no number for %s", plain)
	}
	return plain, nil
}

// base reads an integer that is marked as octal (as modes of files are), hexadecimal or binary, or
// has a plus.
func (s *scanner) base(plain string) (any, error) {
	n, err := strconv.ParseInt(plain, 0, 64)
	if err != nil {
		return nil, s.errorf("%s is too large a number", plain)
	}
	return json.Number(strconv.FormatInt(n, 10)), nil
}

func (s *scanner) decimalPoint(plain string) (any, error) {
	f, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return nil, s.errorf("%s is too large a number", plain)
	}
	b, err := json.Marshal(f)
	return json.Number(b), err
}

func isNumber(plain string) bool {
	return integer.MatchString(plain) || float.MatchString(plain)
}

func isInfinite(plain string) bool {
	word := strings.ToLower(strings.TrimLeft(plain, "+-"))
	return word == ".inf" || word == ".nan"
}

// quoted reads a string in quotes of either kind, which must end on its line.
func (s *scanner) quoted() (string, error) {
	quote := s.text[s.at]
	var b strings.Builder
	for s.at++; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case c == '\'' && quote == c && strings.HasPrefix(s.rest(), "''"):
			b.WriteByte(c)
			s.at++
		case c == quote:
			s.at++
			return b.String(), nil
		case c == '\\' && quote == '"':
			if err := s.escape(&b); err != nil {
				return "", err
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", s.errorf("a string in quotes must end on its line: text of several lines needs | or >")
}

// escapes are what a backslash and a letter stand for.
var escapes = map[byte]string{'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n",
	'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b", ' ': " ", '"': `"`, '/': "/", '\\': `\`,
	'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029"}

// escape reads an escape sequence and stops at its last byte.
func (s *scanner) escape(b *strings.Builder) error {
	if s.at++; s.at == len(s.text) {
		return s.errorf("a string in quotes must end on its line")
	}
	c := s.text[s.at]
	if text, ok := escapes[c]; ok {
		b.WriteString(text)
		return nil
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 || s.at+digits >= len(s.text) {
		return s.errorf(`\%c is no escape sequence`, c)
	}
	hex := s.text[s.at+1 : s.at+1+digits]
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return s.errorf(`\%c%s is no character`, c, hex)
	}
	b.WriteRune(rune(n))
	s.at += digits
	return nil
}
