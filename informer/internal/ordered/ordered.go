// Package ordered applies what a RealFIFO delivers to the cache of an informer. It is what
// processDeltas of package informer is for a DeltaFIFO: the cache is changed first, it decides what
// is an add and what is an update, and each change makes one notification.
//
// A RealFIFO keeps the order of the server, so two things differ. A batch of events, or a whole
// list, is in the cache before its first notification is made. And the cache always holds the state
// at one version of the collection.
package ordered

import (
	"errors"
	"fmt"
	"slices"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// Cache is an indexer that is written to in batches. Process has one caller at a time.
type Cache struct {
	Indexer *indexer.Indexer
	// Tell is called with the notification of each change after it was made, in their order.
	Tell func(processor.Notification)
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
		// There is nothing to write.
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
	var failed []error
	for i := range writes {
		w := &writes[i]
		if w.Err != nil {
			failed = append(failed, w.Err)
		}
		switch {
		case !indexer.IsStored(w.Err) || w.Delete && w.Old == nil:
		case w.Delete:
			c.Tell(processor.DeleteNotification(w.Object))
		case w.Old != nil:
			c.Tell(processor.UpdateNotification(w.Old, w.Object))
		default:
			c.Tell(processor.AddNotification(w.Object, isInInitialList))
		}
	}
	return errors.Join(failed...)
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
	for _, n := range changes {
		c.Tell(n)
	}
	return err
}

// keysOf returns the key of each object, and for each key where in the list it comes last.
func (c *Cache) keysOf(list []watchglass.Object) (keys []string, last map[string]int, err error) {
	keys, last = make([]string, len(list)), make(map[string]int, len(list))
	for i, obj := range list {
		if keys[i], err = watchglass.MetaNamespaceKeyFunc(obj); err != nil {
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
