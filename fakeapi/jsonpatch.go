package fakeapi

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A patchStep is one operation of a JSON patch, RFC 6902.
type patchStep struct {
	op       string
	path     []string
	from     []string
	value    any
	hasValue bool
}

// maxPatchSteps is how many operations one patch may have, as in the real
// server: a copy that doubles a document, repeated, would fill any memory.
const maxPatchSteps = 10_000

// parseJSONPatch decodes a patch. An error means that it is no patch at all.
func parseJSONPatch(body []byte) ([]patchStep, error) {
	v, err := decodeValue(body)
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("cannot unmarshal %s into a list of operations", jsonType(v))
	}
	if len(list) > maxPatchSteps {
		return nil, fmt.Errorf("more than %d operations", maxPatchSteps)
	}
	steps := make([]patchStep, 0, len(list))
	for _, e := range list {
		o, ok := e.(tree)
		if !ok {
			return nil, fmt.Errorf("cannot unmarshal %s into an operation", jsonType(e))
		}
		steps = append(steps, parseStep(o))
	}
	return steps, nil
}

func parseStep(o tree) patchStep {
	var s patchStep
	s.op, _ = o["op"].(string)
	path, _ := o["path"].(string)
	from, _ := o["from"].(string)
	s.path, s.from = pointer(path), pointer(from)
	s.value, s.hasValue = o["value"]
	return s
}

// pointer splits a JSON pointer, RFC 6901: "/a~1b/c" is ["a/b", "c"]. The empty
// pointer, the whole document, is nil.
func pointer(s string) []string {
	if s == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(s, "/"), "/")
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for i, p := range parts {
		parts[i] = unescape.Replace(p)
	}
	return parts
}

// errNoPath: a patch names something that is not there.
var errNoPath = errors.New("the path does not exist")

// applyJSONPatch applies all steps to doc or none: on an error the result is to
// be thrown away.
func applyJSONPatch(doc any, steps []patchStep) (any, error) {
	var err error
	for i, s := range steps {
		if doc, err = s.apply(doc); err != nil {
			return nil, fmt.Errorf("operation %d (%s): %w", i, s.op, err)
		}
	}
	return doc, nil
}

func (s patchStep) apply(doc any) (any, error) {
	switch s.op {
	case "add":
		return put(doc, s.path, s.value, false)
	case "replace":
		return put(doc, s.path, s.value, true)
	case "remove":
		return cut(doc, s.path)
	case "test":
		v, err := at(doc, s.path)
		if err == nil && !reflect.DeepEqual(v, s.value) {
			err = errors.New("the test failed")
		}
		return doc, err
	case "copy", "move":
		v, err := at(doc, s.from)
		if err != nil {
			return nil, err
		}
		if s.op == "copy" {
			return put(doc, s.path, copyValue(v), false)
		}
		if doc, err = cut(doc, s.from); err != nil {
			return nil, err
		}
		return put(doc, s.path, v, false)
	}
	return nil, fmt.Errorf("unknown operation %q", s.op)
}

// at is the value at a path.
func at(doc any, path []string) (any, error) {
	for _, p := range path {
		switch d := doc.(type) {
		case tree:
			v, ok := d[p]
			if !ok {
				return nil, errNoPath
			}
			doc = v
		case []any:
			i, err := position(p, len(d)-1)
			if err != nil {
				return nil, err
			}
			doc = d[i]
		default:
			return nil, errNoPath
		}
	}
	return doc, nil
}

// position is an array index of at most last.
func position(p string, last int) (int, error) {
	i, err := strconv.Atoi(p)
	if err != nil || i < 0 || i > last {
		return 0, errNoPath
	}
	return i, nil
}

// put is doc with the value at path set: added, or, if there, replaced. With
// must it has to be there.
func put(doc any, path []string, value any, must bool) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	return within(doc, path, func(parent any, key string) (any, error) {
		switch d := parent.(type) {
		case tree:
			if _, ok := d[key]; must && !ok {
				return nil, errNoPath
			}
			d[key] = value
			return d, nil
		case []any:
			return putElement(d, key, value, must)
		}
		return nil, errNoPath
	})
}

func putElement(d []any, key string, value any, must bool) (any, error) {
	if must {
		i, err := position(key, len(d)-1)
		if err == nil {
			d[i] = value
		}
		return d, err
	}
	if key == "-" {
		return append(d, value), nil
	}
	i, err := position(key, len(d))
	if err != nil {
		return nil, err
	}
	return slices.Insert(d, i, value), nil
}

// cut is doc without the value at path, which has to be there.
func cut(doc any, path []string) (any, error) {
	if len(path) == 0 {
		return nil, errors.New("the whole document cannot be removed")
	}
	return within(doc, path, func(parent any, key string) (any, error) {
		switch d := parent.(type) {
		case tree:
			if _, ok := d[key]; !ok {
				return nil, errNoPath
			}
			delete(d, key)
			return d, nil
		case []any:
			i, err := position(key, len(d)-1)
			if err != nil {
				return nil, err
			}
			return slices.Delete(d, i, i+1), nil
		}
		return nil, errNoPath
	})
}

// within applies edit to the parent of path's last element and puts what edit
// returns in the parent's place: an array that grows is another array.
func within(doc any, path []string, edit func(parent any, key string) (any, error)) (any, error) {
	if len(path) == 1 {
		return edit(doc, path[0])
	}
	child, err := at(doc, path[:1])
	if err != nil {
		return nil, err
	}
	if child, err = within(child, path[1:], edit); err != nil {
		return nil, err
	}
	switch d := doc.(type) {
	case tree:
		d[path[0]] = child
	case []any:
		i, err := position(path[0], len(d)-1)
		if err != nil {
			return nil, err
		}
		d[i] = child
	}
	return doc, nil
}
