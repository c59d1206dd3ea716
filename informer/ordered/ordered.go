// Package ordered applies what a RealFIFO delivers to the cache of an informer. It is what
// processDeltas of package informer is for a DeltaFIFO: the cache is changed first, it decides what
// is an add and what is an update, and each change makes one notification.
//
// A RealFIFO keeps the order of the server, so two things differ. A batch of events, or a whole
// list, is in the cache before its first notification is made. And the cache always holds the state
// at one version, which [Cache.Version] returns.
package ordered

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// Cache is an indexer that is written to in batches. The three fields are needed. Process has one
// caller at a time; Version may be called from any goroutine.
type Cache struct {
	Indexer *indexer.Indexer
	// KeyFunc computes the key of an object, and of a tombstone.
	KeyFunc watchglass.KeyFunc
	// Tell is called with the notification of each change after it was made, in their order.
	Tell func(processor.Notification)

	version atomic.Pointer[string] // nil before the first list
}

// Version returns the version whose state the cache holds, "" before the first list. It never runs
// ahead of the cache: a caller that gets a version finds in the cache everything that happened up
// to it.
func (c *Cache) Version() string {
	if version := c.version.Load(); version != nil {
		return *version
	}
	return ""
}

// Process applies a batch to the cache and makes the notifications. An error does not undo the rest
// of the batch. If an index refuses an object, that object is stored and told all the same.
func (c *Cache) Process(batch deltafifo.Deltas, isInInitialList bool) error {
	switch info := batch[0].Object.(type) {
	case realfifo.ReplacedAllInfo:
		return c.replaceAll(info, isInInitialList)
	case realfifo.SyncAllInfo:
		c.syncAll()
	case realfifo.BookmarkInfo:
		c.version.Store(&info.ResourceVersion)
	default:
		return c.writeAll(batch, isInInitialList)
	}
	return nil
}

// writeAll applies a batch of single events to the cache in one step, and makes the notifications
// in the order of the events. An event that fails makes none.
//
// Neither does the deletion of an object that the cache does not hold. A DeltaFIFO drops such a
// deletion before it is queued. Here all earlier events are in the cache, so it is certain that the
// object is unknown. (client-go notifies its handlers.)
func (c *Cache) writeAll(batch deltafifo.Deltas, isInInitialList bool) error {
	writes := make([]indexer.Write, len(batch))
	for i, d := range batch {
		writes[i] = indexer.Write{Object: d.Object, Delete: d.Type == deltafifo.Deleted}
	}
	c.Indexer.Transaction(writes)
	c.reached(writes)
	var failed []error
	for i := range writes {
		w := &writes[i]
		if w.Err != nil {
			failed = append(failed, w.Err)
		}
		switch {
		case !indexer.IsStored(w.Err) || w.Delete && !w.Existed:
		case w.Delete:
			c.Tell(processor.DeleteNotification(w.Object))
		case w.Existed:
			c.Tell(processor.UpdateNotification(w.Old, w.Object))
		default:
			c.Tell(processor.AddNotification(w.Object, isInInitialList))
		}
	}
	return errors.Join(failed...)
}

// reached records the version of the last write that was made. It skips objects whose version a
// transform has removed: a bookmark with the version follows them.
func (c *Cache) reached(writes []indexer.Write) {
	for i := len(writes) - 1; i >= 0; i-- {
		version := writes[i].Object.GetResourceVersion()
		if indexer.IsStored(writes[i].Err) && version != "" {
			c.version.Store(&version)
			return
		}
	}
}

// replaceAll makes a list the whole content of the cache, and then makes the notifications of what
// that has changed: first the deletions, which have tombstones, and then the objects in the order
// of the list. If an object has no key, it changes nothing and returns an error.
func (c *Cache) replaceAll(info realfifo.ReplacedAllInfo, isInInitialList bool) error {
	keys, last, err := c.keysOf(info.Objects)
	if err != nil {
		return fmt.Errorf("list at version %q: %w", info.ResourceVersion, err)
	}
	changes := c.deletions(last)
	for i, obj := range info.Objects {
		if last[keys[i]] != i {
			continue // the same key comes once more, and that one is stored
		}
		if old, existed, _ := c.Indexer.GetByKey(keys[i]); existed {
			changes = append(changes, processor.UpdateNotification(old, obj))
		} else {
			changes = append(changes, processor.AddNotification(obj, isInInitialList))
		}
	}
	err = c.Indexer.Replace(info.Objects, info.ResourceVersion)
	if !indexer.IsStored(err) {
		return err
	}
	c.version.Store(&info.ResourceVersion)
	for _, n := range changes {
		c.Tell(n)
	}
	return err
}

// keysOf returns the key of each object, and for each key where in the list it comes last.
func (c *Cache) keysOf(list []watchglass.Object) (keys []string, last map[string]int, err error) {
	keys, last = make([]string, len(list)), make(map[string]int, len(list))
	for i, obj := range list {
		if keys[i], err = c.KeyFunc(obj); err != nil {
			return nil, nil, err
		}
		last[keys[i]] = i
	}
	return keys, last, nil
}

// deletions returns the deletions of all objects in the cache that are not listed, sorted by key.
func (c *Cache) deletions(listed map[string]int) (changes []processor.Notification) {
	known := c.Indexer.ListKeys()
	slices.Sort(known)
	for _, key := range known {
		if _, ok := listed[key]; ok {
			continue
		}
		obj, _, _ := c.Indexer.GetByKey(key)
		gone := deltafifo.DeletedFinalStateUnknown{Key: key, Obj: obj}
		changes = append(changes, processor.DeleteNotification(gone))
	}
	return changes
}

// syncAll makes an update without a change for each object in the cache, in the order of the keys.
// It does not write to the cache.
func (c *Cache) syncAll() {
	keys := c.Indexer.ListKeys()
	slices.Sort(keys)
	for _, key := range keys {
		if obj, exists, _ := c.Indexer.GetByKey(key); exists {
			c.Tell(processor.UpdateNotification(obj, obj))
		}
	}
}
