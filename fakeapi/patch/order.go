package patch

import (
	"cmp"
	"fmt"
	"slices"
)

// sorter returns the function that puts a list in the order that a $setElementOrder directive
// names. Clients name all elements that they know of. Others come after them: a real server would
// keep them before the element that they came before.
func sorter(present any, field string, directive any) (func([]any), error) {
	wanted, ok := directive.([]any)
	if !ok {
		return nil, fmt.Errorf("$setElementOrder/%.100s is not a list", field)
	}
	before, _ := present.([]any)
	key := mergeKey(field, wanted, before)
	places := placesOf(wanted, key)
	place := func(e any) int {
		if i, named := places[keyOf(e, key)]; named {
			return i
		}
		return len(wanted)
	}
	return func(list []any) {
		slices.SortStableFunc(list, func(a, b any) int { return cmp.Compare(place(a), place(b)) })
	}, nil
}

// keyOf returns what identifies an element of a list: its key, which may be nil, or itself if
// lists of that name have no key.
func keyOf(e any, key string) any {
	if key != "" {
		o, _ := e.(object)
		e = o[key]
	}
	return identity(e)
}

// placesOf returns the index of each element of a list, of the first one with a key.
func placesOf(list []any, key string) map[any]int {
	places := make(map[any]int, len(list))
	for i, e := range slices.Backward(list) {
		places[keyOf(e, key)] = i
	}
	return places
}
