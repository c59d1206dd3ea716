package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A document is one document of a file, and where it begins.
type document struct {
	line  int // from 1
	value any // map[string]any, []any, string, json.Number, bool or nil
}

// A lineError is what is wrong with a file, and where.
type lineError struct {
	line int // from 1
	what string
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.what) }

// readDocuments reads all documents of a text, JSON where they begin with a brace, YAML otherwise.
// Documents without content are left out. An error is a *lineError.
func readDocuments(text string) (found []document, err error) {
	text = newlines(text)
	if err := checkCharacters(text); err != nil {
		return nil, err
	}
	for _, b := range splitDocuments(text) {
		if !b.skipBlank() {
			continue
		}
		if b.text()[0] == '{' {
			some, err := b.json()
			if err != nil {
				return nil, err
			}
			found = append(found, some...)
			continue
		}
		d := document{line: b.number()}
		if d.value, err = b.yaml(); err != nil {
			return nil, err
		}
		found = append(found, d)
	}
	return found, nil
}

// newlines is a file's text as it is read here: without a byte order mark, and with Unix line ends.
func newlines(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
}

// checkCharacters refuses what YAML knows only in escape sequences, or takes for the end of a line.
func checkCharacters(text string) error {
	line := 1
	for _, r := range text {
		switch {
		case r == '\n':
			line++
		case r < ' ' && r != '\t', 0x7f <= r && r <= 0x9f, r == 0x2028, r == 0x2029,
			r == 0xfeff, r == 0xfffe, r == 0xffff, r == utf8.RuneError:
			return &lineError{line, fmt.Sprintf("the character %U has no place in a text", r)}
		}
	}
	return nil
}

// A block reads one document, line by line.
type block struct {
	lines []string
	at    int    // the line being read; those before it are done with
	first int    // the number of lines[0] in the file
	rest  string // what the file has behind its last newline
}

// splitDocuments divides a text at its --- and ... lines. Only a comment may follow on them: a line
// with more stays, as the first of its document.
func splitDocuments(text string) []*block {
	rest := text[strings.LastIndexByte(text, '\n')+1:] // what no newline follows
	if blank := strings.Trim(rest, " ") == ""; blank {
		text = strings.TrimSuffix(text, rest) // it is no line
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var blocks []*block
	start := 0
	for i, line := range lines {
		if !isMarker(line, "---") && !isMarker(line, "...") {
			continue
		}
		blocks = append(blocks, &block{lines: lines[start:i], first: start + 1})
		start = i
		if rest := strings.TrimLeft(line[3:], " \t"); rest == "" || rest[0] == '#' {
			start++
		}
	}
	return append(blocks, &block{lines: lines[start:], first: start + 1, rest: rest})
}

// isMarker says whether a line is a document marker, whatever follows it.
func isMarker(line, marker string) bool {
	rest, ok := strings.CutPrefix(line, marker)
	return ok && (rest == "" || rest[0] == ' ')
}

// json reads JSON documents that follow each other.
func (b *block) json() (found []document, err error) {
	text := strings.Join(b.lines[b.at:], "\n")
	lineAt := func(offset int64) int {
		return b.number() + strings.Count(text[:min(int(offset), len(text))], "\n")
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for {
		end := d.InputOffset()
		rest := text[end:]
		begin := end + int64(len(rest)-len(strings.TrimLeft(rest, " \t\n")))
		var v any
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, &lineError{lineAt(e.Offset), e.Error()}
		}
		if err != nil { // it ends too early
			return nil, &lineError{lineAt(int64(len(text))), err.Error()}
		}
		found = append(found, document{lineAt(begin), v})
	}
}
