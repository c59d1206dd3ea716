package object

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Path leads from an object to values within it. It is the JSONPath of kubectl, as far as printer
// columns need it:
//
//	.status.phase
//	.metadata.labels.example\.com/zone          a dot in a key has a backslash
//	.metadata.labels['example\.com/zone']       quotes do not protect it
//	.spec.ports[0].port, .spec.ports[-1].port   from the start, from the end
//	.spec.ports[1:3].port, .spec.ports[::2]     a slice, and a step
//	.spec.ports[*].name, .spec.*                all elements, all fields
//	.status.conditions[?(@.type=="Ready")].status
//
// A filter compares with ==, !=, <, <=, > or >=, or asks whether there is a value: [?(@.port)].
// Unions ([0,1]) and recursive descent (..) are refused. Of a list or an object with more than
// 100,000 elements only a single one is found, because many columns could look at all of them.
type Path struct {
	Text  string
	steps []pathStep
}

// A pathStep returns the values within one. An error ends the path: then there is nothing to show.
type pathStep func(v any) ([]any, error)

// MaxPath limits the bytes of a path.
const MaxPath = 1024

const maxElements = 100_000

var errTooMany = fmt.Errorf("there are more than %d elements", maxElements)

// The steps of a path, as they are written.
var (
	fieldStep  = regexp.MustCompile(`^\.((?:\\.|[^\\ .[\]])+)`)
	keyStep    = regexp.MustCompile(`^\['([^']*)'\]`)
	sliceStep  = regexp.MustCompile(`^\[(\*|-?\d{1,9}|(-?\d{0,9}):(-?\d{0,9})(?::(\d{0,9}))?)\]`)
	filterStep = regexp.MustCompile(`^\[\?\(((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^"'])*?)\)\]`)
	comparison = regexp.MustCompile(`^([^!<>=]+)([!<>=]+)(.+)$`)
)

// ParsePath reads a path of at most 1,024 bytes. An error quotes the part that cannot be read.
func ParsePath(text string) (Path, error) {
	if len(text) > MaxPath {
		return Path{}, fmt.Errorf("path %.100q… is longer than %d bytes", text, MaxPath)
	}
	p := Path{Text: text}
	for rest := text; rest != ""; {
		steps, length, err := parseStep(rest)
		if err != nil {
			return Path{}, fmt.Errorf("path %.100q: cannot read %.100q: %w", text, rest, err)
		}
		p.steps, rest = append(p.steps, steps...), rest[length:]
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

var errStep = errors.New(`it is not .key, ['key'], [0], [0:2], [*] or [?(@.key=="value")]`)

// parseStep reads the first step of a text, and returns how long it is.
func parseStep(text string) (steps []pathStep, length int, err error) {
	if m := fieldStep.FindStringSubmatch(text); m != nil {
		if m[1] == "*" {
			return []pathStep{everything}, len(m[0]), nil
		}
		return []pathStep{fieldNamed(strings.ReplaceAll(m[1], `\`, ""))}, len(m[0]), nil
	}
	if m := keyStep.FindStringSubmatch(text); m != nil {
		within, err := ParsePath("." + m[1]) // as kubectl does: a dot in it is a step
		return within.steps, len(m[0]), err
	}
	if m := sliceStep.FindStringSubmatch(text); m != nil {
		step, err := sliceOf(m[1:])
		return []pathStep{step}, len(m[0]), err
	}
	if m := filterStep.FindStringSubmatch(text); m != nil {
		step, err := parseFilter(m[1])
		return []pathStep{step}, len(m[0]), err
	}
	return nil, 0, errStep
}

// All returns the values that the path leads to. They are different parts of v, so there are no
// more of them than v has.
func (p Path) All(v any) []any {
	found, err := p.follow(v)
	if err != nil {
		return nil
	}
	return found
}

func (p Path) follow(v any) ([]any, error) {
	found := []any{v}
	for _, step := range p.steps {
		var next []any
		for _, v := range found {
			in, err := step(v)
			if err != nil {
				return nil, err
			}
			if next = append(next, in...); len(next) > maxElements {
				return nil, errTooMany
			}
		}
		found = next
	}
	return found, nil
}

func fieldNamed(key string) pathStep {
	return func(v any) ([]any, error) {
		o, _ := v.(Tree)
		if e, ok := o[key]; ok {
			return []any{e}, nil
		}
		return nil, nil
	}
}

// everything returns the elements of a list, or the fields of an object in the order of their keys.
func everything(v any) (found []any, err error) {
	if o, ok := v.(Tree); ok {
		if len(o) > maxElements {
			return nil, errTooMany
		}
		for _, key := range slices.Sorted(maps.Keys(o)) {
			found = append(found, o[key])
		}
		return found, nil
	}
	list, _ := v.([]any)
	return list, nil
}

var errNoList = errors.New("not a list")

// sliceOf returns the step of an index or a slice: what is in the brackets, and its three numbers.
func sliceOf(text []string) (pathStep, error) {
	isSlice := text[0] == "*" || strings.Contains(text[0], ":")
	first, _ := strconv.Atoi(cmp.Or(text[1], "0")) // a few digits
	last, _ := strconv.Atoi(text[2])
	step, _ := strconv.Atoi(cmp.Or(text[3], "1"))
	if !isSlice {
		first, _ = strconv.Atoi(text[0])
		last = first + 1
	}
	if step == 0 {
		return nil, errors.New("the step must be above 0")
	}
	return func(v any) (found []any, err error) {
		if v == nil {
			return nil, nil
		}
		list, ok := v.([]any)
		if !ok {
			return nil, errNoList
		}
		from, to := first, last
		if from < 0 {
			from += len(list)
		}
		if isSlice && text[2] == "" {
			to = len(list)
		} else if to < 0 || to == 0 && !isSlice {
			to += len(list)
		}
		if from == to {
			return nil, nil
		}
		if from < 0 || from > to || to > len(list) {
			return nil, errors.New("the index is out of bounds")
		}
		if to-from > maxElements {
			return nil, errTooMany
		}
		for i := from; i < to; i += step {
			found = append(found, list[i])
		}
		return found, nil
	}, nil
}

// parseFilter reads a filter: a value, or two of them and how they are compared.
func parseFilter(text string) (pathStep, error) {
	left, operator, right := text, "", ""
	if m := comparison.FindStringSubmatch(text); m != nil {
		left, operator, right = m[1], m[2], m[3]
	}
	holds, known := comparisons[operator]
	a, err := parseOperand(left)
	b, err2 := parseOperand(cmp.Or(right, "true"))
	if !known || err != nil || err2 != nil {
		return nil, errStep
	}
	return func(v any) (found []any, err error) {
		list, ok := v.([]any)
		if !ok {
			return nil, errNoList
		}
		if len(list) > maxElements {
			return nil, errTooMany
		}
		for _, e := range list {
			one, err := a.follow(e)
			if operator == "" {
				if len(one) > 0 {
					found = append(found, e)
				}
				continue
			}
			other, err2 := b.follow(e)
			switch {
			case err != nil || err2 != nil || len(one) > 1 || len(other) > 1:
				return nil, errors.New("one value can be compared with one")
			case len(one) == 0 || len(other) == 0:
				continue
			}
			order, err := compareValues(one[0], other[0])
			if err != nil {
				return nil, err
			}
			if holds(order) {
				found = append(found, e)
			}
		}
		return found, nil
	}, nil
}

var comparisons = map[string]func(order int) bool{
	"":   nil,
	"==": func(order int) bool { return order == 0 },
	"!=": func(order int) bool { return order != 0 },
	"<":  func(order int) bool { return order < 0 },
	"<=": func(order int) bool { return order <= 0 },
	">":  func(order int) bool { return order > 0 },
	">=": func(order int) bool { return order >= 0 },
}

// parseOperand reads one side of a comparison: @ and a path, or a text, a number or a boolean.
func parseOperand(text string) (Path, error) {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "@"); ok {
		return ParsePath(rest)
	}
	value := func(v any) (Path, error) {
		return Path{steps: []pathStep{func(any) ([]any, error) { return []any{v}, nil }}}, nil
	}
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		quoted := strings.ReplaceAll(text[1:n-1], `\'`, `'`)
		s, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(quoted, `\"`, `"`),
			`"`, `\"`) + `"`)
		if err != nil {
			return Path{}, err
		}
		return value(s)
	}
	v, err := DecodeValue([]byte(text))
	if _, isBool := v.(bool); err == nil && (isBool || TypeName(v) == "number") {
		return value(v)
	}
	return Path{}, errStep
}

// compareValues compares two values of one type.
func compareValues(a, b any) (int, error) {
	switch a := a.(type) {
	case string:
		if b, ok := b.(string); ok {
			return strings.Compare(a, b), nil
		}
	case int64:
		if b, ok := b.(int64); ok {
			return cmp.Compare(a, b), nil
		}
	case float64:
		if b, ok := b.(float64); ok {
			return cmp.Compare(a, b), nil
		}
	case bool:
		if b, ok := b.(bool); ok && a == b {
			return 0, nil
		} else if ok {
			return 1, nil
		}
	}
	return 0, errors.New("values of different types cannot be compared")
}
