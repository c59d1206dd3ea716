package indexer

import (
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"example.com/watchglass"
)

// IndexFunc returns the values under which an index finds obj. Most indices need one line:
//
//	return []string{obj.(*Pod).NodeName}, nil
//
// An object may have no value, one or many; a value that is there twice counts once. The func may
// return a slice that the object holds: the indexer neither keeps nor changes it.
//
// An IndexFunc must be a pure function of the object: same object, same values. When an object is
// replaced or deleted, the IndexFunc is called again for the stored object, to learn where the
// index holds it. It is called with the cache locked, so it must be quick, and it must not call the
// indexer: that call would wait for the lock forever.
//
// For an object that does not belong in the index, the func returns no values and no error. An
// error means that the object should have a value, but the func cannot find out which. The object
// is then stored but left out of this index, and the write returns an [IndexError]. (client-go
// panics at this point, with the object stored and some of the indices updated.)
type IndexFunc func(obj watchglass.Object) ([]string, error)

// Indexers holds the IndexFunc of each index under the name of the index.
type Indexers map[string]IndexFunc

// NamespaceIndex is the usual name of the index by namespace.
const NamespaceIndex = "namespace"

// MetaNamespaceIndexFunc indexes an object by its namespace. Cluster-scoped objects have
// the value "". The caller must not change the slice: other objects share it.
func MetaNamespaceIndexFunc(obj watchglass.Object) ([]string, error) {
	return only(obj.GetNamespace()), nil
}

// only returns a slice that holds only value. Two slices for each update, one for the old object
// and one for the new, would be two of the five allocations that an update costs. So the latest
// slices are kept, each where the hash of its value says, and returned again.
func only(value string) []string {
	latest := &latestSlices[maphash.String(seed, value)%uint64(len(latestSlices))]
	if values := latest.Load(); values != nil && (*values)[0] == value {
		return *values
	}
	values := []string{value}
	latest.Store(&values)
	return values
}

var (
	latestSlices [2048]atomic.Pointer[[]string]
	seed         = maphash.MakeSeed()
)

// index is one index: a func that returns the values of an object, and the keys of the objects by
// value. It has no lock of its own: the indexer's guards it.
type index struct {
	name      string
	indexFunc IndexFunc

	// keys holds, for each value, the keys of the objects that have it. No set is empty: a value is
	// removed with its last object. Otherwise an index by something short-lived, such as a Job's
	// name or a Pod's IP, would grow for as long as the program runs.
	keys map[string]keySet

	// from and to belong to updateIndices and mean nothing between two calls. They are kept so that
	// an update has room for its values and need not allocate it.
	from, to []string
}

// keySet is a set of keys.
type keySet map[string]struct{}

func (x *index) insert(value, key string) {
	set := x.keys[value]
	if set == nil {
		set = keySet{}
		x.keys[value] = set
	}
	set[key] = struct{}{}
}

// remove does nothing if the index does not hold key under value, as happens when an object was
// changed in place.
func (x *index) remove(value, key string) {
	set := x.keys[value]
	delete(set, key)
	if len(set) == 0 {
		delete(x.keys, value)
	}
}

// indices are all the indices of an indexer, sorted by name, so that the errors of several indices
// are always in the same order. There are a handful, and every change goes through all of them, so
// they are a slice and not a map.
type indices []*index

// newIndices returns empty indices with these funcs. It panics if one of them is nil.
func newIndices(indexers Indexers) indices {
	var xs indices
	for _, name := range slices.Sorted(maps.Keys(indexers)) {
		if indexers[name] == nil {
			panic(fmt.Sprintf("indexer: the IndexFunc of index %q is nil", name))
		}
		xs = append(xs, &index{name: name, indexFunc: indexers[name], keys: map[string]keySet{}})
	}
	return xs
}

// find returns the index with that name, or nil.
func (xs indices) find(name string) *index {
	for _, x := range xs {
		if x.name == name {
			return x
		}
	}
	return nil
}

// merge returns all indices of both, which have no name in common.
func (xs indices) merge(others indices) indices {
	all := slices.Concat(xs, others)
	slices.SortFunc(all, byName)
	return all
}

func byName(a, b *index) int { return strings.Compare(a.name, b.name) }

// rebuilt returns indices with the same names and funcs over these objects, and leaves xs as it is.
// The error holds an *IndexError for each index that leaves objects out.
func (xs indices) rebuilt(items map[string]watchglass.Object) (indices, error) {
	fresh := make(indices, len(xs))
	errs := make([]error, len(xs))
	for i, x := range xs {
		fresh[i], errs[i] = x.rebuilt(items)
	}
	return fresh, errors.Join(errs...)
}

// rebuilt makes the sets as large as those of x: most of what a relist brings is stored already.
func (x *index) rebuilt(items map[string]watchglass.Object) (*index, error) {
	fresh := &index{x.name, x.indexFunc, make(map[string]keySet, len(x.keys)), nil, nil}
	var refused *IndexError // for the first key: the items come in a random order
	var values []string
	leftOut := 0
	for key, obj := range items {
		var err error
		if values, err = x.valuesOf(values, obj); err != nil {
			leftOut++
			if refused == nil || key < refused.Key {
				refused = &IndexError{Index: x.name, Key: key, Err: err}
			}
		}
		for _, value := range values {
			if fresh.keys[value] == nil {
				fresh.keys[value] = make(keySet, len(x.keys[value]))
			}
			fresh.keys[value][key] = struct{}{}
		}
	}
	if refused == nil {
		return fresh, nil // and not refused: a nil of its type would be an error that is not nil
	}
	refused.More = leftOut - 1
	return fresh, refused
}
