package deltafifo

import (
	"fmt"

	"example.com/watchglass"
)

// Add queues an [Added] delta. It fails if the object has no key or cannot be used, because the
// transform fails for example; then nothing is queued. The error is a *watchglass.KeyError or a
// *watchglass.Unusable.
func (f *DeltaFIFO) Add(obj watchglass.Object) error { return f.event("add", Added, obj) }

// Update queues an [Updated] delta. It fails as Add does.
func (f *DeltaFIFO) Update(obj watchglass.Object) error { return f.event("update", Updated, obj) }

// Delete queues a [Deleted] delta, unless the object is neither queued nor known: then the consumer
// has nothing to delete. The object may be a tombstone. It fails as Add does, but the deletion of
// an object that cannot be used is queued nevertheless, with a tombstone: its key is known.
//
// A deletion that is ignored still counts as an event for [DeltaFIFO.HasSynced]; a deletion without
// a key does not.
func (f *DeltaFIFO) Delete(obj watchglass.Object) error { return f.event("delete", Deleted, obj) }

// event queues what a watch reports. It marks the queue as populated even if it fails then, because
// an event before any list means that there will be no list to wait for. Only a deletion without a
// key does not, as in client-go.
func (f *DeltaFIFO) event(operation string, t DeltaType, obj watchglass.Object) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	key, err := f.KeyOf(obj)
	if err == nil || t != Deleted {
		f.progress.event()
	}
	switch {
	case err != nil:
	case t == Deleted && !f.exists(key):
		if f.trace.Ignored != nil {
			f.trace.Ignored(key, Delta{t, obj}, f.state())
		}
	default:
		if unusable := f.enqueueObject(key, t, obj); unusable != nil {
			err = unusable
		}
	}
	if err != nil {
		return fmt.Errorf("deltafifo: %s: %w", operation, err)
	}
	return nil
}

// exists says whether the consumer has stored the object, will store it, or may have stored it. It
// will if the key is queued: an object may be added and deleted before the consumer has stored it.
// It may have if the look-up fails: a superfluous deletion is harmless, and a missing one would
// leave the object in the store for good.
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

// enqueueObject transforms an object of the producer, and queues it under key, unless it cannot be
// used.
func (f *DeltaFIFO) enqueueObject(
	key string, t DeltaType, obj watchglass.Object,
) *watchglass.Unusable {
	obj, unusable := f.transform.apply(obj, f.keyFunc)
	switch {
	case unusable == nil:
		f.enqueue(key, Delta{t, obj})
	case t == Deleted:
		f.enqueue(key, f.tombstone(key))
	}
	return unusable
}

// tombstone returns the deletion of an object whose last state is not at hand: it has the newest
// one that is queued, or else the known one. If the look-up fails, it has only the key.
func (f *DeltaFIFO) tombstone(key string) Delta {
	var last watchglass.Object
	if pending, queued := f.items[key]; queued {
		last = pending.Newest().Object
	} else if f.known != nil {
		last, _, _ = f.known.GetByKey(key)
	}
	if gone, ok := last.(DeletedFinalStateUnknown); ok {
		last = gone.Obj // a tombstone in a tombstone would hide the state
	}
	return Delta{Deleted, DeletedFinalStateUnknown{key, last}}
}

// enqueue adds d to what is pending for key, and puts the key at the end of the queue if it is not
// queued yet. A key that is already queued keeps its place.
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
		f.trace.Queued(key, d, pending, f.state())
	}
}

// lineUp puts a key that is in items at the end of the queue.
func (f *DeltaFIFO) lineUp(key string) {
	f.queue = append(f.queue, key)
	f.length.Add(1)
	f.mostItems = max(f.mostItems, len(f.items))
	f.arrived.Signal() // one key, one Pop
}

// merge merges two deletions in a row into one, in place, and says whether there were two. Nothing
// else is ever merged. In particular two updates stay two: the state between them may be the one
// that the consumer is waiting for.
func (f *DeltaFIFO) merge(key string, pending Deltas, d Delta) bool {
	last := pending.Newest()
	if last == nil || last.Type != Deleted || d.Type != Deleted {
		return false
	}
	kept, dropped := betterDeletion(*last, d)
	*last = kept
	if f.trace.Merged != nil {
		f.trace.Merged(key, dropped, pending, f.state())
	}
	return true
}

// betterDeletion decides which of two deletions is kept: the older one, unless it is a tombstone.
// The newer one may then have the final state, and if it is a tombstone too, a newer state.
func betterDeletion(older, newer Delta) (kept, dropped Delta) {
	if _, tombstone := older.Object.(DeletedFinalStateUnknown); tombstone {
		return newer, older
	}
	return older, newer
}
