package patch

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// mergeKeys are the lists of built-in types that a strategic merge patch merges
// element by element, and the field that identifies an element. The real server
// knows them from the types' patchMergeKey tags; a server without types knows
// them by the list's name, which is enough for core and apps.
var mergeKeys = map[string]string{
	"containers": "name", "initContainers": "name", "ephemeralContainers": "name",
	"volumes": "name", "env": "name", "volumeMounts": "mountPath",
	"volumeDevices": "devicePath", "imagePullSecrets": "name", "hostAliases": "ip",
	"topologySpreadConstraints": "topologyKey", "resourceClaims": "name",
	"conditions": "type", "ownerReferences": "uid", "secrets": "name",
	"addresses": "type", "taints": "key",
}

// mergeKey is the key field of a list. Ports are identified differently in
// services and in containers.
func mergeKey(field string, elements ...[]any) string {
	if field != "ports" {
		return mergeKeys[field]
	}
	for _, list := range elements {
		for _, e := range list {
			if o, ok := e.(object); ok && o["containerPort"] != nil {
				return "containerPort"
			}
		}
	}
	return "port"
}

// unionLists are lists of plain values that are merged as sets.
var unionLists = []string{"finalizers", "podCIDRs"}

// Strategic applies a strategic merge patch, Kubernetes' own extension of
// merge patches: a merge patch that also merges lists of objects by a key field
// and understands the directives $patch, $retainKeys, $setElementOrder/… and
// $deleteFromPrimitiveList/…. It alters target and change, and parts of change become
// parts of the result. What the real server would not understand is an error.
func Strategic(target, change map[string]any) (map[string]any, error) {
	if target == nil {
		target = object{}
	}
	switch d, _ := change["$patch"].(string); d {
	case "":
	case "replace":
		return without(change, "$patch"), nil
	case "delete":
		return object{}, nil
	case "merge":
	default:
		return nil, fmt.Errorf("invalid value in $patch: %q", d)
	}
	retain(target, change)
	// In order, for what is deleted from a list has to be gone before the rest is merged.
	for _, field := range slices.Sorted(maps.Keys(change)) {
		v := change[field]
		switch {
		case strings.HasPrefix(field, "$deleteFromPrimitiveList/"):
			deletePlain(target, strings.TrimPrefix(field, "$deleteFromPrimitiveList/"), v)
		case strings.HasPrefix(field, "$"):
		case v == nil:
			delete(target, field)
		default:
			merged, err := strategicField(field, target[field], v)
			if err != nil {
				return nil, err
			}
			target[field] = merged
		}
	}
	return target, nil
}

// strategicField is the new value of one field.
func strategicField(field string, old, patch any) (any, error) {
	switch p := patch.(type) {
	case object:
		t, _ := old.(object)
		return Strategic(t, p)
	case []any:
		o, _ := old.([]any)
		if o == nil {
			o = []any{} // a nil slice would be stored as null
		}
		if slices.Contains(unionLists, field) {
			return union(o, p), nil
		}
		if key := mergeKey(field, p, o); key != "" {
			return mergeList(o, p, key)
		}
		return slices.DeleteFunc(p, isDirective), nil
	}
	return patch, nil
}

// mergeList merges lists of objects: elements with the same key are merged, new
// ones appended, and those marked $patch: delete removed.
func mergeList(old, patch []any, key string) (any, error) {
	if slices.ContainsFunc(patch, isReplace) {
		return slices.DeleteFunc(patch, isDirective), nil
	}
	for _, e := range patch {
		p, ok := e.(object)
		if !ok || p[key] == nil {
			return nil, fmt.Errorf("map: %v does not contain declared merge key: %s", e, key)
		}
		i := slices.IndexFunc(old, func(o any) bool {
			t, ok := o.(object)
			return ok && reflect.DeepEqual(t[key], p[key])
		})
		switch {
		case p["$patch"] == "delete":
			if i >= 0 {
				old = slices.Delete(old, i, i+1)
			}
		case i < 0:
			old = append(old, without(p, "$patch"))
		default:
			merged, err := Strategic(old[i].(object), p)
			if err != nil {
				return nil, err
			}
			old[i] = merged
		}
	}
	return old, nil
}

// isReplace: the element {"$patch":"replace"} says that the patch's list takes
// the place of the old one.
func isReplace(e any) bool {
	o, ok := e.(object)
	return ok && len(o) == 1 && o["$patch"] == "replace"
}

func isDirective(e any) bool {
	o, ok := e.(object)
	return ok && len(o) == 1 && o["$patch"] != nil
}

func without(t object, key string) object {
	delete(t, key)
	return t
}

// retain drops from target what a $retainKeys directive does not list: how a
// client switches between members of a union.
func retain(target, patch object) {
	keep, ok := patch["$retainKeys"].([]any)
	if !ok {
		return
	}
	for k := range target {
		if !slices.Contains(keep, any(k)) {
			delete(target, k)
		}
	}
}

func union(old, more []any) []any {
	for _, v := range more {
		if !slices.ContainsFunc(old, func(o any) bool { return reflect.DeepEqual(o, v) }) {
			old = append(old, v)
		}
	}
	return old
}

func deletePlain(target object, field string, values any) {
	old, _ := target[field].([]any)
	drop, _ := values.([]any)
	if old != nil {
		target[field] = slices.DeleteFunc(old, func(o any) bool {
			return slices.ContainsFunc(drop, func(d any) bool { return reflect.DeepEqual(o, d) })
		})
	}
}
