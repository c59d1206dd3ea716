package patch

import (
	"encoding/json"
	"fmt"
	"slices"
)

// keyed merges lists of objects: elements marked $patch: delete are removed first, then
// elements with the same key are merged and new ones appended. The lists are indexed by
// key: comparing each element with each would take minutes for lists of 3 MB.
func (m *merger) keyed(old, change []any, key string) (any, error) {
	old, err := withoutDeleted(old, change, key)
	if err != nil {
		return nil, err
	}
	place := make(map[any]int, len(old)) // of the first element with a key
	for i, e := range slices.Backward(old) {
		if o, ok := e.(object); ok && o[key] != nil {
			place[identity(o[key])] = i
		}
	}
	for _, e := range change {
		p := e.(object)
		id := identity(p[key])
		i, there := place[id]
		switch {
		case p["$patch"] == "delete":
		case !there:
			place[id] = len(old)
			old = append(old, without(p, "$patch"))
		default:
			if old[i], err = m.object(old[i].(object), p); err != nil {
				return nil, err
			}
		}
	}
	return old, nil
}

// withoutDeleted returns old without the elements that change deletes by their key. An element
// of change without a key is an error.
func withoutDeleted(old, change []any, key string) ([]any, error) {
	gone := map[any]bool{}
	for _, e := range change {
		p, ok := e.(object)
		if !ok || p[key] == nil {
			return nil, fmt.Errorf("map: %.256s does not contain declared merge key: %s",
				fmt.Sprint(e), key)
		}
		if p["$patch"] == "delete" {
			gone[identity(p[key])] = true
		}
	}
	if len(gone) == 0 {
		return old, nil
	}
	return slices.DeleteFunc(old, func(e any) bool {
		o, ok := e.(object)
		return ok && o[key] != nil && gone[identity(o[key])]
	}), nil
}

// identity returns a comparable value that is the same for two JSON values if and only if they
// are equal: the value itself, or for a list or an object its JSON.
func identity(v any) any {
	type composite string // differs from a string with the same text
	switch v.(type) {
	case object, []any:
		b, err := json.Marshal(v)
		if err != nil {
			return composite(fmt.Sprint(v))
		}
		return composite(b)
	}
	return v
}

func identities(values []any) map[any]bool {
	set := make(map[any]bool, len(values))
	for _, v := range values {
		set[identity(v)] = true
	}
	return set
}
