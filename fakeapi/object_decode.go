package fakeapi

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A strictness is what becomes of fields that a body has twice, and of unknown fields
// of its metadata. They are never stored; the question is whether the client is told, or
// refused. It is the query parameter fieldValidation.
type strictness string

const (
	strictIgnore strictness = "Ignore"
	strictWarn   strictness = "Warn"   // a Warning header for each; so does ""
	strictFail   strictness = "Strict" // the request is refused
)

// decodeObject decodes the body of a create or an update and checks what it says
// about its type and in its metadata. flaws are what strictness is about.
func decodeObject(r *Resource, body []byte, s strictness) (t tree, flaws []string, err error) {
	kind, version, err := typeOf(r, body)
	if err != nil {
		return nil, nil, badRequest("the object provided is unrecognized (must be of type %s): "+
			"%v (%s)", r.Kind, err, summary(body))
	}
	t, err = decodeTree(body)
	if err == nil {
		err = checkKind(r, t, kind, version)
	}
	if _, refused := err.(*Status); refused {
		return nil, nil, err
	}
	var unknown []string
	if err == nil {
		unknown, err = fitMeta(r, t)
	}
	if err == nil && s != strictIgnore {
		flaws = append(duplicates(body), unknownFields(unknown)...)
		err = s.judge(flaws)
	}
	if err != nil {
		return nil, nil, badRequest("%s in version %q cannot be handled as a %s: %v",
			kind, r.Version, r.Kind, err)
	}
	return t, flaws, nil
}

// judge refuses what has flaws, if it is strict.
func (s strictness) judge(flaws []string) error {
	if s != strictFail || len(flaws) == 0 {
		return nil
	}
	return errors.New("strict decoding error: " + strings.Join(flaws, ", "))
}

func unknownFields(paths []string) []string {
	paths = paths[:min(len(paths), maxFlaws)]
	flaws := make([]string, len(paths))
	for i, p := range paths {
		flaws[i] = "unknown field " + strconv.Quote(cutText(p, maxWarned))
	}
	return flaws
}

// typeOf reads what a body says about its type, before anything else is looked
// at. The errors are encoding/json's own, about the very struct that the real
// server decodes into. Custom resources have to say their kind; built-in types
// get what they leave out.
func typeOf(r *Resource, body []byte) (kind, apiVersion string, err error) {
	var probe struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind,omitempty"`
	}
	if err := json.Unmarshal(body, &probe); err != nil {
		return "", "", fmt.Errorf("couldn't get version/kind; json parse error: %w", err)
	}
	kind, apiVersion = probe.Kind, probe.APIVersion
	if strings.Count(apiVersion, "/") > 1 {
		return "", "", fmt.Errorf("unexpected GroupVersion string: %s", apiVersion)
	}
	if r.Builtin() {
		kind, apiVersion = orText(kind, r.Kind), orText(apiVersion, r.APIVersion())
	}
	if kind == "" {
		//lint:ignore ST1005 these are the real server's words, and clients see them
		return "", "", fmt.Errorf("Object 'Kind' is missing in '%s'", excerpt(body))
	}
	return kind, apiVersion, nil
}

func orText(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// checkKind: an object has to be of the resource's type. t is told its type.
func checkKind(r *Resource, t tree, kind, version string) error {
	switch {
	case r.Builtin() && kind != r.Kind:
		return badRequest("%s in version %q cannot be handled as a %s: no kind %q is registered "+
			"for version %q", kind, r.Version, r.Kind, kind, version)
	case version != r.APIVersion():
		return badRequest("the API version in the data (%s) does not match the expected API "+
			"version (%s)", version, r.APIVersion())
	case kind != r.Kind:
		name, _ := lookup(t, "metadata.name")
		text, _ := name.(string)
		return invalidType(r.Group, kind, text, invalidField("kind", kind, "must be "+r.Kind))
	}
	t["kind"], t["apiVersion"] = kind, version
	return nil
}

// excerpt is the beginning of a body, for messages.
func excerpt(body []byte) string {
	const most = 1024
	if len(body) > most {
		return string(body[:most]) + "..."
	}
	return string(body)
}

// summary is a very short excerpt, in hexadecimal if it is no JSON object.
func summary(body []byte) string {
	const most = 30
	dots := ""
	if len(body) > most {
		body, dots = body[:most], " ..."
	}
	switch {
	case len(body) == 0:
		return "<empty>"
	case body[0] == '{':
		return string(body) + dots
	}
	return hex.EncodeToString(body) + dots
}

// maxFlaws is how many flaws a client is told of, as in the real server. Each names a
// path, or the beginning of one: a path may be nearly as long as the document.
const maxFlaws = 100

// duplicates finds the fields that a JSON document has more than once: the last
// one counts, which is hardly ever what was meant. The document has been decoded
// before: it is JSON, and its numbers are numbers.
func duplicates(body []byte) []string {
	f := duplicateFinder{tokens: json.NewDecoder(bytes.NewReader(body))}
	f.value()
	return f.found
}

// A duplicateFinder reads a document token by token.
type duplicateFinder struct {
	tokens *json.Decoder
	path   []step // to where it is
	found  []string
}

// A step leads from a value to one within it.
type step struct {
	key   string // of an object; unless index counts
	index int    // in an array, from 1 on; 0: none
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

// pathText is a path as messages have it, spec.ports[0].name, or its beginning.
func pathText(path []step) string {
	var b strings.Builder
	for _, s := range path {
		switch {
		case b.Len() > maxWarned:
			return cutText(b.String(), maxWarned)
		case s.index > 0:
			fmt.Fprintf(&b, "[%d]", s.index-1)
			continue
		case b.Len() > 0:
			b.WriteByte('.')
		}
		b.WriteString(cutText(s.key, maxWarned))
	}
	return cutText(b.String(), maxWarned)
}
