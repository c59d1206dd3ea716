package indexer

import "example.com/watchglass"

// IndexFunc appends to values the values under which the index finds obj, and returns the extended
// slice. Most indices need one line:
//
//	return append(values, obj.(*Pod).NodeName), nil
//
// An object may have no value, one or many; a value that is there twice counts once. The slice
// values is empty, and the func must not keep it: its room saves an allocation per call. The func
// may return another slice, for example one that the object holds. The indexer copies the result,
// so it neither keeps nor changes that slice.
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
type IndexFunc func(values []string, obj watchglass.Object) ([]string, error)

// Indexers holds the IndexFunc of each index under the name of the index.
type Indexers map[string]IndexFunc

// NamespaceIndex is the usual name of the index by namespace.
const NamespaceIndex = "namespace"

// MetaNamespaceIndexFunc is the [IndexFunc] of the index by namespace. Cluster-scoped objects have
// the value "".
func MetaNamespaceIndexFunc(values []string, obj watchglass.Object) ([]string, error) {
	return append(values, obj.GetNamespace()), nil
}
