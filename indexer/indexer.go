package indexer

import (
	"fmt"

	"example.com/watchglass"
)

// Options are the settings of an indexer. The zero value works.
type Options struct {
	// KeyFunc computes the key under which an object is stored. Delete calls it too, and the object
	// may then be a tombstone, which a func of your own has to handle. Nil means
	// watchglass.MetaNamespaceKeyFunc, which handles tombstones.
	KeyFunc watchglass.KeyFunc
	// Indexers are the first indices. Nil means none; [Indexer.AddIndexers] can add more.
	Indexers Indexers
	// Trace is called with every change. Nil means that nothing is traced.
	Trace *Trace
}

// Indexer is the cache: it holds objects under their keys and finds them by the values of its
// indices. Make one with [New]. All methods may be called from any goroutine.
//
// Every write returns a *watchglass.KeyError if an object has no key, and then nothing has changed;
// and an [IndexError] if an IndexFunc refuses an object, and then the write was made.
type Indexer struct {
	keyFunc watchglass.KeyFunc // nil: MetaNamespaceKeyFunc
	trace   *Trace             // not nil
	objects *threadSafeMap[watchglass.Object]
}

// New returns an empty indexer. It panics if an IndexFunc is nil.
func New(o Options) *Indexer {
	ix := &Indexer{
		keyFunc: o.KeyFunc,
		trace:   o.Trace,
		objects: newThreadSafeMap(newIndices[watchglass.Object](o.Indexers)),
	}
	if ix.trace == nil {
		ix.trace = &Trace{}
	}
	return ix
}

// Add stores an object and replaces the one that has its key, if there is one. It does the same as
// Update, because a caller often can't know whether the object is stored already.
func (ix *Indexer) Add(obj watchglass.Object) error {
	_, _, err := ix.put("add", obj)
	return err
}

// Update stores an object, as Add does.
//
// Give it a new object, never the stored one with something changed in it. To learn where the
// indices hold the old object, Update calls each IndexFunc for it. If old and new are the same
// pointer, both calls return the new value, and the index sees no change: the old value still finds
// the object, and the new one never does.
func (ix *Indexer) Update(obj watchglass.Object) error {
	_, _, err := ix.put("update", obj)
	return err
}

// Swap stores an object, as Add does, and returns the object that it replaced and whether there was
// one. A caller that has to tell an add from an update uses it instead of Get and Add: it is one
// step that no other writer can interrupt, and half the work.
func (ix *Indexer) Swap(obj watchglass.Object) (old watchglass.Object, existed bool, err error) {
	return ix.put("swap", obj)
}

func (ix *Indexer) put(operation string, obj watchglass.Object) (
	old watchglass.Object, existed bool, err error,
) {
	key, err := ix.keyFunc.KeyOf(obj)
	if err != nil {
		return nil, false, fmt.Errorf("indexer: %s: %w", operation, err)
	}
	before, err := ix.objects.set(key, obj)
	if before.exists && ix.trace.Updated != nil {
		ix.trace.Updated(key, before.item, obj)
	}
	if !before.exists && ix.trace.Added != nil {
		ix.trace.Added(key, obj)
	}
	if err != nil {
		err = fmt.Errorf("indexer: %s: %w", operation, err)
	}
	return before.item, before.exists, err
}

// Delete removes the object that has the key of obj, also from every index. It is no error if there
// is none. obj may be a tombstone, or any other object with that key. The only error is a
// *watchglass.KeyError.
func (ix *Indexer) Delete(obj watchglass.Object) error {
	key, err := ix.keyFunc.KeyOf(obj)
	if err != nil {
		return fmt.Errorf("indexer: delete: %w", err)
	}
	before := ix.objects.remove(key)
	if before.exists && ix.trace.Deleted != nil {
		ix.trace.Deleted(key, before.item)
	}
	return nil
}

// Replace makes the list the whole content. If several objects have one key, the last one is
// stored. It does not keep the list; the resourceVersion is only passed to the trace.
func (ix *Indexer) Replace(list []watchglass.Object, resourceVersion string) error {
	objects := make(map[string]watchglass.Object, len(list))
	for _, obj := range list {
		key, err := ix.keyFunc.KeyOf(obj)
		if err != nil {
			return fmt.Errorf("indexer: replace: %w", err)
		}
		objects[key] = obj
	}
	n := len(objects) // from the next line on, other goroutines may write to the map
	err := ix.objects.replace(objects)
	if ix.trace.Replaced != nil {
		ix.trace.Replaced(n, resourceVersion)
	}
	if err != nil {
		return fmt.Errorf("indexer: replace: %w", err)
	}
	return nil
}

// AddIndexers adds indices and fills them with the stored objects. It may be called at any time; it
// locks the indexer until it has called every new IndexFunc for every object. If one of the names
// exists it returns [ErrIndexExists] and adds none. Objects that a new IndexFunc refuses are left
// out of that index, as in a write: the indices are added, and the error is an [IndexError]. It
// panics if an IndexFunc is nil.
func (ix *Indexer) AddIndexers(indexers Indexers) error {
	if err := ix.objects.addIndices(newIndices[watchglass.Object](indexers)); err != nil {
		return fmt.Errorf("indexer: add indexers: %w", err)
	}
	return nil
}
