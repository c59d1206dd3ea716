package object

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A PatchStep is one operation of a JSON patch, RFC 6902.
type PatchStep struct {
	op    string
	path  pointer
	from  pointer
	value any
}

// maxSteps is how many operations one patch may have, and maxCopied roughly by how many bytes
// copies may make the result larger: an operation that copies a document into itself doubles
// it, so a few dozen of them would fill any memory. Both are the real server's limits.
const (
	maxSteps  = 10_000
	maxCopied = 3 << 20
)

// maxShifted is how many elements the lists may have together in which steps insert or remove one:
// the elements after it move, so 10,000 steps at the head of a long list would take half a minute.
const maxShifted = 100_000_000

// ParseJSONPatch reads the steps of a JSON patch from its decoded JSON, v. Fields that operations
// do not have are ignored. More than 10,000 steps are a *LimitError.
func ParseJSONPatch(v any) (steps []PatchStep, err error) {
	list, ok := v.([]any)
	if !ok && v != nil { // null is a patch without operations
		return nil, fmt.Errorf("a JSON patch is an array of operations, not %s", TypeName(v))
	}
	if len(list) > maxSteps {
		return nil, &LimitError{fmt.Sprintf("The allowed maximum operations in a JSON "+
			"patch is %d, got %d", maxSteps, len(list))}
	}
	for i, e := range list {
		o, ok := e.(Tree)
		if !ok && e != nil {
			return nil, fmt.Errorf("operation %d is not an object, but %s", i, TypeName(e))
		}
		for _, name := range []string{"op", "path", "from"} {
			if _, isText := o[name].(string); !isText && o[name] != nil {
				return nil, fmt.Errorf("operation %d: %s is not a string, but %s", i, name, TypeName(o[name]))
			}
		}
		op, _ := o["op"].(string)
		steps = append(steps, PatchStep{op, parsePointer(o["path"]), parsePointer(o["from"]), o["value"]})
	}
	return steps, nil
}

// A pointer is a JSON pointer, RFC 6901: "/a~1b/c" is ["a/b", "c"], and "" is the
// empty list, which points to the whole document. Nil points nowhere.
type pointer []string

// errNoPath: a patch names a value that is not there.
var errNoPath = errors.New("the path does not exist")

// parsePointer splits a pointer. It returns nil for a text that does not begin with a slash, and
// for a pointer that is deeper than any document.
func parsePointer(v any) pointer {
	text, ok := v.(string)
	if text == "" && ok {
		return pointer{}
	}
	_, text, ok = strings.Cut(text, "/")
	if !ok || strings.Count(text, "/") >= maxDepth {
		return nil
	}
	parts := strings.Split(text, "/")
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for i, p := range parts {
		parts[i] = unescape.Replace(p)
	}
	return parts
}

// at returns the value that a pointer leads to. A field that is missing at its end is null: the
// real server takes it for that, in tests and copies.
func at(doc any, path pointer) (any, error) {
	if path == nil {
		return nil, errNoPath
	}
	for _, p := range path {
		switch d := doc.(type) {
		case Tree:
			doc = d[p]
		case []any:
			i, err := position(p, len(d))
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

// position reads an index below size. A negative one counts from the end, which RFC 6901 does not
// know, and the real server does.
func position(p string, size int) (int, error) {
	i, err := strconv.Atoi(p)
	if i < 0 {
		i += size
	}
	if err != nil || i < 0 || i >= size {
		return 0, errNoPath
	}
	return i, nil
}

// ApplyJSONPatch applies all steps to doc, in order, and returns the result. It alters doc and the
// values of the steps, of which parts become parts of the result. Errors name the step that cannot
// be applied; steps that copy or move too much are a *LimitError.
func ApplyJSONPatch(doc any, steps []PatchStep) (any, error) {
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
	copied  int // roughly how many bytes earlier steps have copied
	shifted int // how many elements the lists had that earlier steps have made longer or shorter
}

func (a *applier) apply(doc any, s PatchStep) (any, error) {
	switch s.op {
	case "add", "replace":
		return a.put(doc, s.path, s.value, s.op == "replace")
	case "remove":
		return a.cut(doc, s.path)
	case "test":
		v, err := at(doc, s.path)
		if err == nil && !Equal(v, s.value) {
			err = errors.New("the test failed")
		}
		return doc, err
	case "copy", "move":
		if len(s.from) == 0 {
			return nil, errNoPath
		}
		v, err := at(doc, s.from)
		if err == nil && s.op == "move" {
			doc, err = a.cut(doc, s.from)
		} else if err == nil {
			v, err = a.duplicate(v)
		}
		if err != nil {
			return nil, err
		}
		return a.put(doc, s.path, v, false)
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
func (a *applier) put(doc any, path pointer, value any, instead bool) (any, error) {
	if path != nil && len(path) == 0 && instead {
		if name := TypeName(value); name != "object" && name != "array" {
			return nil, fmt.Errorf("the document cannot be replaced by a %s", name)
		}
		return value, nil
	}
	return within(doc, path, func(parent any, key string) (any, error) {
		if !instead {
			if err := a.shift(parent); err != nil {
				return nil, err
			}
		}
		return set(parent, key, value, instead)
	})
}

// shift counts the elements of parent, if it is a list, before it gets one more or one less.
func (a *applier) shift(parent any) error {
	list, _ := parent.([]any)
	if a.shifted += len(list); a.shifted > maxShifted {
		return &LimitError{fmt.Sprintf("the patch moves more than %d elements of lists", maxShifted)}
	}
	return nil
}

// set returns parent with a value set.
func set(parent any, key string, value any, instead bool) (any, error) {
	switch d := parent.(type) {
	case Tree:
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
func (a *applier) cut(doc any, path pointer) (any, error) {
	return within(doc, path, func(parent any, key string) (any, error) {
		switch d := parent.(type) {
		case Tree:
			if _, ok := d[key]; !ok {
				return nil, errNoPath
			}
			delete(d, key)
			return d, nil
		case []any:
			i, err := position(key, len(d))
			if err = cmp.Or(err, a.shift(d)); err != nil {
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
