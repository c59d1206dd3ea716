package deltafifo

import (
	"errors"
	"fmt"

	"example.com/watchglass"
)

// TransformFunc changes an object before it is queued, for instance to drop fields that no handler
// reads. It may modify the object in place, because it is the first to get it. It must be fast,
// because it runs under the queue's lock; it must give the same result when applied twice; and it
// must not change namespace and name, because the key is computed before.
//
// It is called once for every object of Add, Update, Delete and Replace. It is not called for
// tombstones and resynced objects, because these were transformed when they were first queued.
type TransformFunc func(obj watchglass.Object) (watchglass.Object, error)

var errNothingLeft = errors.New("the transform returned no object")

// Apply returns what a queue has to hold instead of an object that the producer sent: obj itself if
// the transform is nil or obj a tombstone, else what the transform returns. It fails if the
// transform does, or returns no object. It is short enough to be inlined, so that a queue without a
// transform pays for a comparison only.
func (transform TransformFunc) Apply(obj watchglass.Object) (watchglass.Object, error) {
	if transform == nil {
		return obj, nil
	}
	return transform.apply(obj)
}

// apply is Apply of a transform that is not nil.
func (transform TransformFunc) apply(obj watchglass.Object) (watchglass.Object, error) {
	if _, tombstone := obj.(DeletedFinalStateUnknown); tombstone {
		return obj, nil
	}
	transformed, err := transform(obj)
	if err == nil && transformed == nil {
		err = errNothingLeft
	}
	if err != nil {
		key, _ := watchglass.MetaNamespaceKeyFunc(obj)
		return nil, fmt.Errorf("transform %q: %w", key, err)
	}
	return transformed, nil
}
