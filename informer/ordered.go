package informer

import (
	"errors"
	"fmt"
	"slices"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// processBatch is called in place of processDeltas if the queue is a RealFIFO. It applies a batch
// to the cache and makes the notifications. An error does not undo the rest of the batch. If an
// index refuses an object, that object is stored and told all the same.
//
// As in processDeltas, the cache is changed first, it decides what is an add and what is an update,
// and each change makes one notification. Two things differ, because a RealFIFO keeps the order of
// the server. A batch of events, or a whole list, is in the cache before its first notification is
// made. And the cache always holds the state at one version of the collection.
func (c *cache) processBatch(batch deltafifo.Deltas, isInInitialList bool) error {
	c.blockDeltas.Lock()
	defer c.blockDeltas.Unlock()
	switch info := batch[0].Object.(type) {
	case deltafifo.ReplacedAllInfo:
		return c.replaceAll(info, isInInitialList)
	case deltafifo.SyncAllInfo:
		c.syncAll()
	case deltafifo.BookmarkInfo:
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
func (c *cache) writeAll(batch deltafifo.Deltas, isInInitialList bool) error {
	writes := make([]indexer.Write, len(batch))
	for i, d := range batch {
		writes[i] = indexer.Write{Object: d.Object, Delete: d.Type == deltafifo.Deleted}
	}
	c.indexer.Transaction(writes)
	var failed []error
	for i := range writes {
		w := &writes[i]
		if w.Err != nil {
			failed = append(failed, w.Err)
		}
		switch {
		case !indexer.IsStored(w.Err) || w.Delete && w.Old == nil:
		case w.Delete:
			c.tell(processor.DeleteNotification(withState(w.Object, w.Old)))
		case w.Old != nil:
			c.tell(processor.UpdateNotification(w.Old, w.Object))
		default:
			c.tell(processor.AddNotification(w.Object, isInInitialList))
		}
	}
	return errors.Join(failed...)
}

// withState returns a deleted object or, if it is a tombstone without a state, one with the state
// that the cache had: the queue does not know the cache.
func withState(deleted, last watchglass.Object) watchglass.Object {
	gone, ok := deleted.(deltafifo.DeletedFinalStateUnknown)
	if ok && gone.Obj == nil {
		gone.Obj = last
		return gone
	}
	return deleted
}

// replaceAll makes a list the whole content of the cache, and then makes the notifications of what
// that has changed: first the deletions, which have tombstones, and then the objects in the order
// of the list. If an object has no key, it changes nothing and returns an error.
//
// An object that cannot be used stays as it is in the cache, and out of it if it is not there, so
// it makes no notification.
func (c *cache) replaceAll(info deltafifo.ReplacedAllInfo, isInInitialList bool) error {
	keys, last, err := c.keysOf(info.Objects)
	if err != nil {
		return fmt.Errorf("list at version %q: %w", info.ResourceVersion, err)
	}
	changes, content := c.deletions(last), info.Objects[:0]
	for i, obj := range info.Objects {
		if last[keys[i]] != i {
			continue // the same key comes once more, and that one is stored
		}
		old, existed, _ := c.indexer.GetByKey(keys[i])
		_, unusable := obj.(*watchglass.Unusable)
		switch {
		case unusable && !existed:
			continue
		case unusable:
			obj = old
		case existed:
			changes = append(changes, processor.UpdateNotification(old, obj))
		default:
			changes = append(changes, processor.AddNotification(obj, isInInitialList))
		}
		content = append(content, obj)
	}
	err = c.indexer.Replace(content, info.ResourceVersion)
	if !indexer.IsStored(err) {
		return err
	}
	for _, n := range changes {
		c.tell(n)
	}
	return err
}

// keysOf returns the key of each object, and for each key where in the list it comes last.
func (c *cache) keysOf(list []watchglass.Object) (keys []string, last map[string]int, err error) {
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
func (c *cache) deletions(listed map[string]int) (changes []processor.Notification) {
	known := c.indexer.ListKeys()
	slices.Sort(known)
	for _, key := range known {
		if _, ok := listed[key]; ok {
			continue
		}
		obj, _, _ := c.indexer.GetByKey(key)
		gone := deltafifo.DeletedFinalStateUnknown{Key: key, Obj: obj}
		changes = append(changes, processor.DeleteNotification(gone))
	}
	return changes
}

// syncAll makes an update without a change for each object in the cache, in the order of the keys.
// It does not write to the cache.
func (c *cache) syncAll() {
	keys := c.indexer.ListKeys()
	slices.Sort(keys)
	for _, key := range keys {
		if obj, exists, _ := c.indexer.GetByKey(key); exists {
			c.tell(processor.UpdateNotification(obj, obj))
		}
	}
}
