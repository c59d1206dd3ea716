package printer

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Path leads from an object to values within it. It is the part of JSONPath that
// printer columns use:
//
//	.status.phase
//	.metadata.labels.app\.kubernetes\.io/name    or  .metadata.labels['app.kubernetes.io/name']
//	.spec.ports[0].port                          -1 is the last
//	.spec.ports[*].name
//	.status.conditions[?(@.type=="Ready")].status
type Path []step

// A step leads from a value to some of the values in it.
type step struct {
	key   string // of an object, if the fields below are zero
	index *int   // of a list
	all   bool   // all elements, or all fields; if where is set, those that satisfy it
	where Path   // from an element to a value that has to be equal to want
	want  string
}

// maxPath is how many bytes a path may have: parsing one takes quadratic time.
const maxPath = 1024

// ParsePath reads a path of at most 1,024 bytes. The first dot may be missing. The empty
// path leads to the object itself. An error quotes the part that cannot be read.
func ParsePath(text string) (Path, error) {
	if len(text) > maxPath {
		return nil, fmt.Errorf("path %.100q… is longer than %d bytes", text, maxPath)
	}
	var p Path
	rest := text
	if rest != "" && rest[0] != '[' {
		rest = "." + strings.TrimPrefix(rest, ".")
	}
	for rest != "" {
		read := readBracket
		if rest[0] != '[' {
			read = readKey
		}
		s, n := read(rest)
		if n == 0 {
			return nil, fmt.Errorf("path %.100q: cannot read %.100q", text, rest)
		}
		p, rest = append(p, s), rest[n:]
	}
	return p, nil
}

func mustPath(text string) Path {
	p, err := ParsePath(text)
	if err != nil {
		panic(err)
	}
	return p
}

// readKey reads .key, in which a backslash takes the next byte literally. n is how many
// bytes it has read: 0 if text does not begin with a key.
func readKey(text string) (s step, n int) {
	if text[0] != '.' {
		return s, 0
	}
	var key []byte
	n = 1
	for ; n < len(text) && text[n] != '.' && text[n] != '['; n++ {
		if text[n] == '\\' && n+1 < len(text) {
			n++
		}
		key = append(key, text[n])
	}
	if len(key) == 0 {
		return s, 0
	}
	return step{key: string(key), all: string(key) == "*"}, n
}

// readBracket reads [0], [*], ['key'] or [?(@.path=="value")]. n is how many bytes it has
// read: 0 if text begins with none of these.
func readBracket(text string) (s step, n int) {
	end := closing(text)
	if end < 0 {
		return s, 0
	}
	n = end + 1
	inside := strings.TrimSpace(text[1:end])
	if filter, ok := strings.CutPrefix(inside, "?("); ok {
		if s, ok = readFilter(strings.TrimSuffix(filter, ")")); !ok {
			return s, 0
		}
		return s, n
	}
	if key, ok := unquote(inside); ok {
		return step{key: key}, n
	}
	i, err := strconv.Atoi(inside)
	if inside == "*" {
		return step{all: true}, n
	} else if err != nil {
		return s, 0
	}
	return step{index: &i}, n
}

// closing returns the index of the bracket that closes the one at the start of text, -1 if
// there is none. Brackets in quotes do not count.
func closing(text string) int {
	quote, open := byte(0), 0
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '[':
			open++
		case c == ']':
			if open--; open == 0 {
				return i
			}
		}
	}
	return -1
}

func readFilter(text string) (s step, ok bool) {
	path, want, ok := strings.Cut(text, "==")
	path, has := strings.CutPrefix(strings.TrimSpace(path), "@")
	if !ok || !has {
		return s, false
	}
	want = strings.TrimSpace(want)
	if quoted, ok := unquote(want); ok {
		want = quoted
	}
	p, err := ParsePath(path)
	return step{all: true, where: p, want: want}, err == nil && len(p) > 0
}

func unquote(s string) (string, bool) {
	if len(s) < 2 || s[0] != s[len(s)-1] || s[0] != '\'' && s[0] != '"' {
		return s, false
	}
	return s[1 : len(s)-1], true
}

// First returns the first value that the path leads to; ok is false if there is none.
func (p Path) First(v any) (value any, ok bool) {
	for found := range p.All(v) {
		return found, true
	}
	return nil, false
}

// All yields the values that the path leads to: those of a list in its order, those of an
// object in the order of their keys.
func (p Path) All(v any) iter.Seq[any] {
	return func(yield func(any) bool) { p.walk(v, yield) }
}

func (p Path) walk(v any, yield func(any) bool) (more bool) {
	if len(p) == 0 {
		return yield(v)
	}
	s := p[0]
	switch v := v.(type) {
	case object:
		if !s.all {
			next, ok := v[s.key]
			return !ok || s.index != nil || p[1:].walk(next, yield)
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if s.takes(v[key]) && !p[1:].walk(v[key], yield) {
				return false
			}
		}
	case []any:
		if i, ok := s.position(len(v)); ok {
			return p[1:].walk(v[i], yield)
		}
		for _, e := range v {
			if s.all && s.takes(e) && !p[1:].walk(e, yield) {
				return false
			}
		}
	}
	return true
}

// position returns the index of the element that the step leads to.
func (s step) position(size int) (i int, ok bool) {
	if s.index == nil {
		return 0, false
	}
	if i = *s.index; i < 0 {
		i += size
	}
	return i, i >= 0 && i < size
}

// takes says whether a step to all elements, or to those that satisfy where, leads to e.
func (s step) takes(e any) bool {
	if s.where == nil {
		return true
	}
	v, ok := s.where.First(e)
	return ok && text(v) == s.want
}
