package fakeapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/resource"
)

// A tree is a decoded JSON object. Trees exist only while a write is computed: the
// server stores and sends bytes.
type tree = map[string]any

// decodeTree decodes one JSON object. Numbers become int64 where they are whole
// and fit, as in the real server; as a float64, 9007199254740993 in a spec would
// become another number.
func decodeTree(body []byte) (tree, error) {
	v, err := decodeValue(body)
	if err != nil {
		return nil, err
	}
	t, ok := v.(tree)
	if !ok {
		return nil, fmt.Errorf("json: cannot unmarshal %s into an object", patch.TypeName(v))
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

// encodeTree is the stored form of an object, compact and without a newline, and
// where in it the digits of metadata.resourceVersion are, if it has one.
//
// A custom resource has all its keys sorted. A built-in type starts with kind
// and apiVersion, so that a list item, which carries neither, is the same bytes
// from a known offset on (itemOffset).
func encodeTree(r *resource.Type, t tree) (b []byte, digits int, err error) {
	before, after := tree{}, tree{} // what comes before and after metadata
	for k, v := range t {
		switch {
		case k == "metadata" || r.Builtin() && (k == "kind" || k == "apiVersion"):
		case k < "metadata" && !r.Builtin():
			before[k] = v
		default:
			after[k] = v
		}
	}
	head, err1 := json.Marshal(before)
	meta, err2 := json.Marshal(t["metadata"])
	tail, err3 := json.Marshal(after)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, 0, err
	}
	b = make([]byte, 0, len(builtinPrefix(r))+len(head)+len(meta)+len(tail)+16)
	if r.Builtin() {
		b = append(b, builtinPrefix(r)...)
	} else if b = append(b, head[:len(head)-1]...); len(before) > 0 {
		b = append(b, ',')
	}
	b = append(b, `"metadata":`...)
	digits = len(b) + versionIn(meta)
	if b = append(b, meta...); len(after) > 0 {
		b = append(b, ',')
	}
	return append(b, tail[1:]...), digits, nil
}

// versionIn is where the digits of the resourceVersion are in metadata that has one.
// A label or an annotation may have the same name, but it comes earlier: keys are
// sorted, and only selfLink and uid, which are strings, come after resourceVersion.
func versionIn(meta []byte) int {
	const key = `"resourceVersion":"`
	return bytes.LastIndex(meta, []byte(key)) + len(key)
}

// builtinPrefix is what every stored document of a built-in type starts with.
func builtinPrefix(r *resource.Type) string {
	return fmt.Sprintf(`{"kind":%q,"apiVersion":%q,`, r.Kind, r.APIVersion())
}
