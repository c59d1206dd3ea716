// Fails: TestUpdate/an object is found by its new value and no longer by the old one
// The key is added under its new values, and stays under the old ones.

// Package diff is exercise 4.2 of the workshop: an index that follows an update.
package diff

// An Index holds, for each value, the set of keys of the objects that have it, for example for each
// node the Pods on it. No set is empty.
type Index map[string]map[string]bool

// Update makes the index follow an update of the object under key: before, it had the values from,
// now it has the values to. from is nil for an object that is new, to for one that was deleted. A
// value is at most once in each.
//
// A value that is in both is left alone. A set that loses its last key is removed, with its value.
// Update neither keeps the slices nor changes them.
func (ix Index) Update(key string, from, to []string) {
	for _, value := range to {
		if !has(from, value) {
			ix.insert(value, key)
		}
	}
}

func has(values []string, value string) bool {
	for _, v := range values {
		if v == value {
			return true
		}
	}
	return false
}

func (ix Index) remove(value, key string) {
	delete(ix[value], key)
	if len(ix[value]) == 0 {
		delete(ix, value)
	}
}

func (ix Index) insert(value, key string) {
	if ix[value] == nil {
		ix[value] = map[string]bool{}
	}
	ix[value][key] = true
}
