package patch

import (
	"fmt"
	"maps"
	"slices"
)

// A Step is one operation of a JSON patch, RFC 6902.
type Step struct {
	op    string
	path  pointer
	from  pointer
	value any
}

// MaxSteps is how many operations one patch may have, and maxCopied roughly how many
// bytes they may copy: an operation that copies a document into itself doubles it, so
// a few dozen of them would fill any memory. Both are the real server's limits.
const (
	MaxSteps  = 10_000
	maxCopied = 3 << 20
)

// ParseSteps reads the steps of a JSON patch from its decoded JSON, v. unknown lists
// the fields that operations do not have, by paths such as "[0].oops"; such fields are
// ignored. Errors have the real server's words; more than MaxSteps steps are a
// *LimitError.
func ParseSteps(v any) (steps []Step, unknown []string, err error) {
	if v == nil { // null is a patch without operations
		return nil, nil, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, nil, fmt.Errorf("json: cannot unmarshal %s into Go value of type "+
			"[]handlers.jsonPatchOp", TypeName(v))
	}
	if len(list) > MaxSteps {
		return nil, nil, &LimitError{fmt.Sprintf("The allowed maximum operations in a JSON "+
			"patch is %d, got %d", MaxSteps, len(list))}
	}
	steps = make([]Step, len(list))
	for i, e := range list {
		o, ok := e.(object)
		if !ok && e != nil {
			return nil, nil, fmt.Errorf("json: cannot unmarshal %s into Go value of type "+
				"handlers.jsonPatchOp", TypeName(e))
		}
		more, err := checkStep(o)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range more {
			unknown = append(unknown, fmt.Sprintf("[%d].%s", i, name))
		}
		steps[i] = newStep(o)
	}
	return steps, unknown, nil
}

// checkStep checks the types of an operation's fields, in the order of their names,
// and returns the names of the unknown ones.
func checkStep(o object) (unknown []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		switch v := o[name]; name {
		case "op", "path", "from":
			if _, ok := v.(string); !ok && v != nil {
				return nil, fmt.Errorf("json: cannot unmarshal %s into Go struct field "+
					"jsonPatchOp.%s of type string", TypeName(v), name)
			}
		case "value":
		default:
			unknown = append(unknown, name)
		}
	}
	return unknown, nil
}

func newStep(o object) Step {
	op, _ := o["op"].(string)
	return Step{op: op, path: parsePointer(o["path"]), from: parsePointer(o["from"]),
		value: o["value"]}
}
