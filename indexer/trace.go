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
	// Replaced says that the whole content was replaced, and how many objects there are now.
	Replaced func(objects int, resourceVersion string)
}

// complete returns a copy in which no func is nil, so that the code that calls them need not ask. t
// may be nil.
func (t *Trace) complete() *Trace {
	full := &Trace{}
	if t != nil {
		*full = *t
	}
	if full.Added == nil {
		full.Added = func(string, watchglass.Object) {}
	}
	if full.Updated == nil {
		full.Updated = func(string, watchglass.Object, watchglass.Object) {}
	}
	if full.Deleted == nil {
		full.Deleted = func(string, watchglass.Object) {}
	}
	if full.Replaced == nil {
		full.Replaced = func(int, string) {}
	}
	return full
}
