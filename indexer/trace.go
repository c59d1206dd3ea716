package indexer

import "example.com/watchglass"

// Trace is a set of funcs that an indexer calls when the cache has changed. Any of them may be nil.
//
// They are called by the goroutine that made the change, after it and with the lock released, so
// they may read the indexer. With several writers, the order of the calls may differ from that of
// the changes.
type Trace struct {
	// Added says that an object is stored whose key was not stored before.
	Added func(key string, obj watchglass.Object)
	// Updated says that newObj has replaced oldObj. They may be the same object.
	Updated func(key string, oldObj, newObj watchglass.Object)
	// Deleted says that obj is no longer stored. It is the stored object, not a tombstone.
	Deleted func(key string, obj watchglass.Object)
	// Replaced says that these objects, in no order, are the whole content now.
	Replaced func(objects []watchglass.Object, resourceVersion string)
}

// wrote reports that obj is stored in the place of old. Nil means no object.
func (trace *Trace) wrote(key string, old, obj watchglass.Object) {
	switch {
	case old == nil && obj == nil: // the deletion of an object that was not stored
	case old == nil && trace.Added != nil:
		trace.Added(key, obj)
	case obj == nil && trace.Deleted != nil:
		trace.Deleted(key, old)
	case old != nil && obj != nil && trace.Updated != nil:
		trace.Updated(key, old, obj)
	}
}
