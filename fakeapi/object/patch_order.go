package object

import (
	"cmp"
	"slices"
	"sort"

	"example.com/watchglass/fakeapi/status"
)

// ordered merges a list of a patch for which a $setElementOrder directive names the order.
func (m *merger) ordered(p *part, target, change Tree, field string, named any) error {
	was, there := target[field]
	given, isGiven := change[field]
	wanted, ok := named.([]any)
	before, isList := was.([]any)
	list, isToo := given.([]any)
	if !ok || there && !isList || isGiven && !isToo {
		return status.InternalError("$setElementOrder/%.100s: expected a list, but received %s", field,
			cmp.Or(notList(named), notList(was), notList(given)))
	}
	if !there && !isGiven {
		return nil
	}
	key := ""
	if p != nil {
		key = p.key
	}
	if err := checkOrder(list, wanted, key); err != nil {
		return err
	}
	before = slices.Clip(before) // see without
	merged := before
	if there && isGiven {
		var err error
		if merged, err = m.list(p, before, list, false); err != nil {
			return err
		}
	} else if isGiven {
		v, _ := withoutDirectives(list)
		merged = v.([]any)
	}
	if err := sameType(before, list); err != nil {
		return err
	}
	for _, e := range wanted {
		if o, isObject := e.(Tree); isObject != (key != "") || isObject && o[key] == nil {
			return noKey(e, key)
		}
	}
	for _, e := range slices.Concat(before, merged) {
		if _, isObject := e.(Tree); isObject && key == "" {
			return noKey(e, key) // only lists that are merged have an order
		}
	}
	target[field] = inOrder(merged, wanted, before, key)
	delete(change, field)
	return nil
}

// notList returns the type of a value that is not a list, "" if it is one.
func notList(v any) string {
	if _, ok := v.([]any); ok {
		return ""
	}
	return TypeName(v)
}

// checkOrder returns an error unless the elements of a patch, but for those that it deletes, are
// among those that the directive names, in their order.
func checkOrder(list, wanted []any, key string) error {
	if len(list) == 0 || len(wanted) == 0 {
		return nil
	}
	rest := wanted
	for _, e := range list {
		o, _ := e.(Tree)
		if d, isMarked := o[directive]; key != "" && isMarked && (d == "delete" || len(rest) > 0) {
			continue
		}
		id := keyOf(e, key)
		i := slices.IndexFunc(rest, func(w any) bool { return keyOf(w, key) == id })
		if i < 0 {
			return status.InternalError("The order in patch list:\n%.256s\n doesn't match %s list:\n"+
				"%.256s\n", Text(list), "$setElementOrder", Text(wanted))
		}
		rest = rest[i+1:]
	}
	return nil
}

// inOrder returns a list in the order of wanted. The elements that are not in it have their order
// in before, and stay in front of the element that they were in front of, as far as that is
// possible: all others come after those that are wanted.
func inOrder(list, wanted, before []any, key string) []any {
	will, was := placesOf(wanted, key), placesOf(before, key)
	var named, others []any
	for _, e := range list {
		if _, ok := will[keyOf(e, key)]; ok {
			named = append(named, e)
		} else {
			others = append(others, e)
		}
	}
	sortBy(named, will, key)
	sortBy(others, was, key)
	all := make([]any, 0, len(list))
	for len(named)+len(others) > 0 {
		from := &named
		if len(named) == 0 || len(others) > 0 &&
			precedes(was, keyOf(others[0], key), keyOf(named[0], key)) {
			from = &others
		}
		all, *from = append(all, (*from)[0]), (*from)[1:]
	}
	return all
}

// sortBy sorts a list by the places of its elements. One without a place goes before all others: it
// is what the real algorithm does, with the same sort.
func sortBy(list []any, places map[any]int, key string) {
	sort.SliceStable(list, func(i, j int) bool {
		a, known := places[keyOf(list[i], key)]
		b, both := places[keyOf(list[j], key)]
		return !known || !both || a < b
	})
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
