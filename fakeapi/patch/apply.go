package patch

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// Apply applies all steps to doc or none: on an error, doc, which Apply alters, is to
// be thrown away. The steps can be applied again, to another document. Steps that are
// too much work are a *LimitError.
func Apply(doc any, steps []Step) (any, error) {
	a := applier{work: budget{most: maxMoved, what: moves}}
	return a.all(doc, steps)
}

// errTooDeep: the steps have made a value that could not be decoded again.
var errTooDeep = fmt.Errorf("a value has more than %d levels", maxDepth)

// An applier applies one JSON patch.
type applier struct {
	work   budget // elements moved
	copied int    // bytes that the steps before have copied, about
}

func (a *applier) all(doc any, steps []Step) (any, error) {
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

// apply applies one step.
func (a *applier) apply(doc any, s Step) (any, error) {
	switch s.op {
	case "add":
		return a.put(doc, s.path, Copy(s.value), false)
	case "replace":
		return a.put(doc, s.path, Copy(s.value), true)
	case "remove":
		return a.cut(doc, s.path)
	case "test":
		v, err := field(doc, s.path)
		if err == nil && !reflect.DeepEqual(v, s.value) {
			err = errors.New("the test failed")
		}
		return doc, err
	case "copy":
		v, err := a.duplicate(doc, s)
		if err != nil {
			return nil, err
		}
		return a.put(doc, s.path, v, false)
	case "move":
		v, err := s.source(doc)
		if err != nil {
			return nil, err
		}
		if doc, err = a.cut(doc, s.from); err != nil {
			return nil, err
		}
		return a.put(doc, s.path, v, false)
	}
	return nil, errors.New("unknown operation")
}

// source is the value that a copy or a move starts from.
func (s Step) source(doc any) (any, error) {
	if len(s.from) == 0 {
		return nil, errNoPath
	}
	return field(doc, s.from)
}

// duplicate is a copy of the value that a copy starts from.
func (a *applier) duplicate(doc any, s Step) (any, error) {
	v, err := s.source(doc)
	if err != nil {
		return nil, err
	}
	if isDeeper(v, maxDepth) {
		return nil, errTooDeep // moves may have made it; to copy it could exhaust the stack
	}
	if a.copied += weight(v); a.copied > maxCopied {
		return nil, fmt.Errorf("more than %d bytes are copied", maxCopied)
	}
	return Copy(v), nil
}

// put is doc with the value at path set. With instead, elements of arrays are
// replaced and not moved aside, and the whole document may be; a field of an
// object is set either way, even if it was not there (the real server again).
func (a *applier) put(doc any, path pointer, value any, instead bool) (any, error) {
	if len(path) == 0 {
		if path == nil || !instead {
			return nil, errNoPath
		}
		return value, nil
	}
	return within(doc, path, func(parent any, key string) (any, error) {
		switch d := parent.(type) {
		case object:
			d[key] = value
			return d, nil
		case []any:
			if instead {
				return d, exchange(d, key, value)
			}
			return a.insert(d, key, value)
		}
		return nil, errNoPath
	})
}

// exchange puts a value in the place of an element.
func exchange(d []any, key string, value any) error {
	i, err := position(key, len(d))
	if err == nil {
		d[i] = value
	}
	return err
}

// insert is d with one more element.
func (a *applier) insert(d []any, key string, value any) (any, error) {
	if key == "-" {
		return append(d, value), nil
	}
	i, err := position(key, len(d)+1)
	if err != nil {
		return nil, err
	}
	if err := a.work.spend(len(d) - i); err != nil {
		return nil, err
	}
	return slices.Insert(d, i, value), nil
}

// cut is doc without the value at path, which has to be there.
func (a *applier) cut(doc any, path pointer) (any, error) {
	if len(path) == 0 {
		return nil, errNoPath // the whole document cannot be removed
	}
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
			if err := a.work.spend(len(d) - i); err != nil {
				return nil, err
			}
			return slices.Delete(d, i, i+1), nil
		}
		return nil, errNoPath
	})
}

// within applies edit to the parent of path's last element and puts what edit
// returns in the parent's place: an array that grows is another array.
func within(doc any, path pointer, edit func(parent any, key string) (any, error)) (any, error) {
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
	case object:
		d[path[0]] = child
	case []any:
		i, err := position(path[0], len(d))
		if err != nil {
			return nil, err
		}
		d[i] = child
	}
	return doc, nil
}
