package patch

import (
	"errors"
	"strconv"
	"strings"
)

// A pointer is a JSON pointer, RFC 6901: "/a~1b/c" is ["a/b", "c"], and "" is the
// empty list, which points to the whole document. Nil points nowhere.
type pointer []string

// errNoPath: a patch names a value that is not there.
var errNoPath = errors.New("the path does not exist")

// parsePointer splits a pointer. Like the real server, it ignores the text before the
// first slash. It returns nil for a text without a slash, and for a pointer that is
// deeper than any document.
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

// at returns the value at a path.
func at(doc any, path pointer) (any, error) {
	if path == nil {
		return nil, errNoPath
	}
	for _, p := range path {
		switch d := doc.(type) {
		case object:
			v, ok := d[p]
			if !ok {
				return nil, errNoPath
			}
			doc = v
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
