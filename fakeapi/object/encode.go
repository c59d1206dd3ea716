package object

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"example.com/watchglass/fakeapi/resource"
)

// Encode returns the stored form of an object, compact and without a newline, and
// where in it the digits of metadata.resourceVersion are, if it has one.
//
// A custom resource has all its keys sorted. A built-in type starts with kind
// and apiVersion, so that a list item, which carries neither, is the same bytes
// from a known offset on (itemOffset).
func Encode(typ *resource.Type, t Tree) (b []byte, digits int, err error) {
	before, after := Tree{}, Tree{} // what comes before and after metadata
	for k, v := range t {
		switch {
		case k == "metadata" || typ.Builtin() && (k == "kind" || k == "apiVersion"):
		case k < "metadata" && !typ.Builtin():
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
	b = make([]byte, 0, len(Head(typ))+len(head)+len(meta)+len(tail)+16)
	if typ.Builtin() {
		b = append(b, Head(typ)...)
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

// versionIn returns where the digits of the resourceVersion are in metadata that has one.
// A label or an annotation may have the same name, but it comes earlier: keys are
// sorted, and only selfLink and uid, which are strings, come after resourceVersion.
func versionIn(meta []byte) int {
	const key = `"resourceVersion":"`
	return bytes.LastIndex(meta, []byte(key)) + len(key)
}

// Head returns what every stored document of a built-in type starts with.
func Head(typ *resource.Type) string {
	return fmt.Sprintf(`{"kind":%q,"apiVersion":%q,`, typ.Kind, typ.APIVersion())
}
