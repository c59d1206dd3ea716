package object

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/status"
)

// StrategicPatch applies a strategic merge patch to an object of a type and returns the result. Its
// directives are $patch, $retainKeys, $deleteFromPrimitiveList/… and $setElementOrder/…. Like
// MergePatch, it alters target and change. The error is a *status.Status, or a *LimitError for a
// patch that names the same elements again and again.
func StrategicPatch(typ *Type, target, change Tree) (Tree, error) {
	result, err := new(merger).object(patchListsOf(typ), target, change)
	return cleaned(result), err
}

// A merger applies one strategic merge patch.
type merger struct {
	again int // how many elements were merged once more
}

// maxAgain limits how often a patch may name an element of a list that it has named before. Each
// time all lists within that element are indexed anew, and a patch of 3 MB can name one a hundred
// thousand times.
const maxAgain = 100

// The directives of a patch.
const (
	directive       = "$patch"
	retainKeys      = "$retainKeys"
	deleteFromList  = "$deleteFromPrimitiveList/"
	setElementOrder = "$setElementOrder/"
)

func isDirective(field string) bool {
	return field == directive || field == retainKeys || strings.HasPrefix(field, deleteFromList) ||
		strings.HasPrefix(field, setElementOrder)
}

// errRetainKeys is for a malformed patch that a real server answers with 400. It answers others
// with 500.
var errRetainKeys = status.BadRequest("invalid patch format of retainKeys")

// object merges an object of a patch into target.
func (m *merger) object(p *part, target, change Tree) (Tree, error) {
	if d, ok := change[directive]; ok {
		switch d {
		case "replace":
			delete(change, directive)
			return change, nil
		case "delete":
			return Tree{}, nil
		}
		return nil, status.InternalError("unknown patch type: %v in map: %v", d, change)
	}
	if err := keepOnly(target, change); err != nil {
		return nil, err
	}
	// In order: $ sorts before letters, so a list loses its elements before others are merged.
	fields := slices.Sorted(maps.Keys(change))
	for _, field := range fields {
		if list, ok := strings.CutPrefix(field, setElementOrder); ok {
			if err := m.ordered(p.at(list), target, change, list, change[field]); err != nil {
				return nil, err
			}
		}
	}
	for _, field := range fields {
		v, there := change[field]
		if !there || strings.HasPrefix(field, setElementOrder) {
			continue // it was merged in its order
		}
		if err := m.field(p, target, field, v); err != nil {
			return nil, err
		}
	}
	return target, nil
}

// keepOnly obeys $retainKeys: clients use it to switch from one member of a union to another.
func keepOnly(target, change Tree) error {
	named, ok := change[retainKeys]
	if !ok {
		return nil
	}
	delete(change, retainKeys)
	list, ok := named.([]any)
	if !ok {
		return errRetainKeys
	}
	keep := identities(list)
	for field, v := range change {
		if v != nil && !isDirective(field) && !keep[field] {
			return errRetainKeys
		}
	}
	maps.DeleteFunc(target, func(field string, _ any) bool { return !keep[field] })
	return nil
}

// field merges one field of a patch into target.
func (m *merger) field(p *part, target Tree, field string, v any) (err error) {
	field, isDeletion := strings.CutPrefix(field, deleteFromList)
	if v == nil {
		delete(target, field)
		return nil
	}
	old := target[field]
	oldObject, hasObject := old.(Tree)
	oldList, hasList := old.([]any)
	switch v := v.(type) {
	case Tree:
		if hasObject && !isDeletion {
			target[field], err = m.object(p.at(field), oldObject, v)
			return err
		}
	case []any:
		if hasList {
			target[field], err = m.list(p.at(field), oldList, v, isDeletion)
			return err
		}
	}
	if isDeletion {
		return nil // there is nothing to delete from
	}
	if v, keep := withoutDirectives(v); keep {
		target[field] = v
	} else {
		delete(target, field)
	}
	return nil
}

// list merges a list of a patch into an old one, or replaces it.
func (m *merger) list(p *part, old, change []any, isDeletion bool) ([]any, error) {
	switch {
	case !p.isMerged() && !isDeletion:
		return change, nil
	case len(old)+len(change) == 0:
		return old, nil
	}
	if err := sameType(old, change); err != nil {
		return nil, err
	}
	_, ofObjects := slices.Concat(old, change)[0].(Tree)
	switch {
	case ofObjects && (p == nil || p.key == ""):
		return nil, status.InternalError("cannot merge lists without merge key")
	case ofObjects:
		return m.keyed(p, old, change)
	case isDeletion:
		drop := identities(change)
		return slices.DeleteFunc(old, func(v any) bool { return drop[identity(v)] }), nil
	}
	return inOrder(union(old, change), change, old, ""), nil
}

// union returns the values of both lists, each once.
func union(old, more []any) (all []any) {
	there := make(map[any]bool, len(old)+len(more))
	for _, v := range slices.Concat(old, more) {
		if id := identity(v); !there[id] {
			there[id] = true
			all = append(all, v)
		}
	}
	return all
}

// keyed merges lists of objects: elements marked $patch: delete are removed first, then elements
// with the same key are merged and new ones added. The lists are indexed by key: comparing each
// element with each would take minutes for lists of 3 MB.
func (m *merger) keyed(p *part, old, change []any) ([]any, error) {
	old, change, err := obeyed(old, change, p.key)
	if err != nil {
		return nil, err
	}
	merged, place, seen := old, placesOf(old, p.key), map[any]bool{}
	for _, e := range change {
		e := e.(Tree)
		id := identity(e[p.key])
		i, there := place[id]
		if !there {
			place[id] = len(merged)
			merged = append(merged, e)
			continue
		}
		if seen[id] {
			m.again++
		}
		if seen[id] = true; m.again > maxAgain {
			return nil, &LimitError{fmt.Sprintf("the patch names list elements more than %d times "+
				"that it has named before, for one with %s %.100s", maxAgain, p.key, fmt.Sprint(e[p.key]))}
		}
		if merged[i], err = m.object(p, merged[i].(Tree), e); err != nil {
			return nil, err
		}
	}
	return inOrder(merged, change, old, p.key), nil
}

// obeyed obeys the directives among the elements of a patch, and returns the two lists that are
// left to be merged. With $patch: replace, there is only the list of the patch.
func obeyed(old, change []any, key string) (left, rest []any, err error) {
	gone, replace := []any{}, false
	for _, e := range change {
		e := e.(Tree)
		d, isMarked := e[directive]
		if e[key] == nil && d != "replace" {
			return nil, nil, noKey(e, key)
		}
		switch {
		case !isMarked:
			rest = append(rest, e)
		case d == "delete":
			gone = append(gone, identity(e[key]))
		case d == "replace":
			replace = true
		case d == "merge":
			return nil, nil, status.InternalError("merging lists cannot yet be specified in the patch")
		default:
			return nil, nil, status.InternalError("unknown patch type: %v in map: %v", d, e)
		}
	}
	if replace {
		return rest, nil, nil
	}
	return without(old, gone, key), rest, nil
}

func noKey(e any, key string) error {
	return status.InternalError("map: %.256s does not contain declared merge key: %s",
		fmt.Sprint(e), key)
}

// without removes the elements with some keys. It does what the real algorithm does to the array
// behind the list, because $setElementOrder looks at all of it: that removes one element at a time
// and moves those behind it, so that each time the last one stays behind at the end.
func without(old, gone []any, key string) []any {
	rank := map[any]int{} // when a key is removed
	for i, id := range gone {
		if _, again := rank[id]; !again {
			rank[id] = i
		}
	}
	var removed []int // indices, in the order of their removal
	for i, e := range old {
		if _, ok := rank[keyOf(e, key)]; ok {
			removed = append(removed, i)
		}
	}
	slices.SortStableFunc(removed, func(a, b int) int {
		return cmp.Compare(rank[keyOf(old[a], key)], rank[keyOf(old[b], key)])
	})
	behind, isGone, last := make([]any, len(removed)), map[int]bool{}, len(old)-1
	for n, i := range removed {
		for isGone[last] {
			last--
		}
		behind[n], isGone[i] = old[last], true
	}
	left := old[:0]
	for i, e := range old {
		if !isGone[i] {
			left = append(left, e)
		}
	}
	for n, e := range behind {
		old[len(old)-1-n] = e
	}
	return left
}

// sameType returns an error unless all elements have one type, which is not that of lists.
func sameType(lists ...[]any) error {
	all := slices.Concat(lists...)
	if len(all) == 0 {
		return status.InternalError("no elements in any of the given slices")
	}
	for _, v := range all {
		if _, isList := v.([]any); isList {
			return status.Failure(422, "lists of lists are not supported", nil)
		}
		if TypeName(v) != TypeName(all[0]) {
			return status.InternalError("list element types are not identical: %.256s", fmt.Sprint(lists))
		}
	}
	return nil
}

// withoutDirectives removes the objects and the elements that a $patch marks, from a value that
// there is nothing to merge with. keep is false if it is such an object itself.
func withoutDirectives(v any) (_ any, keep bool) {
	switch v := v.(type) {
	case Tree:
		if _, isMarked := v[directive]; isMarked {
			return nil, false
		}
		for field, e := range v {
			if v[field], keep = withoutDirectives(e); !keep {
				delete(v, field)
			}
		}
	case []any:
		kept := make([]any, 0, len(v)) // not in place: see ordered, which needs the old list
		for _, e := range v {
			if e, keep := withoutDirectives(e); keep {
				kept = append(kept, e)
			}
		}
		return kept, true
	}
	return v, true
}

// cleaned removes nulls, and directives that were not obeyed, from a result. A real server decodes
// it into a struct, which has neither.
func cleaned[T any](v T) T {
	switch v := any(v).(type) {
	case Tree:
		maps.DeleteFunc(v, func(field string, e any) bool {
			cleaned(e)
			return e == nil || isDirective(field)
		})
	case []any:
		for _, e := range v {
			cleaned(e)
		}
	}
	return v
}

// identity returns a comparable value that is the same for two JSON values if and only if they
// are equal: the value itself, or for a list or an object its JSON.
func identity(v any) any {
	type composite string // differs from a string with the same text
	switch v.(type) {
	case Tree, []any:
		b, _ := json.Marshal(v) // it was decoded from JSON
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
