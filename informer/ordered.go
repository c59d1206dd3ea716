package informer

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

// This file has what [RealFIFO] needs beside process.go. With the DeltaFIFO none of it runs.

// processBatch applies a batch of a RealFIFO to the cache and makes the notifications. As in
// processDeltas, the cache is changed first, and it decides what is an add and what is an update.
func (c *cache) processBatch(batch deltafifo.Deltas, isInInitialList bool) error {
	c.blockDeltas.Lock()
	defer c.blockDeltas.Unlock()
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
func (c *cache) writeAll(batch deltafifo.Deltas, isInInitialList bool) error {
	writes := make([]indexer.Write, len(batch))
	for i, d := range batch {
		writes[i] = indexer.Write{Object: d.Object, Delete: d.Type == deltafifo.Deleted}
	}
	c.indexer.Transaction(writes)
	c.reached(writes)
	var failed []error
	for i := range writes {
		w := &writes[i]
		if w.Err != nil {
			failed = append(failed, w.Err)
		}
		switch {
		case !isInCache(w.Err) || w.Delete && !w.Existed:
		case w.Delete:
			c.tell(processor.DeleteNotification(w.Object))
		case w.Existed:
			c.tell(processor.UpdateNotification(w.Old, w.Object))
		default:
			c.tell(processor.AddNotification(w.Object, isInInitialList))
		}
	}
	return errors.Join(failed...)
}

// reached records the version of the last write that was made. It skips objects whose version a
// transform has removed: a bookmark with the version follows them.
func (c *cache) reached(writes []indexer.Write) {
	for i := len(writes) - 1; i >= 0; i-- {
		version := writes[i].Object.GetResourceVersion()
		if isInCache(writes[i].Err) && version != "" {
			c.version.Store(&version)
			return
		}
	}
}

// replaceAll makes a list the whole content of the cache, and then makes the notifications of what
// that has changed: first the deletions, which have tombstones, and then the objects in the order
// of the list. If an object has no key, it changes nothing and returns an error.
func (c *cache) replaceAll(info realfifo.ReplacedAllInfo, isInInitialList bool) error {
	keys, last, err := c.keysOf(info.Objects)
	if err != nil {
		return fmt.Errorf("list at version %q: %w", info.ResourceVersion, err)
	}
	changes := c.deletions(last)
	for i, obj := range info.Objects {
		if last[keys[i]] != i {
			continue // the same key comes once more, and that one is stored
		}
		if old, existed, _ := c.indexer.GetByKey(keys[i]); existed {
			changes = append(changes, processor.UpdateNotification(old, obj))
		} else {
			changes = append(changes, processor.AddNotification(obj, isInInitialList))
		}
	}
	err = c.indexer.Replace(info.Objects, info.ResourceVersion)
	if !isInCache(err) {
		return err
	}
	c.version.Store(&info.ResourceVersion)
	for _, n := range changes {
		c.tell(n)
	}
	return err
}

// keysOf returns the key of each object, and for each key where in the list it comes last.
func (c *cache) keysOf(list []watchglass.Object) (keys []string, last map[string]int, err error) {
	keys, last = make([]string, len(list)), make(map[string]int, len(list))
	for i, obj := range list {
		if keys[i], err = c.keyFunc(obj); err != nil {
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

// LastStoreSyncResourceVersion returns the version whose state the cache holds, "" before the first
// list. It never runs ahead of the cache: a caller that gets a version finds in the cache
// everything that happened up to it. With the [DeltaFIFO] it is always "", because the cache then
// holds no state of one version.
func (s *SharedIndexInformer) LastStoreSyncResourceVersion() string {
	if version := s.version.Load(); version != nil {
		return *version
	}
	return ""
}
