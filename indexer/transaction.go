package indexer

import (
	"fmt"

	"example.com/watchglass"
)

// A Write is one write of an [Indexer.Transaction].
type Write struct {
	Object watchglass.Object // the object to store or, if Delete is set, any object with the key
	Delete bool

	// Old and Existed are set by Transaction: what was stored before this write, and whether there
	// was anything.
	Old     watchglass.Object
	Existed bool
	// Err is set by Transaction, to the error that Swap or Delete would have returned.
	Err error

	key  string
	made bool // the write was made, though an index may have refused the object
}

// Transaction makes several writes in one step: readers see all of them or none, and wait for the
// lock once. The writes are made in their order, and may write a key several times. If a write
// fails, the others are made all the same; its Err says why. If an IndexFunc panics, the writes
// before it are kept, and the others are not made. Transaction does not keep the slice.
func (ix *Indexer) Transaction(writes []Write) {
	for i := range writes {
		w := &writes[i]
		w.key, w.Err = ix.keyFunc.KeyOf(w.Object)
	}
	ix.objects.inOneStep(func() {
		for i := range writes {
			if w := &writes[i]; w.Err == nil {
				w.apply(ix.objects)
			}
		}
	})
	for i := range writes {
		w := &writes[i]
		ix.tell(w)
		if w.Err != nil {
			w.Err = fmt.Errorf("indexer: transaction: %w", w.Err)
		}
	}
}

// apply is called with the map's lock held.
func (w *Write) apply(m *threadSafeMap[watchglass.Object]) {
	var before state[watchglass.Object]
	w.made = true
	if w.Delete {
		before = m.removeLocked(w.key)
	} else {
		before, w.Err = m.setLocked(w.key, w.Object)
	}
	w.Old, w.Existed = before.item, before.exists
}

// tell calls the trace for a write. The lock is not held.
func (ix *Indexer) tell(w *Write) {
	switch {
	case w.Delete && w.Existed && ix.trace.Deleted != nil:
		ix.trace.Deleted(w.key, w.Old)
	case !w.Delete && w.Existed && ix.trace.Updated != nil:
		ix.trace.Updated(w.key, w.Old, w.Object)
	case !w.Delete && !w.Existed && w.made && ix.trace.Added != nil:
		ix.trace.Added(w.key, w.Object)
	}
}
