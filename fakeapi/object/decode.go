package object

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// A Strictness says what happens if a body has duplicate fields, or unknown fields in its
// metadata. It is the query parameter fieldValidation. In any case the last of duplicate
// fields counts, and unknown metadata fields are not stored.
type Strictness string

// The values of fieldValidation.
const (
	StrictIgnore Strictness = "Ignore"
	StrictWarn   Strictness = "Warn"   // a Warning header for each; so does ""
	StrictFail   Strictness = "Strict" // the request is refused
)

// Decode decodes the body of a create or an update and checks its type and its
// metadata. flaws are the duplicate and unknown fields; there are none with Ignore. The
// error is a *status.Status.
func Decode(typ *resource.Type, body []byte, s Strictness) (t Tree, flaws []string, err error) {
	kind, version, err := typeOf(typ, body)
	if err != nil {
		return nil, nil, status.BadRequest("the object provided is unrecognized (must be of type %s): "+
			"%v (%s)", typ.Kind, err, summary(body))
	}
	t, err = DecodeTree(body)
	if err == nil {
		err = CheckKind(typ, t, kind, version)
	}
	if _, refused := err.(*status.Status); refused {
		return nil, nil, err
	}
	var unknown []string
	if err == nil {
		unknown, err = FitMeta(t)
	}
	if err == nil && s != StrictIgnore {
		flaws = append(Duplicates(body), UnknownFields(unknown)...)
		err = s.Judge(flaws)
	}
	if err != nil {
		return nil, nil, status.BadRequest("%s in version %q cannot be handled as a %s: %v",
			kind, typ.Version, typ.Kind, err)
	}
	return t, flaws, nil
}

// Judge returns an error if there are flaws and s refuses them.
func (s Strictness) Judge(flaws []string) error {
	if s != StrictFail || len(flaws) == 0 {
		return nil
	}
	return errors.New("strict decoding error: " + strings.Join(flaws, ", "))
}

// UnknownFields returns the flaws for unknown fields, whose paths are given.
func UnknownFields(paths []string) []string {
	paths = paths[:min(len(paths), maxFlaws)]
	flaws := make([]string, len(paths))
	for i, p := range paths {
		flaws[i] = "unknown field " + strconv.Quote(status.Cut(p, maxFlaw))
	}
	return flaws
}

// maxFlaws is the largest number of flaws in an answer, as in the real server. Each names a
// path, cut off at maxFlaw characters: a path may be nearly as long as the document.
const (
	maxFlaws = 100
	maxFlaw  = 4096
)

// Duplicates finds the fields that a JSON document has more than once. The last one
// counts, which is rarely what the client meant. The document has been decoded before,
// so it is valid JSON.
func Duplicates(body []byte) []string {
	f := duplicateFinder{tokens: json.NewDecoder(bytes.NewReader(body))}
	f.value()
	return f.found
}

// A duplicateFinder reads a document token by token.
type duplicateFinder struct {
	tokens *json.Decoder
	path   []step // to the present value
	found  []string
}

// A step leads from a value to one within it.
type step struct {
	key   string // in an object; index is 0
	index int    // in an array, from 1 on
}

func (f *duplicateFinder) value() {
	switch token, _ := f.tokens.Token(); token {
	case json.Delim('{'):
		f.object()
	case json.Delim('['):
		f.array()
	}
}

func (f *duplicateFinder) object() {
	count := map[string]int{}
	depth := len(f.path)
	for f.tokens.More() {
		token, err := f.tokens.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return
		}
		f.path = append(f.path[:depth], step{key: key})
		if count[key]++; count[key] == 2 && len(f.found) < maxFlaws {
			f.found = append(f.found, "duplicate field "+strconv.Quote(pathText(f.path)))
		}
		f.value()
	}
	_, _ = f.tokens.Token() // the closing brace
}

func (f *duplicateFinder) array() {
	depth := len(f.path)
	for i := 1; f.tokens.More(); i++ {
		f.path = append(f.path[:depth], step{index: i})
		f.value()
	}
	_, _ = f.tokens.Token() // the closing bracket
}

// pathText returns a path as messages show it, spec.ports[0].name, cut off at maxFlaw.
func pathText(path []step) string {
	var b strings.Builder
	for _, s := range path {
		switch {
		case b.Len() > maxFlaw:
			return status.Cut(b.String(), maxFlaw)
		case s.index > 0:
			fmt.Fprintf(&b, "[%d]", s.index-1)
			continue
		case b.Len() > 0:
			b.WriteByte('.')
		}
		b.WriteString(status.Cut(s.key, maxFlaw))
	}
	return status.Cut(b.String(), maxFlaw)
}
