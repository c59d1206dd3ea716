package indexer

import "example.com/watchglass"

// A Write is one write of an [Indexer.Transaction].
type Write struct {
	Object watchglass.Object // the object to store or, if Delete is set, any object with the key
	Delete bool

	// Old is set by Transaction: what was stored before this write, nil if there was nothing.
	Old watchglass.Object
	// Err is set by Transaction. It is a *watchglass.KeyError if Object has no key, and then nothing
	// has changed; or an [IndexError] if an IndexFunc refuses Object, and then the write was made.
	Err error

	key string
}

// Transaction makes several writes in one step: readers see all of them or none, and wait for the
// lock once. The writes are made in their order, and may write a key several times. If a write
// fails, the others are made all the same; its Err says why. If an IndexFunc panics, the writes
// before it are kept, and the others are not made. Transaction does not keep the slice.
func (ix *Indexer) Transaction(writes []Write) {
	for i := range writes {
		w := &writes[i]
		w.key, w.Err = ix.keyFunc.KeyOf(w.Object)
		w.Old = nil // the slice may have been used before
	}
	ix.storeAll(writes)
	for i := range writes {
		w := &writes[i]
		if IsStored(w.Err) {
			ix.trace.wrote(w.key, w.Old, w.stored())
		}
		w.Err = failed("transaction", w.Err)
	}
}

func (ix *Indexer) storeAll(writes []Write) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for i := range writes {
		if w := &writes[i]; w.Err == nil {
			w.Old, w.Err = ix.store(w.key, w.stored())
		}
	}
}

// stored returns what is stored after the write, nil for a deletion.
func (w *Write) stored() watchglass.Object {
	if w.Delete {
		return nil
	}
	return w.Object
}
