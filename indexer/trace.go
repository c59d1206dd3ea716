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

// complete returns the trace with a func that does nothing for each that is nil, so that the code
// that calls them need not ask. t may be nil.
func (t *Trace) complete() Trace {
	full := Trace{
		Added:    func(string, watchglass.Object) {},
		Updated:  func(string, watchglass.Object, watchglass.Object) {},
		Deleted:  func(string, watchglass.Object) {},
		Replaced: func(int, string) {},
	}
	if t == nil {
		return full
	}
	if t.Added != nil {
		full.Added = t.Added
	}
	if t.Updated != nil {
		full.Updated = t.Updated
	}
	if t.Deleted != nil {
		full.Deleted = t.Deleted
	}
	if t.Replaced != nil {
		full.Replaced = t.Replaced
	}
	return full
}
