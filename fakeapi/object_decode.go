package fakeapi

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// A strictness says what happens if a body has duplicate fields, or unknown fields in its
// metadata. It is the query parameter fieldValidation. In any case the last of duplicate
// fields counts, and unknown metadata fields are not stored.
type strictness string

const (
	strictIgnore strictness = "Ignore"
	strictWarn   strictness = "Warn"   // a Warning header for each; so does ""
	strictFail   strictness = "Strict" // the request is refused
)

// decodeObject decodes the body of a create or an update and checks its type and its
// metadata. flaws are the duplicate and unknown fields; there are none with Ignore. The
// error is a *status.Status.
func decodeObject(r *resource.Type, body []byte, s strictness) (t tree, flaws []string, err error) {
	kind, version, err := typeOf(r, body)
	if err != nil {
		return nil, nil, status.BadRequest("the object provided is unrecognized (must be of type %s): "+
			"%v (%s)", r.Kind, err, summary(body))
	}
	t, err = decodeTree(body)
	if err == nil {
		err = checkKind(r, t, kind, version)
	}
	if _, refused := err.(*status.Status); refused {
		return nil, nil, err
	}
	var unknown []string
	if err == nil {
		unknown, err = fitMeta(t)
	}
	if err == nil && s != strictIgnore {
		flaws = append(duplicates(body), unknownFields(unknown)...)
		err = s.judge(flaws)
	}
	if err != nil {
		return nil, nil, status.BadRequest("%s in version %q cannot be handled as a %s: %v",
			kind, r.Version, r.Kind, err)
	}
	return t, flaws, nil
}

// judge returns an error if there are flaws and s refuses them.
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
		flaws[i] = "unknown field " + strconv.Quote(status.Cut(p, maxWarned))
	}
	return flaws
}

// typeOf reads kind and apiVersion from a body, before anything else is decoded. The
// errors of encoding/json are those of the real server, because it decodes into the
// same struct. Custom resources must have a kind; built-in types get both if they are
// missing.
func typeOf(r *resource.Type, body []byte) (kind, apiVersion string, err error) {
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

// checkKind refuses an object that is not of the resource's type. It sets t's kind and
// apiVersion. The error is a *status.Status.
func checkKind(r *resource.Type, t tree, kind, version string) error {
	switch {
	case r.Builtin() && kind != r.Kind:
		return status.BadRequest("%s in version %q cannot be handled as a %s: no kind %q is registered "+
			"for version %q", kind, r.Version, r.Kind, kind, version)
	case version != r.APIVersion():
		return status.BadRequest("the API version in the data (%s) does not match the expected API "+
			"version (%s)", version, r.APIVersion())
	case kind != r.Kind:
		name, _ := lookup(t, "metadata.name")
		text, _ := name.(string)
		return status.InvalidValue(status.About{Group: r.Group, Kind: kind, Name: text},
			"kind", kind, "must be "+r.Kind)
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

// summary is a very short excerpt, in hexadecimal if it does not begin with a brace.
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

// maxFlaws is the largest number of flaws in an answer, as in the real server. Each
// names a path, cut off at maxWarned: a path may be nearly as long as the document.
const maxFlaws = 100

// duplicates finds the fields that a JSON document has more than once. The last one
// counts, which is rarely what the client meant. The document has been decoded before,
// so it is valid JSON.
func duplicates(body []byte) []string {
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

// pathText is a path as messages show it, spec.ports[0].name, cut off at maxWarned.
func pathText(path []step) string {
	var b strings.Builder
	for _, s := range path {
		switch {
		case b.Len() > maxWarned:
			return status.Cut(b.String(), maxWarned)
		case s.index > 0:
			fmt.Fprintf(&b, "[%d]", s.index-1)
			continue
		case b.Len() > 0:
			b.WriteByte('.')
		}
		b.WriteString(status.Cut(s.key, maxWarned))
	}
	return status.Cut(b.String(), maxWarned)
}
