package object

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Path leads from an object to values within it. It is the part of JSONPath that most printer
// columns use:
//
//	.status.phase
//	.metadata.labels['app.kubernetes.io/name']
//	.spec.ports[0].port
//	.spec.ports[*].name
//	.status.conditions[?(@.type=="Ready")].status
type Path []step

// A step leads from a value to some of the values in it: to the one under a key, to all of them, to
// an element of a list, or to those elements in which a field has a value.
type step struct {
	key          string
	every        bool
	index        int // -1: no element
	field, equal string
}

// MaxPath limits the bytes of a path.
const MaxPath = 1024

// stepText matches one step: .key, ['key'], [0], [*], or [?(@.key=="value")].
var stepText = regexp.MustCompile(`^(?:\.([^.[\]\\*]+)|\['([^']*)'\]|\["([^"]*)"\]|` +
	`\[([0-9]{1,9})\]|\[(\*)\]|\[\?\(\s*@\.([^=<>!.]*?)\s*==\s*(?:'([^']*)'|"([^"]*)")\s*\)\])`)

// ParsePath reads a path of at most 1,024 bytes. The first dot may be missing. An error quotes the
// part that cannot be read.
func ParsePath(text string) (Path, error) {
	if len(text) > MaxPath {
		return nil, fmt.Errorf("path %.100q… is longer than %d bytes", text, MaxPath)
	}
	rest := text
	if rest != "" && rest[0] != '[' {
		rest = "." + strings.TrimPrefix(rest, ".")
	}
	var p Path
	for rest != "" {
		m := stepText.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("path %.100q: cannot read %.100q: it is not .key, ['key'], [0], "+
				`[*] or [?(@.key=="value")]`, text, rest)
		}
		s := step{key: m[1] + m[2] + m[3], every: m[5] != "", index: -1, field: m[6], equal: m[7] + m[8]}
		if m[4] != "" {
			s.index, _ = strconv.Atoi(m[4]) // a few digits
		}
		p, rest = append(p, s), rest[len(m[0]):]
	}
	return p, nil
}

// MustPath parses a path that the program has written itself.
func MustPath(text string) Path {
	p, err := ParsePath(text)
	if err != nil {
		panic(err)
	}
	return p
}

// All returns the values that the path leads to. They are different parts of v, so there are no
// more of them than v has.
func (p Path) All(v any) []any {
	found := []any{v}
	for _, s := range p {
		var next []any
		for _, v := range found {
			next = append(next, s.in(v)...)
		}
		found = next
	}
	return found
}

// in returns the values in v that the step leads to; the fields of an object in the order of
// their keys.
func (s step) in(v any) (found []any) {
	switch v := v.(type) {
	case Tree:
		if e, ok := v[s.key]; ok && !s.every {
			return []any{e}
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if s.every {
				found = append(found, v[key])
			}
		}
	case []any:
		for i, e := range v {
			o, _ := e.(Tree)
			has, ok := o[s.field]
			if s.every || i == s.index || ok && s.field != "" && Text(has) == s.equal {
				found = append(found, e)
			}
		}
	}
	return found
}
