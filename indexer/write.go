package indexer

import (
	"fmt"
	"maps"
	"slices"

	"example.com/watchglass"
)

// store stores an object under a key or, if obj is nil, removes what is stored there. It returns
// what was stored before, nil if there was nothing. Every other write but Replace comes down to it.
//
// It is called with the lock held. The indices come first, because they call code of the caller: an
// IndexFunc that panics must find the items as they were.
func (ix *Indexer) store(key string, obj watchglass.Object) (old watchglass.Object, err error) {
	old = ix.items[key]
	err = ix.updateIndices(key, old, obj)
	if obj == nil {
		delete(ix.items, key)
	} else {
		ix.items[key] = obj
	}
	return old, err
}

// Add stores an object and replaces the one that has its key, if there is one. It does the same as
// Update, because a caller often can't know whether the object is stored already. The errors are
// those of a [Write].
func (ix *Indexer) Add(obj watchglass.Object) error {
	_, err := ix.write("add", obj, obj)
	return err
}

// Update stores an object, as Add does.
//
// Give it a new object, never the stored one with something changed in it. To learn where the
// indices hold the old object, Update calls each IndexFunc for it. If old and new are the same
// pointer, both calls return the new value, and the index sees no change: the old value still finds
// the object, and the new one never does.
func (ix *Indexer) Update(obj watchglass.Object) error {
	_, err := ix.write("update", obj, obj)
	return err
}

// Swap stores an object, as Add does, and returns the object that it replaced, nil if there was
// none. A caller that has to tell an add from an update uses it instead of GetByKey and Add: it is
// one step that no other writer can interrupt, and half the work.
func (ix *Indexer) Swap(obj watchglass.Object) (old watchglass.Object, err error) {
	return ix.write("swap", obj, obj)
}

// Delete removes the object that has the key of obj, also from every index. It is not an error if
// there is none. obj may be a tombstone, or any other object with that key. The only error is a
// *watchglass.KeyError.
func (ix *Indexer) Delete(obj watchglass.Object) error {
	_, err := ix.write("delete", obj, nil)
	return err
}

// write stores obj under the key of keyed, or removes what is stored there if obj is nil. It
// computes the key and calls the trace without the lock: both are code of the caller.
func (ix *Indexer) write(
	operation string, keyed, obj watchglass.Object,
) (old watchglass.Object, err error) {
	key, err := ix.keyFunc.KeyOf(keyed)
	if err == nil {
		old, err = ix.lockAndStore(key, obj)
		ix.trace.wrote(key, old, obj)
	}
	return old, failed(operation, err)
}

func (ix *Indexer) lockAndStore(key string, obj watchglass.Object) (watchglass.Object, error) {
	ix.mu.Lock()
	defer ix.mu.Unlock() // deferred, because an IndexFunc may panic
	return ix.store(key, obj)
}

// failed says in an error, unless it is nil, what was being done.
func failed(operation string, err error) error {
	if err != nil {
		err = fmt.Errorf("indexer: %s: %w", operation, err)
	}
	return err
}

// Replace makes the list the whole content. If several objects have one key, the last one is
// stored. It does not keep the list; the resourceVersion is only passed to the trace. The errors
// are those of a [Write]: if one object has no key, nothing has changed.
func (ix *Indexer) Replace(list []watchglass.Object, resourceVersion string) error {
	items := make(map[string]watchglass.Object, len(list))
	for _, obj := range list {
		key, err := ix.keyFunc.KeyOf(obj)
		if err != nil {
			return failed("replace", err)
		}
		items[key] = obj
	}
	var content []watchglass.Object
	if ix.trace.Replaced != nil { // after replaceAll, other goroutines may write to the map
		content = slices.Collect(maps.Values(items))
	}
	err := ix.replaceAll(items)
	if ix.trace.Replaced != nil {
		ix.trace.Replaced(content, resourceVersion)
	}
	return failed("replace", err)
}

// replaceAll keeps the map.
func (ix *Indexer) replaceAll(items map[string]watchglass.Object) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	fresh, err := ix.indices.rebuilt(items)
	ix.items, ix.indices = items, fresh
	return err
}
