package object

import (
	"cmp"
	"fmt"
	"slices"
)

// sorter returns the function that puts a list in the order that a $setElementOrder directive
// names, after change has been merged into present. Clients name all elements that they know of.
// Others stay before the element that they came before, as far as that is possible.
func sorter(present any, field string, directive any) (func([]any), error) {
	wanted, ok := directive.([]any)
	if !ok {
		return nil, fmt.Errorf("$setElementOrder/%.100s is not a list", field)
	}
	before, _ := present.([]any)
	key := mergeKey(field, wanted, before)
	was, will := placesOf(before, key), placesOf(wanted, key)
	return func(list []any) {
		var named, others []any
		for _, e := range list {
			if _, ok := will[keyOf(e, key)]; ok {
				named = append(named, e)
			} else {
				others = append(others, e)
			}
		}
		slices.SortStableFunc(named, func(a, b any) int {
			return cmp.Compare(will[keyOf(a, key)], will[keyOf(b, key)])
		})
		for i := range list {
			from := &named
			if len(named) == 0 || len(others) > 0 &&
				precedes(was, keyOf(others[0], key), keyOf(named[0], key)) {
				from = &others
			}
			list[i], *from = (*from)[0], (*from)[1:]
		}
	}, nil
}

// precedes reports whether one element is known to come before another.
func precedes(places map[any]int, a, b any) bool {
	i, known := places[a]
	j, both := places[b]
	return known && both && i < j
}

// keyOf returns what identifies an element of a list: its key, which may be nil, or itself if
// lists of that name have no key.
func keyOf(e any, key string) any {
	if key != "" {
		o, _ := e.(Tree)
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
