package fakeapi

import (
	"fmt"
	"strings"
)

// A patchStep is one operation of a JSON patch, RFC 6902.
type patchStep struct {
	op    string
	path  pointer
	from  pointer
	value any
}

// jsonPatchOp is the schema of an operation.
var jsonPatchOp = objectType{"jsonPatchOp", map[string]fieldType{
	"op": aString, "path": aString, "from": aString, "value": anyOf}}

// maxPatchSteps is how many operations one patch may have, and maxPatchCopies how
// many bytes, about, they may copy: a copy that doubles a document, repeated,
// would fill any memory. Both are the real server's limits.
const (
	maxPatchSteps  = 10_000
	maxPatchCopies = 3 << 20
)

// parseJSONPatch decodes a patch, which is known to be JSON.
func parseJSONPatch(body []byte) (patch, error) {
	steps, unknown, err := decodeSteps(body)
	if err != nil {
		return patch{}, badRequest("error decoding patch: %v", err)
	}
	if n := len(steps); n > maxPatchSteps {
		return patch{}, tooLarge(fmt.Sprintf(
			"The allowed maximum operations in a JSON patch is %d, got %d", maxPatchSteps, n))
	}
	flaws := append(duplicates(body), unknownFields(unknown)...)
	for i, f := range flaws {
		flaws[i] = "json patch " + f
	}
	return patch{flaws: flaws, apply: func(present tree) (tree, error) {
		v, err := applyJSONPatch(present, steps)
		t, ok := v.(tree)
		if err != nil || !ok || isDeeper(t, maxDepth) {
			return nil, rejected()
		}
		return t, nil
	}}, nil
}

func decodeSteps(body []byte) (steps []patchStep, unknown []string, err error) {
	v, err := decodeValue(body)
	if err != nil || v == nil { // null is a patch without operations
		return nil, nil, err
	}
	list, ok := v.([]any)
	if !ok {
		return nil, nil, fmt.Errorf("json: cannot unmarshal %s into Go value of type "+
			"[]handlers.jsonPatchOp", jsonType(v))
	}
	f := &fitter{}
	for i, e := range list {
		o, ok := e.(tree)
		if !ok && e != nil {
			return nil, nil, fmt.Errorf("json: cannot unmarshal %s into Go value of type "+
				"handlers.jsonPatchOp", jsonType(e))
		}
		if err := f.object(jsonPatchOp, place{path: fmt.Sprintf("[%d]", i)}, o); err != nil {
			return nil, nil, err
		}
		steps = append(steps, newStep(o))
	}
	return steps, f.unknown, nil
}

func newStep(o tree) patchStep {
	op, _ := o["op"].(string)
	return patchStep{op: op, path: parsePointer(o["path"]), from: parsePointer(o["from"]),
		value: o["value"]}
}

// A pointer is a JSON pointer, RFC 6901: "/a~1b/c" is ["a/b", "c"], and "" the
// empty list, the whole document. Nil is no pointer, and points nowhere.
type pointer []string

// maxDepth is how deep a document may be nested. Nothing deeper can be decoded, but
// a patch that copies a deep value into itself could make it.
const maxDepth = 10_000

// isDeeper says whether v has more than so many levels. It looks no further down
// than it has to.
func isDeeper(v any, levels int) bool {
	switch v := v.(type) {
	case tree:
		if levels == 0 {
			return true
		}
		for _, e := range v {
			if isDeeper(e, levels-1) {
				return true
			}
		}
	case []any:
		if levels == 0 {
			return true
		}
		for _, e := range v {
			if isDeeper(e, levels-1) {
				return true
			}
		}
	}
	return false
}

// parsePointer splits a pointer. Like the real server it does not look at what
// precedes the first slash. One that leads deeper than any document goes nowhere.
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
