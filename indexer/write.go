package indexer

import (
	"fmt"

	"example.com/watchglass"
)

// A Write is one write to an [Indexer], as a caller of [Indexer.Transaction] lists them. Every
// other write but Replace is a transaction of one.
type Write struct {
	Object watchglass.Object // the object to store or, if Delete is set, any object with the key
	Delete bool

	// Old and Existed are set by Transaction: what was stored before this write, and whether there
	// was anything.
	Old     watchglass.Object
	Existed bool
	// Err is set by Transaction. It is a *watchglass.KeyError if Object has no key, and then nothing
	// has changed; or an [IndexError] if an IndexFunc refuses Object, and then the write was made.
	Err error

	key  string
	made bool // the write was made, though an index may have refused the object
}

// Add stores an object and replaces the one that has its key, if there is one. It does the same as
// Update, because a caller often can't know whether the object is stored already. The errors are
// those of a [Write].
func (ix *Indexer) Add(obj watchglass.Object) error {
	return ix.write("add", Write{Object: obj}).Err
}

// Update stores an object, as Add does.
//
// Give it a new object, never the stored one with something changed in it. To learn where the
// indices hold the old object, Update calls each IndexFunc for it. If old and new are the same
// pointer, both calls return the new value, and the index sees no change: the old value still finds
// the object, and the new one never does.
func (ix *Indexer) Update(obj watchglass.Object) error {
	return ix.write("update", Write{Object: obj}).Err
}

// Swap stores an object, as Add does, and returns the object that it replaced and whether there was
// one. A caller that has to tell an add from an update uses it instead of GetByKey and Add: it is
// one step that no other writer can interrupt, and half the work.
func (ix *Indexer) Swap(obj watchglass.Object) (old watchglass.Object, existed bool, err error) {
	w := ix.write("swap", Write{Object: obj})
	return w.Old, w.Existed, w.Err
}

// Delete removes the object that has the key of obj, also from every index. It is no error if there
// is none. obj may be a tombstone, or any other object with that key. The only error is a
// *watchglass.KeyError.
func (ix *Indexer) Delete(obj watchglass.Object) error {
	return ix.write("delete", Write{Object: obj, Delete: true}).Err
}

// Transaction makes several writes in one step: readers see all of them or none, and wait for the
// lock once. The writes are made in their order, and may write a key several times. If a write
// fails, the others are made all the same; its Err says why. If an IndexFunc panics, the writes
// before it are kept, and the others are not made. Transaction does not keep the slice.
func (ix *Indexer) Transaction(writes []Write) { ix.transact("transaction", writes) }

// write makes a transaction of one write and returns it.
func (ix *Indexer) write(operation string, w Write) Write {
	writes := [1]Write{w}
	ix.transact(operation, writes[:])
	return writes[0]
}

func (ix *Indexer) transact(operation string, writes []Write) {
	for i := range writes {
		ix.prepare(&writes[i])
	}
	ix.makeAll(writes)
	for i := range writes {
		ix.report(operation, &writes[i])
	}
}

// prepare computes the key, without the lock: a KeyFunc is code of the caller. What an earlier
// transaction has set in a Write that is used again is gone.
func (ix *Indexer) prepare(w *Write) {
	*w = Write{Object: w.Object, Delete: w.Delete}
	w.key, w.Err = ix.keyFunc.KeyOf(w.Object)
}

func (ix *Indexer) makeAll(writes []Write) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for i := range writes {
		ix.makeLocked(&writes[i])
	}
}

// makeLocked is called with the lock held. The indices come first, because they call code of the
// caller: an IndexFunc that panics must find the items as they were.
func (ix *Indexer) makeLocked(w *Write) {
	if w.Err != nil {
		return
	}
	w.Old, w.Existed = ix.items[w.key]
	if w.Delete {
		_ = ix.updateIndices(w.key, w.Old, nil) // only a new object can be refused
		delete(ix.items, w.key)
	} else {
		w.Err = ix.updateIndices(w.key, w.Old, w.Object)
		ix.items[w.key] = w.Object
	}
	w.made = true
}

// report calls the trace, without the lock, and says in the error what was being done.
func (ix *Indexer) report(operation string, w *Write) {
	if w.made {
		ix.trace.wrote(w)
	}
	if w.Err != nil {
		w.Err = fmt.Errorf("indexer: %s: %w", operation, w.Err)
	}
}

// Replace makes the list the whole content. If several objects have one key, the last one is
// stored. It does not keep the list; the resourceVersion is only passed to the trace. The errors
// are those of a [Write]: if one object has no key, nothing has changed.
func (ix *Indexer) Replace(list []watchglass.Object, resourceVersion string) error {
	items := make(map[string]watchglass.Object, len(list))
	for _, obj := range list {
		key, err := ix.keyFunc.KeyOf(obj)
		if err != nil {
			return fmt.Errorf("indexer: replace: %w", err)
		}
		items[key] = obj
	}
	n := len(items) // from the next line on, other goroutines may write to the map
	err := ix.replaceAll(items)
	if ix.trace.Replaced != nil {
		ix.trace.Replaced(n, resourceVersion)
	}
	if err != nil {
		return fmt.Errorf("indexer: replace: %w", err)
	}
	return nil
}

// replaceAll keeps the map.
func (ix *Indexer) replaceAll(items map[string]watchglass.Object) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	fresh, err := ix.indices.rebuilt(items)
	ix.items, ix.indices = items, fresh
	return err
}
