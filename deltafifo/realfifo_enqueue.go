package deltafifo

import (
	"fmt"
	"slices"

	"example.com/watchglass"
)

// Add queues an Added delta. It fails if the object has no key or cannot be used, because the
// transform fails for example; then nothing is queued.
func (f *RealFIFO) Add(obj watchglass.Object) error {
	return f.event("add", Added, obj)
}

// Update queues an Updated delta. It fails as Add does.
func (f *RealFIFO) Update(obj watchglass.Object) error {
	return f.event("update", Updated, obj)
}

// Delete queues a Deleted delta, whether or not the object was ever seen. The object may be a
// tombstone. It fails as Add does, but the deletion of an object that cannot be used is queued
// nevertheless, with a tombstone that has only its key.
func (f *RealFIFO) Delete(obj watchglass.Object) error {
	return f.event("delete", Deleted, obj)
}

// event queues what a watch reports. It marks the queue as populated first, even if the event then
// fails: an event before any list means that there will be no list to wait for.
func (f *RealFIFO) event(operation string, t DeltaType, obj watchglass.Object) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.progress.event()
	if err := hasKey(obj); err != nil {
		return fmt.Errorf("realfifo: %s: %w", operation, err)
	}
	obj, unusable := f.transform.apply(obj, watchglass.MetaNamespaceKeyFunc)
	switch {
	case unusable == nil:
		f.enqueue(Delta{Type: t, Object: obj})
		return nil
	case t == Deleted:
		key, _ := watchglass.MetaNamespaceKeyFunc(unusable)
		gone := DeletedFinalStateUnknown{Key: key}
		f.enqueue(Delta{Type: t, Object: gone})
	}
	return fmt.Errorf("realfifo: %s: %w", operation, unusable)
}

// hasKey returns an error if the object has no key. The queue makes no keys, but only the
// producer's call can return the error. Every object with a name has a key.
func hasKey(obj watchglass.Object) error {
	if obj != nil && obj.GetName() != "" {
		return nil
	}
	_, err := watchglass.MetaNamespaceKeyFunc(obj)
	return err
}

// Replace queues a list as one [ReplacedAll] delta. The consumer finds out which objects have been
// deleted, by comparing its cache with the list.
//
// The first Replace decides what has to be processed before [RealFIFO.HasSynced] is true: all that
// is queued when it returns, which is usually this one delta, even if the list is empty.
//
// An object that cannot be used becomes a *watchglass.Unusable in the list, which tells the
// consumer that it exists. The list is queued all the same, and the error is that of JoinUnusable.
// If an object has no key, Replace fails and nothing is queued: half a list would look as if the
// other half was deleted. The list belongs to the queue from the call on, also if Replace fails.
func (f *RealFIFO) Replace(list []watchglass.Object, resourceVersion string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var unusable []*watchglass.Unusable
	for i, obj := range list {
		if err := hasKey(obj); err != nil {
			return fmt.Errorf("realfifo: replace: %w", err)
		}
		obj, bad := f.transform.apply(obj, watchglass.MetaNamespaceKeyFunc)
		if bad != nil {
			obj, unusable = bad, append(unusable, bad)
		}
		list[i] = obj
	}
	info := ReplacedAllInfo{ResourceVersion: resourceVersion, Objects: list}
	f.enqueue(Delta{Type: ReplacedAll, Object: info})
	f.progress.listEnded(len(f.queue))
	if f.trace.Replaced != nil {
		f.trace.Replaced(resourceVersion, len(list), 0, f.state())
	}
	if err := watchglass.JoinUnusable(unusable); err != nil {
		return fmt.Errorf("realfifo: replace: %w", err)
	}
	return nil
}

// Resync queues a [SyncAll] delta. No request is sent to the server: the consumer is shown again
// what it already has. The error is always nil; the reflector's store interface has one.
//
// DeltaFIFO leaves out what is queued, because a Sync delta behind it would set the object back to
// an older state. Here that cannot happen: the consumer looks the objects up when it processes the
// delta.
func (f *RealFIFO) Resync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.enqueue(Delta{Type: SyncAll, Object: SyncAllInfo{}})
	return nil
}

// UpdateResourceVersion queues a [Bookmark] delta, so that the consumer knows that its cache is the
// state at this version, too. The reflector calls it after each event. Nothing is queued if the
// version is empty, or if the newest delta with a version has the same one. It does not count as an
// event for [RealFIFO.HasSynced].
func (f *RealFIFO) UpdateResourceVersion(resourceVersion string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if resourceVersion == "" || resourceVersion == f.lastVersion {
		return
	}
	f.enqueue(Delta{Type: Bookmark, Object: BookmarkInfo{ResourceVersion: resourceVersion}})
}

// enqueue puts d at the end of the queue. A full array doubles: append alone would make a long one
// only a quarter longer, and so copy it more often.
func (f *RealFIFO) enqueue(d Delta) {
	if len(f.queue) == cap(f.queue) {
		f.queue = slices.Grow(f.queue, len(f.queue)+1)
	}
	f.queue = append(f.queue, d)
	f.length.Add(1)
	if version := d.Object.GetResourceVersion(); version != "" {
		f.lastVersion = version
	}
	f.changed.Broadcast()
	if f.trace.Queued != nil {
		last := Deltas(f.queue[len(f.queue)-1:])
		f.trace.Queued("", d, last, f.state())
	}
}
