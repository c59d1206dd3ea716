// Package diff is exercise 4.2 of the workshop: an index that follows an update.
package diff

// An Index holds, for each value, the set of keys of the objects that have it, for example for each
// node the Pods on it. No set is empty.
type Index map[string]map[string]bool

// Update makes the index follow an update of the object under key: before, it had the values from,
// now it has the values to. from is nil for an object that is new, to for one that was deleted. A
// value is at most once in each.
//
// A value that is in both or in none is left alone. A set that loses its last key is removed, with
// its value. Update neither keeps the slices nor changes them.
func (ix Index) Update(key string, from, to []string) {
	panic("TODO")
}
