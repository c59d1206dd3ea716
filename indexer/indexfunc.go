package indexer

import "example.com/watchglass"

// IndexFunc answers an index's question for one object: the values under which it is to be found.
// There may be none or many; the same one twice counts once. The slice is not kept.
//
// It must be a pure function of the object: same object, same answer. It is called again when the
// object is replaced or deleted, to learn where the object was found until then. It runs with the
// store locked, so it must be quick and must not call the store.
//
// An error means that the object can't be stored, and nothing is changed. (client-go panics then,
// and leaves the object in the store and in some of the indices.) An object that is of no interest
// to the index is no error: it has no values.
type IndexFunc func(obj watchglass.Object) ([]string, error)

// Indexers holds the IndexFunc of each index under the name of the index.
type Indexers map[string]IndexFunc

// NamespaceIndex is the usual name of the index by namespace.
const NamespaceIndex = "namespace"

// MetaNamespaceIndexFunc is the [IndexFunc] of the index by namespace. Cluster-scoped objects are
// found under "".
func MetaNamespaceIndexFunc(obj watchglass.Object) ([]string, error) {
	return []string{obj.GetNamespace()}, nil
}
