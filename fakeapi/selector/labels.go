package selector

import (
	"slices"
	"strconv"
)

// Labels is a label selector: requirements on labels, all of which must hold. The
// empty one selects everything. It is immutable once parsed.
type Labels []Requirement

// A Requirement is one condition on one label.
type Requirement struct {
	key    string
	op     operator
	values []string // one for = != > <, one or more for in and notin; sorted, each once
	bound  int64    // the value as a number, for > and <
}

// An operator is how a requirement compares.
type operator string

const (
	opExists  operator = "exists"
	opMissing operator = "!"
	opIn      operator = "in" // = and == are "in" with one value
	opNotIn   operator = "notin"
	opGreater operator = ">"
	opLess    operator = "<"
)

// Matches says whether labels meet all requirements.
func (s Labels) Matches(labels map[string]string) bool {
	for i := range s {
		if !s[i].matches(labels) {
			return false
		}
	}
	return true
}

// matches says whether labels meet the requirement. An absent label meets the negative
// ones, and no others.
func (r *Requirement) matches(labels map[string]string) bool {
	value, has := labels[r.key]
	switch r.op {
	case opExists:
		return has
	case opMissing:
		return !has
	case opIn:
		return has && r.lists(value)
	case opNotIn:
		return !has || !r.lists(value)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if !has || err != nil {
		return false
	}
	return r.op == opGreater && n > r.bound || r.op == opLess && n < r.bound
}

// lists says whether value is one of the requirement's values. There may be very many, and
// each object of a list is looked up among them, so this is a binary search.
func (r *Requirement) lists(value string) bool {
	_, found := slices.BinarySearch(r.values, value)
	return found
}
