package deltafifo

import (
	"fmt"
	"maps"
	"slices"

	"example.com/watchglass"
)

// Replace queues the result of a list: a [Replaced] delta for each object in it, and a [Deleted]
// delta, with a tombstone, for each object that is queued or known and is not in the list. So a
// relist finds the deletions that a broken watch has missed. New keys are queued in the order of
// the list, and behind them the known objects that were deleted.
//
// The first Replace decides what belongs to the initial list: all that is queued when it returns,
// deletions included; see [DeltaFIFO.HasSynced]. A later Replace never changes that.
//
// An object that cannot be used is left as it is: nothing is queued for it, and it counts as
// listed, so no deletion is concluded. The rest of the list is queued all the same, and the error
// is that of [watchglass.JoinUnusable]. For an object without a key Replace fails at once. What was
// queued by then stays queued, but no deletions are queued and the queue is not populated: the rest
// of the list is unknown, so it does not prove that an object is missing. The resourceVersion is
// only passed to the trace. Replace does not keep list.
func (f *DeltaFIFO) Replace(list []watchglass.Object, resourceVersion string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	unseen := maps.Clone(f.items)
	f.makeRoom(len(list))
	left := map[string]*watchglass.Unusable{}
	var unusable []*watchglass.Unusable
	for _, obj := range list {
		key, err := f.KeyOf(obj)
		if err != nil {
			return fmt.Errorf("deltafifo: replace: %w", err)
		}
		if u := f.enqueueObject(key, Replaced, obj); u != nil {
			left[key], unusable = u, append(unusable, u)
		}
		delete(unseen, key)
	}
	deletions := f.deleteQueued(unseen) + f.deleteKnown(left)
	f.progress.listEnded(len(f.queue))
	if f.trace.Replaced != nil {
		f.trace.Replaced(resourceVersion, len(list), deletions, f.state())
	}
	if err := watchglass.JoinUnusable(unusable); err != nil {
		return fmt.Errorf("deltafifo: replace: %w", err)
	}
	return nil
}

// makeRoom prepares an empty queue for a list, which is the most that a queue will usually hold.
func (f *DeltaFIFO) makeRoom(n int) {
	if len(f.items) == 0 {
		f.items, f.mostItems = make(map[string]Deltas, n), n
		f.queue = make([]string, 0, n)
	}
}

// deleteQueued adds a deletion to each of the keys, all of them queued, and returns how many there
// are. The object of such a key may have been added and deleted without ever reaching the store.
//
// No order is promised among the deletions that one list finds. deleteQueued and deleteKnown sort
// them, because otherwise two runs of one story would differ.
func (f *DeltaFIFO) deleteQueued(keys map[string]Deltas) int {
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		f.enqueue(key, f.tombstone(key))
	}
	return len(keys)
}

// deleteKnown queues a deletion for each known key that is not queued and not left as it is, and
// returns how many there are. Not queued means not listed: all else that was in the list is in the
// queue by now.
func (f *DeltaFIFO) deleteKnown(left map[string]*watchglass.Unusable) int {
	if f.known == nil {
		return 0
	}
	missing := f.known.ListKeys()
	missing = slices.DeleteFunc(missing, func(key string) bool {
		_, queued := f.items[key]
		return queued || left[key] != nil
	})
	slices.Sort(missing)
	for _, key := range missing {
		f.enqueue(key, f.tombstone(key))
	}
	return len(missing)
}
