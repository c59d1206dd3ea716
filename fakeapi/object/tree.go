package object

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A Tree is a decoded JSON object. Trees exist only while a write is computed: the
// server stores and sends bytes.
type Tree = map[string]any

// DecodeTree decodes one JSON object; null is one without fields. Numbers become int64 where
// they are whole and fit, as in the real server; as a float64, 9007199254740993 in a spec would
// become another number.
func DecodeTree(body []byte) (Tree, error) {
	v, err := DecodeValue(body)
	t, ok := v.(Tree)
	if err == nil && v == nil {
		t = Tree{}
	} else if err == nil && !ok {
		err = fmt.Errorf("json: cannot unmarshal %s into an object", TypeName(v))
	}
	return t, err
}

// DecodeValue decodes any one JSON value.
func DecodeValue(body []byte) (any, error) {
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
	case Tree:
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

// Lookup returns the value at a path such as ".spec.color", nil if there is none.
func Lookup(t Tree, path string) any {
	var v any = t
	for key := range strings.SplitSeq(strings.TrimPrefix(path, "."), ".") {
		o, _ := v.(Tree)
		v = o[key]
	}
	return v
}

// TextAt returns the value at a path as text, empty if there is none.
func TextAt(t Tree, path string) string {
	if v := Lookup(t, path); v != nil {
		return fmt.Sprint(v)
	}
	return ""
}

// At returns the value at a path if it is a T, and the zero value if not.
func At[T any](t Tree, path string) T {
	v, _ := Lookup(t, path).(T)
	return v
}

// SetAt sets the value at a path such as .spec.replicas and makes missing objects on the
// way. It returns false if another value is in the place of one of these objects.
func SetAt(t Tree, path string, v any) bool {
	keys := strings.Split(strings.TrimPrefix(path, "."), ".")
	for _, key := range keys[:len(keys)-1] {
		if _, ok := t[key].(Tree); !ok && t[key] != nil {
			return false
		}
		t = Within(t, key)
	}
	t[keys[len(keys)-1]] = v
	return true
}

// JSON encodes a value that this package has built, which cannot fail.
func JSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers and booleans only
	}
	return b
}

// SetDefault sets a field that is missing, null or empty: typed clients send strings that are
// not set like this.
func SetDefault(t Tree, field string, value any) {
	if v := t[field]; v == nil || v == "" {
		t[field] = value
	}
}

// encode returns the stored form of an object, compact and without a newline. Its metadata are
// the bytes from meta on, without the last tail ones.
//
// A custom resource has all its keys sorted. A built-in type starts with kind and apiVersion, so
// that a list item, which carries neither, is the same bytes after the Head.
func encode(typ *Type, t Tree) (b []byte, meta, tail int, err error) {
	keys := slices.Sorted(maps.Keys(t))
	if typ.Builtin() {
		first := []string{"kind", "apiVersion", "metadata"}
		keys = append(first, slices.DeleteFunc(keys, func(key string) bool {
			return slices.Contains(first, key)
		})...)
	}
	end, open := 0, "{"
	for _, key := range keys {
		value, err := json.Marshal(t[key])
		if err != nil {
			return nil, 0, 0, err
		}
		b = append(append(append(b, open...), JSON(key)...), ':')
		if b = append(b, value...); key == "metadata" {
			meta, end = len(b)-len(value), len(b)
		}
		open = ","
	}
	b = append(b, '}')
	return b, meta, len(b) - end, nil
}

// versionIn returns where the digits of the resourceVersion are in metadata that has one.
// A label or an annotation may have the same name, but it comes earlier: keys are
// sorted, and only selfLink and uid, which are strings, come after resourceVersion.
func versionIn(meta []byte) int {
	const key = `"resourceVersion":"`
	return bytes.LastIndex(meta, []byte(key)) + len(key)
}

// Head returns what every stored document of a built-in type starts with.
func Head(typ *Type) string {
	return fmt.Sprintf(`{"kind":%q,"apiVersion":%q,`, typ.Kind, typ.APIVersion())
}
