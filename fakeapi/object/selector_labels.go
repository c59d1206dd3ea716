package object

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// LabelSelector is a label selector: requirements on labels, all of which must hold. The
// empty one selects everything. It is immutable once parsed.
type LabelSelector []Requirement

// A Requirement is one condition on one label.
type Requirement struct {
	key    string
	op     operator
	values []string // one for = != > <, one or more for in and notin; sorted, each once
	bound  int64    // the value as a number, for > and <
}

// An operator says how a requirement compares.
type operator string

const (
	opExists  operator = "exists"
	opMissing operator = "!"
	opIn      operator = "in" // = and == are "in" with one value
	opNotIn   operator = "notin"
	opGreater operator = ">"
	opLess    operator = "<"
)

// operators has the operators by how they are written.
var operators = map[string]operator{"": opExists, "!": opMissing, "=": opIn, "==": opIn,
	"in": opIn, "!=": opNotIn, "notin": opNotIn, ">": opGreater, "<": opLess}

// Labels are an object's labels as JSON, empty if there are none. Neither keys nor values have
// quotes or brackets, so they need not be decoded.
type Labels []byte

// labelsIn returns where the labels are in JSON whose metadata begin at a position. Before them
// come annotations, in which a text cannot contain quotes without backslashes.
func labelsIn(raw []byte, meta int) (from, to int) {
	const key = `"labels":`
	at := bytes.Index(raw[meta:], []byte(key+"{"))
	if at < 0 {
		return 0, 0
	}
	from = meta + at + len(key)
	return from, from + bytes.IndexByte(raw[from:], '}')
}

// Matches says whether labels meet all requirements.
func (s LabelSelector) Matches(labels Labels) bool {
	if len(s) == 0 {
		return true
	}
	text := string(labels)
	return !slices.ContainsFunc(s, func(one Requirement) bool { return !one.matches(text) })
}

// matches says whether labels meet the requirement. An absent label meets the negative
// ones, and no others.
func (one Requirement) matches(labels string) bool {
	_, rest, has := strings.Cut(labels, `"`+one.key+`":"`)
	value, _, _ := strings.Cut(rest, `"`)
	// There may be very many values, and each object of a list is looked up among them.
	_, listed := slices.BinarySearch(one.values, value)
	switch one.op {
	case opExists:
		return has
	case opMissing:
		return !has
	case opIn:
		return has && listed
	case opNotIn:
		return !has || !listed
	}
	n, err := strconv.ParseInt(value, 10, 64) // an absent label has none
	return err == nil && (one.op == opGreater && n > one.bound || one.op == opLess && n < one.bound)
}

// maxTerms limits the values of a label selector, and the terms of a field selector. A requirement
// without a value counts as one. Each is compared with each object, and a watch keeps all of them,
// in a hundred bytes each, as long as it is open. In a real server only the length of a URL limits
// them.
const maxTerms = 250

// requirement matches one requirement and the comma after it. Blanks separate words, and mean
// nothing otherwise.
var requirement = regexp.MustCompile(strings.NewReplacer(
	"_", "[ \t\r\n]", "W", "[^=!(),<> \t\r\n]").Replace(
	`^_*(!?)_*(W+)_*(?:(==?|!=|<|>)_*(W*)|_(in|notin)_*(\([^()]*\)))?_*(,|$)`))

// ParseLabelSelector reads a selector such as
//
//	tier in (front,back), app=web, !canary, n>3
//
// by the grammar of the Kubernetes API: requirements joined by commas. Each one is
// a key alone, a negated key, or a key with an operator and values.
func ParseLabelSelector(text string) (s LabelSelector, err error) {
	rest := strings.Trim(text, " \t\r\n")
	terms := 0
	for more := rest != ""; more; {
		m := requirement.FindStringSubmatch(rest)
		if m == nil || m[1] != "" && m[3]+m[5] != "" {
			return nil, fmt.Errorf("unable to parse requirement '%.256s': it is not a key, !key, or a key "+
				"with =, ==, !=, <, >, in (…) or notin (…)", rest)
		}
		r, err := newRequirement(m[2], cmp.Or(m[1], m[3], m[5]), m[4]+m[6])
		if err != nil {
			return nil, fmt.Errorf("unable to parse requirement: %w", err)
		}
		s = append(s, r)
		if terms += max(1, len(r.values)); terms > maxTerms {
			return nil, fmt.Errorf("the label selector has more than %d requirements and values together",
				maxTerms)
		}
		rest, more = rest[len(m[0]):], m[7] != ""
	}
	return s, nil
}

// newRequirement returns the requirement with a key, an operator, and a value or a list of values
// in brackets.
func newRequirement(key, op, value string) (Requirement, error) {
	r := Requirement{key: key, op: operators[op]}
	if why := badKey(key); why != nil {
		return r, fmt.Errorf("key %.256q: %s", key, strings.Join(why, "; "))
	}
	if r.op == opExists || r.op == opMissing {
		return r, nil
	}
	for v := range strings.SplitSeq(strings.Trim(value, "()"), ",") {
		v = strings.Trim(v, " \t\r\n")
		if why := badValue(v); why != "" {
			return r, fmt.Errorf("values[%d][%s]: Invalid value: %.256q: %s", len(r.values), key, v, why)
		}
		r.values = append(r.values, v)
	}
	slices.Sort(r.values)
	r.values = slices.Compact(r.values)
	if r.op == opGreater || r.op == opLess {
		var err error
		if r.bound, err = strconv.ParseInt(value, 10, 64); err != nil {
			return r, fmt.Errorf("values[0]: Invalid value: %.256q: for 'Gt', 'Lt' operators, "+
				"the value must be an integer", value)
		}
	}
	return r, nil
}
