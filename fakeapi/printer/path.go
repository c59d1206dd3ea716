package printer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Path leads from an object to values within it. It is the part of JSONPath that
// printer columns use:
//
//	.status.phase
//	.metadata.labels.app\.kubernetes\.io/name    or  .metadata.labels['app.kubernetes.io/name']
//	.spec.ports[0].port                          -1 is the last; [0:2] are two
//	.spec.ports[*].name
//	.status.conditions[?(@.type=="Ready")].status  also !=, <, <=, >, >=, or without comparison
//	.spec..image                                 in any depth
type Path []step

// A step leads from a value to some of the values in it. It calls next with each of them as
// long as next returns true, and returns whether the walk goes on.
type step func(w *walk, v any, next func(any) bool) bool

// A walk counts the values that it may still visit.
type walk struct{ left int }

// first returns the first value that a path leads to; ok is false if there is none.
func (w *walk) first(p Path, v any) (value any, ok bool) {
	w.along(p, v, func(found any) bool {
		value, ok = found, true
		return false
	})
	return value, ok
}

func (w *walk) along(p Path, v any, next func(any) bool) bool {
	if w.left--; w.left < 0 {
		return false
	}
	if len(p) == 0 {
		return next(v)
	}
	return p[0](w, v, func(in any) bool { return w.along(p[1:], in, next) })
}

// maxPath limits the bytes of a path: parsing one takes quadratic time.
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
		read := readKey
		switch {
		case rest[0] == '[':
			read = readBracket
		case strings.HasPrefix(rest, ".."):
			p, rest = append(p, deep), rest[1:]
		case rest[0] != '.':
			read = func(string) (step, int) { return nil, 0 }
		}
		s, n := read(rest)
		if n == 0 {
			return nil, fmt.Errorf("path %.100q: cannot read %.100q", text, rest)
		}
		if rest = rest[n:]; s != nil {
			p = append(p, s)
		}
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
// bytes it has read. There is no step between two dots, or a dot and a bracket.
func readKey(text string) (s step, n int) {
	var key []byte
	n = 1
	for ; n < len(text) && text[n] != '.' && text[n] != '['; n++ {
		if text[n] == '\\' && n+1 < len(text) {
			n++
		}
		key = append(key, text[n])
	}
	switch {
	case string(key) == "*":
		return every, n
	case len(key) == 0 && n < len(text):
		return nil, n
	}
	return child(string(key)), n
}

// What brackets contain, besides a star: texts in quotes, a slice, and a filter.
var (
	brackets = regexp.MustCompile(`^\[((?:[^][\x22']|'[^']*'|"[^"]*"|\[[^][]*\])*)\]`)
	slice    = regexp.MustCompile(`^(-?[0-9]*)(:?)(-?[0-9]*)$`)
	filter   = regexp.MustCompile(`^\?\(\s*@([^!<>=]*?)\s*(?:(==|!=|<=|>=|<|>)\s*([^=].*?))?\s*\)$`)
)

// readBracket reads what is in brackets. n is how many bytes it has read: 0 if they are not
// closed. A part of JSONPath that is not known leads nowhere.
func readBracket(text string) (s step, n int) {
	found := brackets.FindStringSubmatch(text)
	if found == nil {
		return nil, 0
	}
	inside, n := strings.TrimSpace(found[1]), len(found[0])
	if key, ok := unquote(inside); ok {
		return child(key), n
	}
	if inside == "*" {
		return every, n
	}
	if m := slice.FindStringSubmatch(inside); m != nil {
		return elements(m[1], m[2] != "", m[3]), n
	}
	if m := filter.FindStringSubmatch(inside); m != nil {
		if p, err := ParsePath(m[1]); err == nil {
			return where(p, m[2], constant(m[3])), n
		}
	}
	return func(*walk, any, func(any) bool) bool { return true }, n
}

func unquote(s string) (string, bool) {
	if len(s) < 2 || s[0] != s[len(s)-1] || s[0] != '\'' && s[0] != '"' {
		return s, false
	}
	return s[1 : len(s)-1], true
}

func child(key string) step {
	return func(_ *walk, v any, next func(any) bool) bool {
		o, _ := v.(object)
		in, ok := o[key]
		return !ok || next(in)
	}
}

// every leads to all fields of an object, in the order of their keys, or to all elements of a list.
func every(_ *walk, v any, next func(any) bool) bool {
	in, _ := v.([]any)
	if o, ok := v.(object); ok {
		for _, key := range slices.Sorted(maps.Keys(o)) {
			in = append(in, o[key])
		}
	}
	return !slices.ContainsFunc(in, func(e any) bool { return !next(e) })
}

// deep leads to a value itself, and to everything in it.
func deep(w *walk, v any, next func(any) bool) bool {
	return next(v) && every(w, v, func(in any) bool { return deep(w, in, next) })
}

// elements returns the step to the elements of a list from one on, and before another, or to one
// only. As in the real server, a slice that reaches beyond the end has no elements.
func elements(from string, several bool, to string) step {
	return func(w *walk, v any, next func(any) bool) bool {
		list, _ := v.([]any)
		i := place(from, 0, len(list))
		j := i + 1
		if several {
			j = place(to, len(list), len(list))
		}
		return i < 0 || i > j || j > len(list) || every(w, list[i:j], next)
	}
}

// place reads an index in a list of a size. A negative one counts from the end.
func place(text string, missing, size int) int {
	i, err := strconv.Atoi(text)
	switch {
	case text == "":
		return missing
	case err != nil:
		return -1
	case i < 0:
		return i + size
	}
	return i
}

// constant reads what a filter compares with: a number, true, false, or text in quotes.
func constant(text string) any {
	if quoted, ok := unquote(text); ok {
		return quoted
	} else if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	var v any
	_ = json.Unmarshal([]byte(text), &v) // or else nothing equals it
	return v
}

// where returns the step to the elements of a list for which a comparison holds; without op, to
// those that have the value. As in the real server, it leads nowhere if types differ in any.
func where(p Path, op string, want any) step {
	return func(w *walk, v any, next func(any) bool) bool {
		list, _ := v.([]any)
		var found []any
		for _, e := range list {
			got, ok := w.first(p, e)
			if !ok {
				continue
			}
			if op != "" && reflect.TypeOf(got) != reflect.TypeOf(want) {
				return false
			}
			if op == "" || holds(compare(got, want), op) {
				found = append(found, e)
			}
		}
		return every(w, found, next)
	}
}

// compare returns the order of two values of the same type.
func compare(a, b any) int {
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case float64:
		return cmp.Compare(a, b.(float64))
	}
	return cmp.Compare(text(a), text(b))
}

// holds reports whether an order of two values, -1, 0 or 1, is one that an operator names.
func holds(order int, op string) bool {
	if op == "!=" {
		return order != 0
	}
	return strings.Contains(op, "<=>"[order+1:order+2])
}
