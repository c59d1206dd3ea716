package informer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"example.com/watchglass"
)

// Selector is a label selector: conditions that must all be met. The zero value has none and
// matches everything. It is immutable; make one with [ParseSelector] or [SelectorFromMap].
//
// It selects among objects that are in the cache already, for [Lister.Select] and for the Selector
// of a [Handler]. To watch only some objects in the first place, set client.Options.LabelSelector.
type Selector struct{ conditions []condition }

// A condition is about one label.
type condition struct {
	label  string
	op     string   // one of the four below
	values []string // for in and notin: at least one
}

const (
	opExists = "exists"
	opAbsent = "absent"
	opIn     = "in" // also = and ==
	opNotIn  = "notin"
)

// ParseSelector reads a label selector in the notation of the Kubernetes API ("Labels and
// Selectors", equality-based and set-based): conditions separated by commas, each one of
//
//	app=web  app==web  app!=web  app in (web,db)  app notin (web,db)  app  !app
//
// As in Kubernetes, an object without the label meets != and notin. The notation's comparisons by
// number, > and <, are errors, and so is any other text; the error quotes the condition.
func ParseSelector(text string) (Selector, error) {
	var s Selector
	if strings.ContainsFunc(text, isOtherBlank) {
		return s, fmt.Errorf("label selector %.80q: want no blanks but space, tab and line break", text)
	}
	if strings.TrimSpace(text) == "" {
		return s, nil
	}
	for _, term := range splitTerms(text) {
		c, err := parseCondition(strings.TrimSpace(term))
		if err != nil {
			return Selector{}, fmt.Errorf("label selector: condition %.80q: %w", term, err)
		}
		s.conditions = append(s.conditions, c)
	}
	return s, nil
}

// isOtherBlank finds what is a blank to Go and not to the API server, for example a no-break space
// that was copied from a page.
func isOtherBlank(r rune) bool { return unicode.IsSpace(r) && !strings.ContainsRune(" \t\r\n", r) }

// SelectorFromMap returns the selector of all objects that have all of these labels, for example of
// the matchLabels of a Deployment. A value that no label can have selects nothing.
func SelectorFromMap(labels map[string]string) Selector {
	var s Selector
	for label, value := range labels {
		s.conditions = append(s.conditions, condition{label, opIn, []string{value}})
	}
	return s
}

// splitTerms cuts at the commas that are not between parentheses.
func splitTerms(text string) (terms []string) {
	inside, start := false, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(' || c == ')':
			inside = c == '('
		case c == ',' && !inside:
			terms = append(terms, text[start:i])
			start = i + 1
		}
	}
	return append(terms, text[start:])
}

func parseCondition(term string) (c condition, err error) {
	switch {
	case strings.ContainsAny(term, "<>"):
		return c, fmt.Errorf("comparisons by number are not supported")
	case strings.Contains(term, "("):
		return parseSet(term)
	case strings.Contains(term, "="):
		return parseEquality(term)
	}
	label, absent := strings.CutPrefix(term, "!")
	c = condition{label: strings.TrimSpace(label), op: opExists}
	if absent {
		c.op = opAbsent
	}
	return c, checkLabel(c.label)
}

func parseEquality(term string) (c condition, err error) {
	c.op = opIn
	label, value, _ := strings.Cut(term, "=")
	if rest, not := strings.CutSuffix(label, "!"); not {
		label, c.op = rest, opNotIn
	} else {
		value = strings.TrimPrefix(value, "=")
	}
	value = strings.TrimSpace(value)
	c.label, c.values = strings.TrimSpace(label), []string{value}
	if err := checkLabel(c.label); err != nil {
		return c, err
	}
	return c, checkValue(value)
}

func parseSet(term string) (c condition, err error) {
	head, list, _ := strings.Cut(term, "(")
	list, closed := strings.CutSuffix(list, ")")
	words := strings.Fields(head)
	switch {
	case !closed:
		return c, fmt.Errorf("want a closing parenthesis at its end")
	case len(words) != 2 || words[1] != opIn && words[1] != opNotIn:
		return c, fmt.Errorf("want a label, then in or notin, before the parenthesis")
	}
	c = condition{label: words[0], op: words[1]}
	for value := range strings.SplitSeq(list, ",") {
		value = strings.TrimSpace(value)
		if err := checkValue(value); err != nil {
			return c, err
		}
		c.values = append(c.values, value)
	}
	return c, checkLabel(c.label)
}

// labelName is the form of a label's name without its prefix, and of a value that is not empty: at
// most 63 letters, digits, "-", "_" and ".", the first and the last a letter or a digit.
var labelName = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`)

// labelPrefix is the form of what may stand before a slash in a label's name: a DNS subdomain.
var labelPrefix = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// checkLabel applies the rules of the API server ("Labels and Selectors", syntax and character
// set).
func checkLabel(label string) error {
	before, after, prefixed := strings.Cut(label, "/")
	if !prefixed {
		before, after = "a", label
	}
	if !labelName.MatchString(after) || !labelPrefix.MatchString(before) || len(before) > 253 {
		return fmt.Errorf("%.80q is not the name of a label", label)
	}
	return nil
}

// checkValue lets the empty value pass: a label may have it.
func checkValue(value string) error {
	if value != "" && !labelName.MatchString(value) {
		return fmt.Errorf("%.80q is not the value of a label", value)
	}
	return nil
}

// Matches reports whether labels meet all conditions. A nil map is an object without labels.
func (s Selector) Matches(labels map[string]string) bool {
	for _, c := range s.conditions {
		if !c.isMet(labels) {
			return false
		}
	}
	return true
}

func (s Selector) matchesAll() bool { return len(s.conditions) == 0 }

// labelled is an object that can have labels, as everything with a [watchglass.ObjectMeta] can.
type labelled interface{ GetLabels() map[string]string }

// matchesLabelsOf reports whether the labels of an object meet all conditions. It does not call
// GetLabels without need, because that may make a copy. An object that cannot have labels gets here
// only if a T is an interface.
func (s Selector) matchesLabelsOf(obj watchglass.Object) bool {
	if s.matchesAll() {
		return true
	}
	var labels map[string]string
	if obj, ok := obj.(labelled); ok {
		labels = obj.GetLabels()
	}
	return s.Matches(labels)
}

// mustHaveLabels panics if a T cannot have the labels that a selector asks for. If T is an
// interface, each object decides.
func mustHaveLabels[T watchglass.Object](s Selector) {
	var t T
	if _, ok := any(t).(labelled); !ok && any(t) != nil && !s.matchesAll() {
		panic(fmt.Sprintf("informer: a Selector for %T, which has no method "+
			"GetLabels() map[string]string", t))
	}
}

func (c condition) isMet(labels map[string]string) bool {
	value, has := labels[c.label]
	switch c.op {
	case opExists:
		return has
	case opAbsent:
		return !has
	case opIn:
		return has && slices.Contains(c.values, value)
	}
	return !has || !slices.Contains(c.values, value)
}
