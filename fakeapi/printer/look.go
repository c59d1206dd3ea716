package printer

import (
	"maps"
	"slices"
	"strings"
)

// The functions below read values of objects whose shape no schema has checked. They
// return zero for a value that is missing or has another type. Paths are dots and keys.

func lookup(o object, path string) any {
	var v any = o
	for key := range strings.SplitSeq(strings.TrimPrefix(path, "."), ".") {
		o, _ := v.(object)
		v = o[key]
	}
	return v
}

func textAt(o object, path string) string {
	v := lookup(o, path)
	if v == nil {
		return ""
	}
	return text(v)
}

func intAt(o object, path string) int64 {
	v := lookup(o, path)
	n, _ := v.(int64)
	return n
}

func objectAt(o object, path string) object {
	v := lookup(o, path)
	found, _ := v.(object)
	return found
}

func listAt(o object, path string) []any {
	v := lookup(o, path)
	l, _ := v.([]any)
	return l
}

// objectsAt returns those elements of a list that are objects.
func objectsAt(o object, path string) []object {
	var all []object
	for _, e := range listAt(o, path) {
		if found, ok := e.(object); ok {
			all = append(all, found)
		}
	}
	return all
}

// pairs returns labels as people write them: a=1,b=2.
func pairs(labels object) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		all = append(all, key+"="+text(labels[key]))
	}
	return strings.Join(all, ",")
}
