package patch

import (
	"errors"
	"fmt"
	"slices"
)

// Apply applies all steps to doc, in order, and returns the result. It alters doc and the values of
// the steps, of which parts become parts of the result. Errors name the step that cannot be
// applied; steps that copy too much are a *LimitError.
func Apply(doc any, steps []Step) (any, error) {
	var a applier
	var err error
	for i, s := range steps {
		if doc, err = a.apply(doc, s); err != nil {
			return nil, fmt.Errorf("operation %d (%.20s): %w", i, s.op, err)
		}
	}
	if isDeeper(doc, maxDepth) {
		return nil, errTooDeep
	}
	return doc, nil
}

// errTooDeep: the steps have made a value that is too deep to be decoded again.
var errTooDeep = fmt.Errorf("a value has more than %d levels", maxDepth)

// An applier applies one JSON patch.
type applier struct {
	copied int // roughly how many bytes earlier steps have copied
}

func (a *applier) apply(doc any, s Step) (any, error) {
	switch s.op {
	case "add", "replace":
		return put(doc, s.path, s.value, s.op == "replace")
	case "remove":
		return cut(doc, s.path)
	case "test":
		v, err := field(doc, s.path)
		if err == nil && !Equal(v, s.value) {
			err = errors.New("the test failed")
		}
		return doc, err
	case "copy", "move":
		if len(s.from) == 0 {
			return nil, errNoPath
		}
		v, err := field(doc, s.from)
		if err == nil && s.op == "move" {
			doc, err = cut(doc, s.from)
		} else if err == nil {
			v, err = a.duplicate(v)
		}
		if err != nil {
			return nil, err
		}
		return put(doc, s.path, v, false)
	}
	return nil, errors.New("unknown operation")
}

// duplicate copies a value, unless it is too deep or the copies become too large.
func (a *applier) duplicate(v any) (any, error) {
	if isDeeper(v, maxDepth) {
		return nil, errTooDeep // earlier moves made it so; copying it could exhaust the stack
	}
	if a.copied += weight(v); a.copied > maxCopied {
		return nil, &LimitError{fmt.Sprintf("the patch copies more than %d bytes", maxCopied)}
	}
	return Copy(v), nil
}

// put returns doc with the value at path set. With instead, an element of an array is replaced
// and not moved aside, and the whole document may be replaced. A field of an object is set
// either way, even if it was not there: the real server does so, too.
func put(doc any, path pointer, value any, instead bool) (any, error) {
	if path != nil && len(path) == 0 && instead {
		return value, nil
	}
	return within(doc, path, func(parent any, key string) (any, error) {
		return set(parent, key, value, instead)
	})
}

// set returns parent with a value set.
func set(parent any, key string, value any, instead bool) (any, error) {
	switch d := parent.(type) {
	case object:
		d[key] = value
		return d, nil
	case []any:
		return putElement(d, key, value, instead)
	}
	return nil, errNoPath
}

// putElement returns d with one element replaced, or with one more.
func putElement(d []any, key string, value any, instead bool) (any, error) {
	if key == "-" && !instead {
		return append(d, value), nil
	}
	places := len(d)
	if !instead {
		places++
	}
	i, err := position(key, places)
	switch {
	case err != nil:
		return nil, err
	case instead:
		d[i] = value
		return d, nil
	}
	return slices.Insert(d, i, value), nil
}

// cut returns doc without the value at path. There must be one.
func cut(doc any, path pointer) (any, error) {
	return within(doc, path, func(parent any, key string) (any, error) {
		switch d := parent.(type) {
		case object:
			if _, ok := d[key]; !ok {
				return nil, errNoPath
			}
			delete(d, key)
			return d, nil
		case []any:
			i, err := position(key, len(d))
			if err != nil {
				return nil, err
			}
			return slices.Delete(d, i, i+1), nil
		}
		return nil, errNoPath
	})
}

// An editor returns a parent with the value at a key changed: an array that grows may be another
// slice.
type editor func(parent any, key string) (any, error)

// within calls edit with the parent of the value at path, and puts what edit returns in the
// parent's place.
func within(doc any, path pointer, edit editor) (any, error) {
	switch len(path) {
	case 0:
		return nil, errNoPath // the whole document has no parent
	case 1:
		return edit(doc, path[0])
	}
	child, err := at(doc, path[:1])
	if err == nil {
		child, err = within(child, path[1:], edit)
	}
	if err != nil {
		return nil, err
	}
	return set(doc, path[0], child, true)
}
