package deltafifo

import (
	"fmt"

	"example.com/watchglass"
)

// TransformFunc changes an object before it is queued, for instance to drop fields that no handler
// reads. It may modify the object in place, because it is the first to get it. It must be fast,
// because it runs under the queue's lock; it must give the same result when applied twice. If it
// fails, or gives the object another key, for example another name, the object is left as it is in
// the cache, and the queue returns a *watchglass.Unusable.
//
// It is called once for every object of Add, Update, Delete and Replace. It is not called for
// tombstones and resynced objects, because these were transformed when they were first queued.
type TransformFunc func(obj watchglass.Object) (watchglass.Object, error)

// apply returns what a queue has to hold instead of an object that the producer sent: obj itself if
// the transform is nil or obj a tombstone, else what the transform returns. keyOf computes keys.
// Nothing can be held of an object that is unusable already, or becomes so: because the transform
// fails, or returns no object, or one with another key. That would be queued under one key and
// stored under another, so the next list would not find it and delete it, and its own deletion
// would not.
func (transform TransformFunc) apply(
	obj watchglass.Object, keyOf watchglass.KeyFunc,
) (watchglass.Object, *watchglass.Unusable) {
	if unusable, ok := obj.(*watchglass.Unusable); ok {
		return nil, unusable
	}
	if _, tombstone := obj.(DeletedFinalStateUnknown); tombstone || transform == nil {
		return obj, nil
	}
	// All this is read before the call, because a transform may change obj in place.
	namespace, name, version := obj.GetNamespace(), obj.GetName(), obj.GetResourceVersion()
	key, err := keyOf.KeyOf(obj)
	var transformed watchglass.Object
	if err == nil {
		transformed, err = transform(obj)
	}
	if err == nil {
		err = sameKey(transformed, key, keyOf)
	}
	if err != nil {
		err = fmt.Errorf("transform: %w", err)
		return nil, &watchglass.Unusable{
			Namespace: namespace, Name: name, ResourceVersion: version, Err: err,
		}
	}
	return transformed, nil
}

// sameKey returns an error if a transformed object does not have the key that it had before. A
// nil pointer is not an object: its methods would panic on the producer's goroutine.
func sameKey(obj watchglass.Object, before string, keyOf watchglass.KeyFunc) error {
	if watchglass.IsNil(obj) {
		obj = nil
	}
	key, err := keyOf.KeyOf(obj)
	if err == nil && key != before {
		err = fmt.Errorf("the object has the key %q now: want it unchanged", key)
	}
	return err
}
