package deltafifo

import (
	"strings"

	"example.com/watchglass"
)

// DeletedFinalStateUnknown is a tombstone. It stands in a [Deleted] delta where the deletion was
// not seen but concluded: the object was known, and a list came back without it. Whatever happened
// to it between the last state we have and its end was missed.
//
// It is itself an Object, so stages carry it without a special case. Handlers must be ready for it:
// a type assertion to their own type fails on it, the oldest and most frequent panic among users of
// informers. It is always passed by value.
type DeletedFinalStateUnknown struct {
	// Key is the key under which the object was queued and stored.
	Key string
	// Obj is the last state anybody here has seen, possibly long outdated. It is nil if the state
	// could not be looked up any more.
	Obj watchglass.Object
}

// GetNamespace returns the namespace as far as the key tells it. The key is all that is certain.
func (t DeletedFinalStateUnknown) GetNamespace() string {
	namespace, _ := t.split()
	return namespace
}

// GetName returns the name as far as the key tells it.
func (t DeletedFinalStateUnknown) GetName() string {
	_, name := t.split()
	return name
}

// GetResourceVersion returns "": the version of Obj is not the one it was deleted at.
func (t DeletedFinalStateUnknown) GetResourceVersion() string { return "" }

// split undoes watchglass.MetaNamespaceKeyFunc in such a way that applying it again gives the same
// key back, whatever the key looks like. Otherwise a store could not find what to delete.
func (t DeletedFinalStateUnknown) split() (namespace, name string) {
	namespace, name, _ = strings.Cut(t.Key, "/")
	if namespace == "" || name == "" {
		return "", t.Key
	}
	return namespace, name
}

// DeletionHandlingKeyFunc returns a KeyFunc that knows tombstones: for these it returns their key,
// for everything else it asks keyFunc. A store that is given a key func of its own needs it, for a
// tombstone has none of the fields from which that func might compute a key. A nil keyFunc means
// watchglass.MetaNamespaceKeyFunc.
func DeletionHandlingKeyFunc(keyFunc watchglass.KeyFunc) watchglass.KeyFunc {
	if keyFunc == nil {
		keyFunc = watchglass.MetaNamespaceKeyFunc
	}
	return func(obj watchglass.Object) (string, error) {
		if gone, ok := obj.(DeletedFinalStateUnknown); ok {
			return gone.Key, nil
		}
		return keyFunc(obj)
	}
}
