package patch

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// Apply applies all steps to doc or none: on an error, doc, which Apply alters, is to
// be thrown away. The steps can be applied again, to another document.
func Apply(doc any, steps []Step) (any, error) {
	var err error
	copied := 0
	for i, s := range steps {
		if doc, err = s.apply(doc, &copied); err != nil {
			return nil, fmt.Errorf("operation %d (%s): %w", i, s.op, err)
		}
	}
	if isDeeper(doc, maxDepth) {
		return nil, fmt.Errorf("the result has more than %d levels", maxDepth)
	}
	return doc, nil
}

// apply applies one step. copied is how much the steps before have copied.
func (s Step) apply(doc any, copied *int) (any, error) {
	switch s.op {
	case "add":
		return put(doc, s.path, Copy(s.value), false)
	case "replace":
		return put(doc, s.path, Copy(s.value), true)
	case "remove":
		return cut(doc, s.path)
	case "test":
		v, err := field(doc, s.path)
		if err == nil && !reflect.DeepEqual(v, s.value) {
			err = errors.New("the test failed")
		}
		return doc, err
	case "copy":
		v, err := s.source(doc)
		if err != nil {
			return nil, err
		}
		if *copied += weight(v); *copied > maxCopied {
			return nil, fmt.Errorf("more than %d bytes are copied", maxCopied)
		}
		return put(doc, s.path, Copy(v), false)
	case "move":
		v, err := s.source(doc)
		if err != nil {
			return nil, err
		}
		if doc, err = cut(doc, s.from); err != nil {
			return nil, err
		}
		return put(doc, s.path, v, false)
	}
	return nil, fmt.Errorf("unknown operation %q", s.op)
}

// source is the value that a copy or a move starts from.
func (s Step) source(doc any) (any, error) {
	if len(s.from) == 0 {
		return nil, errNoPath
	}
	return field(doc, s.from)
}

// put is doc with the value at path set. With instead, elements of arrays are
// replaced and not moved aside, and the whole document may be; a field of an
// object is set either way, even if it was not there (the real server again).
func put(doc any, path pointer, value any, instead bool) (any, error) {
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
			return putElement(d, key, value, instead)
		}
		return nil, errNoPath
	})
}

func putElement(d []any, key string, value any, instead bool) (any, error) {
	if instead {
		i, err := position(key, len(d))
		if err == nil {
			d[i] = value
		}
		return d, err
	}
	if key == "-" {
		return append(d, value), nil
	}
	i, err := position(key, len(d)+1)
	if err != nil {
		return nil, err
	}
	return slices.Insert(d, i, value), nil
}

// cut is doc without the value at path, which has to be there.
func cut(doc any, path pointer) (any, error) {
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
