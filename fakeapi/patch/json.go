package patch

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Step is one operation of a JSON patch, RFC 6902.
type Step struct {
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

// ParseSteps reads the steps of a JSON patch from its decoded JSON, v. Fields that operations do
// not have are ignored. More than 10,000 steps are a *LimitError.
func ParseSteps(v any) (steps []Step, err error) {
	list, ok := v.([]any)
	if !ok && v != nil { // null is a patch without operations
		return nil, fmt.Errorf("a JSON patch is an array of operations, not %s", TypeName(v))
	}
	if len(list) > maxSteps {
		return nil, &LimitError{fmt.Sprintf("The allowed maximum operations in a JSON "+
			"patch is %d, got %d", maxSteps, len(list))}
	}
	for i, e := range list {
		o, ok := e.(object)
		if !ok && e != nil {
			return nil, fmt.Errorf("operation %d is not an object, but %s", i, TypeName(e))
		}
		for _, name := range []string{"op", "path", "from"} {
			if _, isText := o[name].(string); !isText && o[name] != nil {
				return nil, fmt.Errorf("operation %d: %s is not a string, but %s", i, name, TypeName(o[name]))
			}
		}
		op, _ := o["op"].(string)
		steps = append(steps, Step{op, parsePointer(o["path"]), parsePointer(o["from"]), o["value"]})
	}
	return steps, nil
}

// A pointer is a JSON pointer, RFC 6901: "/a~1b/c" is ["a/b", "c"], and "" is the
// empty list, which points to the whole document. Nil points nowhere.
type pointer []string

// errNoPath: a patch names a value that is not there.
var errNoPath = errors.New("the path does not exist")

// parsePointer splits a pointer. Like the real server, it ignores the text before the first slash.
// It returns nil for a text without a slash, and for a pointer that is deeper than any document.
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

func at(doc any, path pointer) (any, error) {
	if path == nil {
		return nil, errNoPath
	}
	for _, p := range path {
		switch d := doc.(type) {
		case object:
			var ok bool
			if doc, ok = d[p]; !ok {
				return nil, errNoPath
			}
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

// field returns the value at a path whose last element may be missing from an object:
// the real server tests and copies null then.
func field(doc any, path pointer) (any, error) {
	if last := len(path) - 1; last >= 0 {
		parent, err := at(doc, path[:last])
		if o, ok := parent.(object); ok && err == nil {
			return o[path[last]], nil
		}
	}
	return at(doc, path)
}

// position reads an index below size. A negative one counts from the end; -1 is the
// last. That is not in the RFC, but the real server does it.
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
