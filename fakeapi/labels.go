package fakeapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A labelSelector is requirements on labels, all of which must hold. The empty
// one selects everything.
type labelSelector []requirement

// A requirement is one condition on one label.
type requirement struct {
	key    string
	op     operator
	values []string // one for = != > <, one or more for in and notin
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

// matches says whether labels meet all requirements.
func (s labelSelector) matches(labels map[string]string) bool {
	for i := range s {
		if !s[i].matches(labels) {
			return false
		}
	}
	return true
}

// matches: an absent label meets the negative requirements, and no others.
func (q *requirement) matches(labels map[string]string) bool {
	value, has := labels[q.key]
	switch q.op {
	case opExists:
		return has
	case opMissing:
		return !has
	case opIn:
		return has && slices.Contains(q.values, value)
	case opNotIn:
		return !has || !slices.Contains(q.values, value)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if !has || err != nil {
		return false
	}
	return q.op == opGreater && n > q.bound || q.op == opLess && n < q.bound
}

// parseLabels reads a selector such as
//
//	tier in (front,back), app=web, !canary, n>3
//
// by the grammar of the Kubernetes API: requirements joined by commas, each a
// key alone, negated, or followed by an operator and values.
func parseLabels(text string) (labelSelector, error) {
	p := labelParser{rest: text}
	var s labelSelector
	if p.skipSpace(); p.rest == "" {
		return nil, nil
	}
	for {
		q, err := p.requirement()
		if err != nil {
			return nil, err
		}
		s = append(s, q)
		switch tok := p.next(); tok {
		case "":
			return s, nil
		case ",":
		default:
			return nil, fmt.Errorf("found '%s', expected: ',' or 'end of string'", tok)
		}
	}
}

// A labelParser cuts tokens off the front of rest.
type labelParser struct{ rest string }

func (p *labelParser) skipSpace() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

// special are the bytes that end a word.
const special = "=!(),<> \t\r\n"

// next is the next token: a word, an operator, a bracket or a comma; empty at
// the end.
func (p *labelParser) next() string {
	p.skipSpace()
	n := strings.IndexAny(p.rest, special)
	switch {
	case n < 0:
		n = len(p.rest)
	case n == 0:
		n = 1
		if two := p.rest[:min(2, len(p.rest))]; two == "==" || two == "!=" {
			n = 2
		}
	}
	tok := p.rest[:n]
	p.rest = p.rest[n:]
	return tok
}

// peek is the next token, left where it is.
func (p *labelParser) peek() string {
	q := *p
	return q.next()
}

func isWord(tok string) bool { return tok != "" && !strings.ContainsAny(tok, special) }

// requirement reads one requirement.
func (p *labelParser) requirement() (requirement, error) {
	tok := p.next()
	q := requirement{op: opExists, key: tok}
	if tok == "!" {
		q = requirement{op: opMissing, key: p.next()}
	}
	if !isWord(q.key) {
		return q, fmt.Errorf("found '%s', expected: !, identifier, or 'end of string'", q.key)
	}
	if why := badLabelKey(q.key); why != "" {
		return q, fmt.Errorf("key: Invalid value: %q: %s", q.key, why)
	}
	if next := p.peek(); q.op == opMissing || next == "" || next == "," {
		return q, nil
	}
	return q, p.condition(&q)
}

// condition reads operator and values.
func (p *labelParser) condition(q *requirement) error {
	op := p.next()
	var err error
	switch op {
	case "=", "==":
		q.op, q.values = opIn, []string{p.value()}
	case "!=":
		q.op, q.values = opNotIn, []string{p.value()}
	case "in", "notin":
		q.op = operator(op)
		q.values, err = p.set()
	case ">", "<":
		q.op, q.values = operator(op), []string{p.value()}
		q.bound, err = strconv.ParseInt(q.values[0], 10, 64)
		if err != nil {
			return fmt.Errorf("values[0][%s]: Invalid value: %q: for 'Gt', 'Lt' operators, "+
				"the value must be an integer", q.key, q.values[0])
		}
	default:
		return fmt.Errorf("found '%s', expected: in, notin, =, ==, !=, gt, lt", op)
	}
	if err != nil {
		return err
	}
	for i, v := range q.values {
		if why := badLabelValue(v); why != "" {
			return fmt.Errorf("values[%d][%s]: Invalid value: %q: %s", i, q.key, v, why)
		}
	}
	return nil
}

// value reads a word, or nothing: "tier=" asks for the empty value.
func (p *labelParser) value() string {
	if !isWord(p.peek()) {
		return ""
	}
	return p.next()
}

// set reads "(a,b)". Values may be empty.
func (p *labelParser) set() ([]string, error) {
	if tok := p.next(); tok != "(" {
		return nil, fmt.Errorf("found '%s', expected: '('", tok)
	}
	var values []string
	for {
		values = append(values, p.value())
		switch tok := p.next(); tok {
		case ")":
			return values, nil
		case ",":
		default:
			return nil, fmt.Errorf("found '%s', expected: ',' or ')'", tok)
		}
	}
}
