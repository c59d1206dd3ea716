package printer

import (
	"cmp"
	"fmt"
	"maps"
	"math"
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
//	.spec.ports[0].port                          -1 is the last; [0:2] are two, [0,2] as well
//	.spec.ports[*].name
//	.status.conditions[?(@.type=="Ready")].status
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
	return fields(string(key)), n
}

// What brackets contain, besides numbers and stars.
var (
	filterText = regexp.MustCompile(`^\?\(([^!<>=]+)(?:(==|!=|<=|>=|<|>)([^=].*))?\)$`)
	quotedKeys = regexp.MustCompile(`^` + quotedKey + `(?:\s*,\s*` + quotedKey + `)*$`)
	eachQuoted = regexp.MustCompile(quotedKey)
)

const quotedKey = `(?:'[^']*'|"[^"]*")`

// readBracket reads what is in brackets. n is how many bytes it has read: 0 if it cannot.
func readBracket(text string) (s step, n int) {
	end := closing(text)
	if end < 0 {
		return nil, 0
	}
	inside := strings.TrimSpace(text[1:end])
	switch m := filterText.FindStringSubmatch(inside); {
	case inside == "*" || inside == "":
		s = every
	case m != nil:
		s = where(operandOf(m[1]), m[2], operandOf(m[3]))
	case quotedKeys.MatchString(inside):
		s = fields(eachQuoted.FindAllString(inside, -1)...)
	default:
		s = elements(inside)
	}
	if s == nil {
		return nil, 0
	}
	return s, end + 1
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

func unquote(s string) (string, bool) {
	if len(s) < 2 || s[0] != s[len(s)-1] || s[0] != '\'' && s[0] != '"' {
		return s, false
	}
	return s[1 : len(s)-1], true
}

// fields is the step to fields of an object. The keys may be in quotes.
func fields(keys ...string) step {
	for i := range keys {
		keys[i], _ = unquote(keys[i])
	}
	return func(_ *walk, v any, next func(any) bool) bool {
		o, _ := v.(object)
		for _, key := range keys {
			if in, ok := o[key]; ok && !next(in) {
				return false
			}
		}
		return true
	}
}

// every is the step to all fields of an object, in the order of their keys, or to all elements
// of a list.
func every(_ *walk, v any, next func(any) bool) bool {
	in, _ := v.([]any)
	if o, ok := v.(object); ok {
		for _, key := range slices.Sorted(maps.Keys(o)) {
			in = append(in, o[key])
		}
	}
	return !slices.ContainsFunc(in, func(e any) bool { return !next(e) })
}

// deep is the step to a value itself, and to everything in it.
func deep(w *walk, v any, next func(any) bool) bool {
	return next(v) && every(w, v, func(in any) bool { return deep(w, in, next) })
}

// elements reads the indexes of elements of a list, and slices of it: 0, or -2:, or 0:9:3. It
// returns nil if the text is something else. As in the real server, a slice that reaches beyond
// the end has no elements.
func elements(text string) step {
	const end = math.MaxInt
	var all [][3]int
	for part := range strings.SplitSeq(text, ",") {
		bounds := strings.Split(part, ":")
		s := [3]int{0, end, 1}
		for i, b := range bounds {
			n, err := strconv.Atoi(b)
			if i > 2 || err != nil && (b != "" || len(bounds) == 1) {
				return nil
			} else if err == nil {
				s[i] = n
			}
		}
		if len(bounds) == 1 && s[0] != -1 {
			s[1] = s[0] + 1
		}
		all = append(all, s)
	}
	return func(_ *walk, v any, next func(any) bool) bool {
		list, _ := v.([]any)
		for _, s := range all {
			for i := range s[:2] {
				if s[i] == end && i == 1 {
					s[i] = len(list)
				} else if s[i] < 0 {
					s[i] += len(list)
				}
			}
			for i := s[0]; i >= 0 && i < s[1] && s[1] <= len(list) && s[2] > 0; i += s[2] {
				if !next(list[i]) {
					return false
				}
			}
		}
		return true
	}
}

// An operand of a filter is a value in an element of a list, or a constant. ok is false if there
// is none.
type operand func(w *walk, e any) (v any, ok bool)

func operandOf(text string) operand {
	text = strings.TrimSpace(text)
	if path, ok := strings.CutPrefix(text, "@"); ok {
		p, err := ParsePath(path)
		return func(w *walk, e any) (any, bool) {
			v, ok := w.first(p, e)
			return v, ok && err == nil
		}
	}
	constant, ok := any(nil), true
	if quoted, isQuoted := unquote(text); isQuoted {
		constant = quoted
	} else if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		constant = n
	} else if f, err := strconv.ParseFloat(text, 64); err == nil {
		constant = f
	} else {
		constant, ok = text == "true", text == "true" || text == "false"
	}
	return func(*walk, any) (any, bool) { return constant, ok }
}

// where is the step to the elements of a list for which a comparison holds; without op, to those
// that have a left operand. As in the real server, it leads nowhere if types differ in any.
func where(left operand, op string, right operand) step {
	return func(w *walk, v any, next func(any) bool) bool {
		list, _ := v.([]any)
		var found []any
		for _, e := range list {
			a, has := left(w, e)
			b, hasToo := right(w, e)
			holds, comparable := op == "", true
			if has && hasToo && op != "" {
				holds, comparable = compare(a, op, b)
			}
			if !comparable {
				return false
			}
			if has && holds {
				found = append(found, e)
			}
		}
		return every(w, found, next)
	}
}

// compare reports whether a comparison holds. ok is false if the types of a and b differ.
func compare(a any, op string, b any) (holds, ok bool) {
	var order int
	switch a := a.(type) {
	case string:
		order, ok = orderOf(a, b)
	case int64:
		order, ok = orderOf(a, b)
	case float64:
		order, ok = orderOf(a, b)
	case bool:
		if _, ok = b.(bool); a != b {
			order = 1
		}
	}
	switch op[0] {
	case '<':
		holds = order < 0
	case '>':
		holds = order > 0
	case '!':
		return order != 0, ok
	}
	return holds || order == 0 && len(op) == 2, ok
}

func orderOf[T cmp.Ordered](a T, b any) (order int, ok bool) {
	t, ok := b.(T)
	return cmp.Compare(a, t), ok
}
