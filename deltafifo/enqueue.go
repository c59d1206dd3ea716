package deltafifo

import (
	"errors"
	"fmt"

	"example.com/watchglass"
)

// TransformFunc changes an object before it is queued, for instance to drop fields that nobody will
// read. It may modify the object in place: nobody else has seen it yet. It must be fast, because it
// runs under the queue's lock; it must give the same result when applied twice; and it must not
// change the identity of the object, whose key is computed before.
//
// It sees every object once: those of Add, Update, Delete and Replace. It does not see tombstones
// and resynced objects, for these have been transformed when they came in.
type TransformFunc func(obj watchglass.Object) (watchglass.Object, error)

var errNothingLeft = errors.New("the transform returned no object")

// Add queues an [Added] delta. It fails if the object has no key or the transform fails; then
// nothing is queued.
func (f *DeltaFIFO) Add(obj watchglass.Object) error { return f.event("add", Added, obj) }

// Update queues an [Updated] delta. It fails as Add does.
func (f *DeltaFIFO) Update(obj watchglass.Object) error { return f.event("update", Updated, obj) }

// event queues what a watch says. It marks the queue as populated first, come what may: a watch
// that speaks before any list means that there will be no list to wait for.
func (f *DeltaFIFO) event(operation string, t DeltaType, obj watchglass.Object) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.markPopulated()
	key, err := f.KeyOf(obj)
	if err == nil {
		err = f.enqueueObject(key, t, obj)
	}
	if err != nil {
		return fmt.Errorf("deltafifo: %s: %w", operation, err)
	}
	return nil
}

// Delete queues a [Deleted] delta, unless the object is neither queued nor known: then there is
// nobody who would have to be told. It fails as Add does. The object may be a tombstone.
//
// A deletion that is ignored still counts as a sign of life (see [DeltaFIFO.HasSynced]); one
// without a key does not.
func (f *DeltaFIFO) Delete(obj watchglass.Object) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	key, err := f.KeyOf(obj)
	if err != nil {
		return fmt.Errorf("deltafifo: delete: %w", err)
	}
	f.markPopulated()
	if !f.exists(key) {
		if f.trace.Ignored != nil {
			f.trace.Ignored(key, Delta{Deleted, obj})
		}
		return nil
	}
	if err := f.enqueueObject(key, Deleted, obj); err != nil {
		return fmt.Errorf("deltafifo: delete: %w", err)
	}
	return nil
}

// exists says whether a deletion of key is news to the consumer. Queued counts: an object may be
// added and deleted before the consumer has stored it. So does a failed look-up, because a deletion
// too many is harmless and one too few leaves an object in the store for good.
func (f *DeltaFIFO) exists(key string) bool {
	if _, queued := f.items[key]; queued {
		return true
	}
	if f.known == nil {
		return false
	}
	_, known, err := f.known.GetByKey(key)
	return known || err != nil
}

// enqueueObject transforms an object that comes from outside, and queues it under key.
func (f *DeltaFIFO) enqueueObject(key string, t DeltaType, obj watchglass.Object) error {
	_, tombstone := obj.(DeletedFinalStateUnknown)
	if f.transform != nil && !tombstone {
		transformed, err := f.transform(obj)
		if err == nil && transformed == nil {
			err = errNothingLeft
		}
		if err != nil {
			return fmt.Errorf("transform %q: %w", key, err)
		}
		obj = transformed
	}
	f.enqueue(key, Delta{t, obj})
	return nil
}

// enqueue is the only way in for news: it adds d to what is pending for key, and puts the key at
// the end of the queue if it is not in it already. A key that is already queued keeps its place.
func (f *DeltaFIFO) enqueue(key string, d Delta) {
	pending, queued := f.items[key]
	if f.merge(key, pending, d) {
		return
	}
	pending = append(pending, d)
	f.items[key] = pending
	if !queued {
		f.lineUp(key)
	}
	if f.trace.Queued != nil {
		f.trace.Queued(key, d, pending)
	}
}

// lineUp puts a key that is in items at the end of the queue.
func (f *DeltaFIFO) lineUp(key string) {
	f.queue.push(key)
	f.length.Add(1)
	f.mostItems = max(f.mostItems, len(f.items))
	f.arrived.Signal() // one key, one Pop
}

// merge makes one of two deletions in a row, in place: what is gone can't go again. It says whether
// there were two. Nothing else is ever merged. In particular two updates stay two: what is between
// them may be what the consumer is waiting for.
func (f *DeltaFIFO) merge(key string, pending Deltas, d Delta) bool {
	last := pending.Newest()
	if last == nil || last.Type != Deleted || d.Type != Deleted {
		return false
	}
	kept, dropped := betterDeletion(*last, d)
	*last = kept
	if f.trace.Merged != nil {
		f.trace.Merged(key, kept, dropped)
	}
	return true
}

// betterDeletion returns of two deletions the one that knows more: a real final state is better
// than a tombstone, and otherwise the first is as good as the second.
func betterDeletion(older, newer Delta) (kept, dropped Delta) {
	if _, tombstone := older.Object.(DeletedFinalStateUnknown); tombstone {
		return newer, older
	}
	return older, newer
}
