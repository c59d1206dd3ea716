package fakeapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A tree is a decoded JSON object. Trees live only while a write is worked on:
// what is stored and served is bytes.
type tree = map[string]any

// decodeTree decodes one JSON object. Numbers become int64 where they are whole
// and fit, as the real server does; otherwise 9007199254740993 in a spec would
// come back as another number.
func decodeTree(body []byte) (tree, error) {
	v, err := decodeValue(body)
	if err != nil {
		return nil, err
	}
	t, ok := v.(tree)
	if !ok {
		return nil, fmt.Errorf("json: cannot unmarshal %s into an object", jsonType(v))
	}
	return t, nil
}

// decodeValue decodes any one JSON value.
func decodeValue(body []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("unexpected end of JSON input")
		}
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("invalid character after top-level value")
	}
	return narrow(v)
}

// narrow replaces every json.Number in v, in place, by int64 or float64. A number
// that is neither, such as 1e999, is an error.
func narrow(v any) (_ any, err error) {
	switch v := v.(type) {
	case json.Number:
		return narrowNumber(v)
	case tree:
		for k, e := range v {
			if v[k], err = narrow(e); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, e := range v {
			if v[i], err = narrow(e); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func narrowNumber(n json.Number) (any, error) {
	if i, err := n.Int64(); err == nil {
		return i, nil
	}
	switch f, err := n.Float64(); {
	case err != nil:
		return nil, fmt.Errorf("json: cannot unmarshal number %s into Go value of type float64", n)
	case f == 0:
		return int64(0), nil // -0.0, for one: etcd's JSON knows no negative zero
	default:
		return f, nil
	}
}

// jsonType is the JSON name of v's type, for messages.
func jsonType(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "bool"
	case string:
		return "string"
	case []any:
		return "array"
	case tree:
		return "object"
	}
	return "number"
}

// lookup follows a path such as ".spec.color" through objects.
func lookup(t tree, path string) (any, bool) {
	var v any = t
	for key := range strings.SplitSeq(strings.TrimPrefix(path, "."), ".") {
		m, ok := v.(tree)
		if !ok {
			return nil, false
		}
		if v, ok = m[key]; !ok {
			return nil, false
		}
	}
	return v, true
}

// textAt is the value at a path as text, empty if there is none.
func textAt(t tree, path string) string {
	v, _ := lookup(t, path)
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// intAt is the whole number at a path, 0 if there is none.
func intAt(t tree, path string) int64 {
	v, _ := lookup(t, path)
	n, _ := v.(int64)
	return n
}

// encodeTree is the stored form of an object, compact and without a newline.
//
// A custom resource has all its keys sorted. A built-in type starts with kind
// and apiVersion, so that a list item, which carries neither, is the same bytes
// from a known offset on (itemOffset).
func encodeTree(r *Resource, t tree) ([]byte, error) {
	if !r.Builtin() {
		return json.Marshal(t)
	}
	rest := make(tree, len(t))
	for k, v := range t {
		if k != "kind" && k != "apiVersion" && k != "metadata" {
			rest[k] = v
		}
	}
	meta, err := json.Marshal(t["metadata"])
	if err != nil {
		return nil, err
	}
	tail, err := json.Marshal(rest)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(builtinPrefix(r))+len(meta)+len(tail)+16)
	b = append(b, builtinPrefix(r)...)
	b = append(append(b, `"metadata":`...), meta...)
	if len(rest) > 0 {
		b = append(b, ',')
	}
	return append(b, tail[1:]...), nil
}

// builtinPrefix is what every stored document of a built-in type starts with.
func builtinPrefix(r *Resource) string {
	return fmt.Sprintf(`{"kind":%q,"apiVersion":%q,`, r.Kind, r.APIVersion())
}
