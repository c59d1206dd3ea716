// Fails: TestUpdateTouchesOnlyWhatChanges/a value that stays is left alone when another one changes
// If the values are the same, there is nothing to do. Otherwise the key is taken out of all sets and put into all.

// Package diff is exercise 4.2 of the workshop: an index that follows an update.
package diff

import "slices"

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
	if slices.Equal(slices.Sorted(slices.Values(from)), slices.Sorted(slices.Values(to))) {
		return
	}
	for _, value := range from {
		ix.remove(value, key)
	}
	for _, value := range to {
		ix.insert(value, key)
	}
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
