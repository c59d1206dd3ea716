package selector

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

// operators has the texts of those operators that values follow.
var operators = map[string]operator{"=": opIn, "==": opIn, "in": opIn, "!=": opNotIn,
	"notin": opNotIn, ">": opGreater, "<": opLess}

// Matches says whether labels meet all requirements.
func (s Labels) Matches(labels map[string]string) bool {
	return !slices.ContainsFunc(s, func(one Requirement) bool { return !one.matches(labels) })
}

// matches says whether labels meet the requirement. An absent label meets the negative
// ones, and no others.
func (one Requirement) matches(labels map[string]string) bool {
	value, has := labels[one.key]
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
// without a value counts as one. Each is compared with each object, and a watch keeps all of them
// as long as it is open. In a real server only the length of a URL limits them.
const maxTerms = 1_000

// cut returns s, or the first 256 bytes of it, for messages.
func cut(s string) string {
	const most = 256
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}

// ParseLabels reads a selector such as
//
//	tier in (front,back), app=web, !canary, n>3
//
// by the grammar of the Kubernetes API: requirements joined by commas. Each one is
// a key alone, a negated key, or a key with an operator and values.
func ParseLabels(text string) (Labels, error) {
	p := labelParser{rest: text}
	var s Labels
	terms := 0
	switch first := p.peek(); {
	case first == "":
		return nil, nil
	case !startsRequirement(first):
		return nil, fmt.Errorf("found '%s', expected: !, identifier, or 'end of string'", cut(first))
	}
	for {
		r, err := p.requirement()
		if err != nil {
			return nil, fmt.Errorf("unable to parse requirement: %w", err)
		}
		s = append(s, r)
		if terms += max(1, len(r.values)); terms > maxTerms {
			return nil, fmt.Errorf("the label selector has more than %d requirements and values together",
				maxTerms)
		}
		switch tok := p.next(); tok {
		case "":
			return s, nil
		case ",":
			if !startsRequirement(p.peek()) {
				return nil, fmt.Errorf("found '%s', expected: identifier after ','", cut(p.peek()))
			}
		default:
			return nil, fmt.Errorf("found '%s', expected: ',' or 'end of string'", cut(tok))
		}
	}
}

func startsRequirement(tok string) bool { return tok == "!" || isWord(tok) }

// A labelParser cuts tokens off the front of rest.
type labelParser struct{ rest string }

// special has the bytes that end a word.
const special = "=!(),<> \t\r\n"

// labelToken matches a word, an operator, a bracket or a comma, after blanks; or only blanks.
var labelToken = regexp.MustCompile(`^[ \t\r\n]*([^` + special + `]+|[=!]=|[` + special + `])?`)

// next takes the next token off the front; "" at the end.
func (p *labelParser) next() string {
	found := labelToken.FindStringSubmatch(p.rest)
	p.rest = p.rest[len(found[0]):]
	return found[1]
}

// peek returns the next token without taking it.
func (p *labelParser) peek() string {
	ahead := *p
	return ahead.next()
}

func isWord(tok string) bool { return tok != "" && !strings.ContainsAny(tok, special) }

func (p *labelParser) requirement() (Requirement, error) {
	r := Requirement{op: opExists, key: p.next()}
	if r.key == "!" {
		r = Requirement{op: opMissing, key: p.next()}
	}
	if !isWord(r.key) {
		return r, fmt.Errorf("found '%s', expected: identifier", cut(r.key))
	}
	if why := BadKey(r.key); why != nil {
		return r, fmt.Errorf("<nil>: Invalid value: %q: %s", cut(r.key), strings.Join(why, "; "))
	}
	if next := p.peek(); r.op == opMissing || next == "" || next == "," {
		return r, nil
	}
	return r, p.condition(&r)
}

// condition reads operator and values.
func (p *labelParser) condition(r *Requirement) (err error) {
	op := p.next()
	switch r.op = operators[op]; {
	case r.op == "":
		return fmt.Errorf("found '%s', expected: in, notin, =, ==, !=, gt, lt", cut(op))
	case op == "in" || op == "notin":
		r.values, err = p.set()
	default:
		r.values, err = p.value()
	}
	if err == nil && (r.op == opGreater || r.op == opLess) {
		r.bound, err = boundOf(r.values[0])
	}
	if err != nil {
		return err
	}
	for i, v := range r.values {
		if why := BadValue(v); why != "" {
			return fmt.Errorf("values[%d][%s]: Invalid value: %q: %s", i, r.key, cut(v), why)
		}
	}
	return nil
}

// boundOf reads the value of a comparison.
func boundOf(value string) (n int64, err error) {
	if n, err = strconv.ParseInt(value, 10, 64); err != nil {
		err = fmt.Errorf("values[0]: Invalid value: %q: for 'Gt', 'Lt' operators, "+
			"the value must be an integer", cut(value))
	}
	return n, err
}

// value reads a word, or nothing: "tier=" asks for the empty value.
func (p *labelParser) value() ([]string, error) {
	switch tok := p.peek(); {
	case tok == "" || tok == ",":
		return []string{""}, nil
	case isWord(tok):
		return []string{p.next()}, nil
	default:
		return nil, fmt.Errorf("found '%s', expected: identifier", cut(tok))
	}
}

// set reads "(a,b)". Values may be empty. It returns them sorted, each once.
func (p *labelParser) set() ([]string, error) {
	if tok := p.next(); tok != "(" {
		return nil, fmt.Errorf("found '%s' expected: '('", cut(tok))
	}
	if tok := p.peek(); !isWord(tok) && tok != "," && tok != ")" {
		return nil, fmt.Errorf("found '%s', expected: ',', ')' or identifier", cut(tok))
	}
	var values []string
	for {
		word := ""
		if isWord(p.peek()) {
			word = p.next()
		}
		values = append(values, word)
		switch tok := p.next(); tok {
		case ")":
			slices.Sort(values)
			return slices.Compact(values), nil
		case ",":
		default:
			return nil, fmt.Errorf("found '%s', expected: ',' or ')'", cut(tok))
		}
	}
}
