package deltafifo

import (
	"strings"

	"example.com/watchglass"
)

// DeletedFinalStateUnknown is a tombstone. It is the object of a [Deleted] delta if the watch did
// not report the deletion: the object was queued or known, and a list did not contain it. All
// changes between the last state that was seen and the deletion were missed.
//
// It is itself an Object, so stages pass it on without a special case. Handlers must expect it: a
// type assertion to their own type fails on it, which is the most frequent panic among users of
// informers. It is always passed by value.
type DeletedFinalStateUnknown struct {
	// Key is the key under which the object was queued and stored.
	Key string
	// Obj is the last state that was seen, which may be long outdated. It is nil if the state could
	// not be looked up.
	Obj watchglass.Object
}

// GetNamespace returns the namespace in Key. Obj may be nil, so only the key is certain.
func (t DeletedFinalStateUnknown) GetNamespace() string {
	namespace, _ := t.split()
	return namespace
}

// GetName returns the name in Key, or the whole Key if it is not of the form namespace/name.
func (t DeletedFinalStateUnknown) GetName() string {
	_, name := t.split()
	return name
}

// GetResourceVersion returns "". The version of Obj is not that of the deletion, which is unknown.
func (t DeletedFinalStateUnknown) GetResourceVersion() string { return "" }

// split returns a namespace and a name from which watchglass.MetaNamespaceKeyFunc makes the same
// key again, whatever the key looks like. Otherwise a store could not find what to delete.
func (t DeletedFinalStateUnknown) split() (namespace, name string) {
	namespace, name, _ = strings.Cut(t.Key, "/")
	if namespace == "" || name == "" {
		return "", t.Key
	}
	return namespace, name
}

// DeletionHandlingKeyFunc returns a KeyFunc that handles tombstones: it returns the key that they
// hold, and keyFunc.KeyOf for every other object. A store with a key func of its own needs it,
// because a tombstone has none of the fields from which that func might compute a key. A nil
// keyFunc means watchglass.MetaNamespaceKeyFunc. The error is a *watchglass.KeyError.
func DeletionHandlingKeyFunc(keyFunc watchglass.KeyFunc) watchglass.KeyFunc {
	return func(obj watchglass.Object) (string, error) {
		if gone, ok := obj.(DeletedFinalStateUnknown); ok {
			return gone.Key, nil
		}
		return keyFunc.KeyOf(obj)
	}
}
