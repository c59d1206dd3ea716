package object

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MergePatch applies a JSON merge patch, RFC 7396, and returns the result: objects are merged
// key by key, null removes a key, and any other value replaces the old one. It alters target and
// change, of which parts become parts of the result.
func MergePatch(target, change any) any {
	p, ok := change.(Tree)
	if !ok {
		return change
	}
	t, ok := target.(Tree)
	if !ok {
		dropNulls(p)
		return p
	}
	for k, v := range p {
		if v == nil {
			delete(t, k)
			continue
		}
		t[k] = MergePatch(t[k], v)
	}
	return t
}

// dropNulls removes what a merge patch leaves out where there is nothing to merge it with.
func dropNulls(p Tree) {
	maps.DeleteFunc(p, func(_ string, v any) bool {
		if o, ok := v.(Tree); ok {
			dropNulls(o)
		}
		return v == nil
	})
}

// mergeKeys are the lists of built-in types that a strategic merge patch merges
// element by element, each with the field that identifies an element. The real server
// reads them from the patchMergeKey tags of its types. A server without types goes by
// the list's name, which is enough for the groups core and apps.
var mergeKeys = map[string]string{
	"containers": "name", "initContainers": "name", "ephemeralContainers": "name",
	"volumes": "name", "env": "name", "volumeMounts": "mountPath",
	"volumeDevices": "devicePath", "imagePullSecrets": "name", "hostAliases": "ip",
	"topologySpreadConstraints": "topologyKey", "resourceClaims": "name",
	"conditions": "type", "ownerReferences": "uid", "secrets": "name",
	"addresses": "type", "taints": "key",
}

// mergeKey returns the key field of a list. Ports are identified differently in
// services and in containers.
func mergeKey(field string, elements ...[]any) string {
	if field != "ports" {
		return mergeKeys[field]
	}
	for _, list := range elements {
		for _, e := range list {
			if o, ok := e.(Tree); ok && o["containerPort"] != nil {
				return "containerPort"
			}
		}
	}
	return "port"
}

// unionLists names the lists of plain values that are merged as sets.
var unionLists = []string{"finalizers", "podCIDRs"}

// StrategicPatch applies a strategic merge patch and returns the result. Its directives are $patch,
// $retainKeys, $deleteFromPrimitiveList/… and $setElementOrder/…. Like MergePatch, it alters target
// and change. A directive that the real server does not know and a list element without its key are
// errors; a patch that names the same elements again and again is a *LimitError.
func StrategicPatch(target, change map[string]any) (map[string]any, error) {
	return new(merger).merge(target, change)
}

// A merger applies one strategic merge patch.
type merger struct {
	again int // how many elements were merged once more
}

// maxAgain limits how often a patch may name an element of a list that it has named before. Each
// time all lists within that element are indexed anew, and a patch of 3 MB can name one a hundred
// thousand times.
const maxAgain = 100

// merge merges an object of a patch into target. Nil means that there is none: then change itself
// becomes the result.
func (m *merger) merge(target, change Tree) (result Tree, err error) {
	switch d, _ := change["$patch"].(string); d {
	case "", "merge":
	case "replace":
		delete(change, "$patch")
		return change, nil
	case "delete":
		return Tree{}, nil
	default:
		return nil, fmt.Errorf("invalid value in $patch: %.100q", d)
	}
	if result = target; target == nil {
		result = change
	}
	// Clients use it to switch from one member of a union to another.
	if keys, ok := change["$retainKeys"].([]any); ok && target != nil {
		keep := identities(keys)
		maps.DeleteFunc(result, func(field string, _ any) bool { return !keep[field] })
	}
	// In order: $ sorts before letters, so a list loses its elements before others are merged.
	sorts := map[string]func(list []any){}
	for _, field := range slices.Sorted(maps.Keys(change)) {
		v := change[field]
		if target == nil {
			delete(change, field)
		}
		list, isOrder := strings.CutPrefix(field, "$setElementOrder/")
		switch {
		case isOrder:
			sorts[list], err = sorter(target[list], list, v)
		case target != nil || !strings.HasPrefix(field, "$"):
			err = m.field(result, field, v)
		}
		if err != nil {
			return nil, err
		}
	}
	for field, sort := range sorts {
		if list, ok := result[field].([]any); ok {
			sort(list)
		}
	}
	return result, nil
}

// field merges one field of a patch into target.
func (m *merger) field(target Tree, field string, v any) (err error) {
	if list, found := strings.CutPrefix(field, "$deleteFromPrimitiveList/"); found {
		deletePlain(target, list, v)
		return nil
	} else if strings.HasPrefix(field, "$") {
		return nil
	}
	switch v := v.(type) {
	case nil:
		delete(target, field)
	case Tree:
		old, _ := target[field].(Tree)
		target[field], err = m.merge(old, v)
	case []any:
		old, _ := target[field].([]any)
		target[field], err = m.list(field, old, v)
	default:
		target[field] = v
	}
	return err
}

// list returns the new value of a field that is a list in the patch.
func (m *merger) list(field string, old, change []any) (any, error) {
	key, isSet := mergeKey(field, change, old), slices.Contains(unionLists, field)
	if !isSet && (key == "" || slices.ContainsFunc(change, isReplace)) {
		return slices.DeleteFunc(change, isDirective), nil
	}
	if old == nil {
		old = []any{} // a nil slice would be stored as null
	}
	if isSet {
		return union(old, change), nil
	}
	return m.keyed(old, change, key)
}

func deletePlain(target Tree, field string, values any) {
	old, _ := target[field].([]any)
	gone, _ := values.([]any)
	if old == nil {
		return
	}
	drop := identities(gone)
	target[field] = slices.DeleteFunc(old, func(o any) bool { return drop[identity(o)] })
}

func union(old, more []any) []any {
	there := identities(old)
	for _, v := range more {
		if id := identity(v); !there[id] {
			there[id] = true
			old = append(old, v)
		}
	}
	return old
}

// isReplace reports whether e is {"$patch":"replace"}: then the patch's list takes the place
// of the old one.
func isReplace(e any) bool { return isDirective(e) && e.(Tree)["$patch"] == "replace" }

func isDirective(e any) bool {
	o, _ := e.(Tree)
	return len(o) == 1 && o["$patch"] != nil
}

// keyed merges lists of objects: elements marked $patch: delete are removed first, then
// elements with the same key are merged and new ones appended. The lists are indexed by
// key: comparing each element with each would take minutes for lists of 3 MB.
func (m *merger) keyed(old, change []any, key string) (any, error) {
	old, err := withoutDeleted(old, change, key)
	if err != nil {
		return nil, err
	}
	place, merged := placesOf(old, key), map[any]bool{}
	for _, e := range change {
		p := e.(Tree)
		id := identity(p[key])
		i, there := place[id]
		switch {
		case p["$patch"] == "delete":
		case !there:
			place[id] = len(old)
			delete(p, "$patch")
			old = append(old, p)
		default:
			if merged[id] {
				m.again++
			}
			if merged[id] = true; m.again > maxAgain {
				return nil, &LimitError{fmt.Sprintf("the patch names list elements more than %d times "+
					"that it has named before, for one with %s %.100s", maxAgain, key, fmt.Sprint(p[key]))}
			}
			if old[i], err = m.merge(old[i].(Tree), p); err != nil {
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
		p, _ := e.(Tree)
		if p[key] == nil {
			return nil, fmt.Errorf("map: %.256s does not contain declared merge key: %s", fmt.Sprint(e), key)
		}
		if p["$patch"] == "delete" {
			gone[identity(p[key])] = true
		}
	}
	return slices.DeleteFunc(old, func(e any) bool {
		return len(gone) > 0 && gone[keyOf(e, key)]
	}), nil
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
