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

// This file is what [RealFIFO] needs beside process.go. With the DeltaFIFO none of it runs.

// processBatch brings what a RealFIFO delivers into the cache, and tells of it. As in
// processDeltas, the cache comes first, and it decides what is an add and what is an update.
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

// writeAll makes a batch of single events one step of the cache, and tells of them in their order.
// An event that fails is not told; the others are.
//
// The deletion of an object that the cache does not hold is not told either. A DeltaFIFO drops it
// on the way in. Here the cache has seen all that came before it, so it knows for certain.
// (client-go tells of it.)
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

// reached notes the version of the last write that was made. An object that has lost its version in
// a transform is followed by a bookmark.
func (c *cache) reached(writes []indexer.Write) {
	for i := len(writes) - 1; i >= 0; i-- {
		version := writes[i].Object.GetResourceVersion()
		if isInCache(writes[i].Err) && version != "" {
			c.version.Store(&version)
			return
		}
	}
}

// replaceAll makes a list the whole content of the cache, and tells what that has changed: first
// the deletions, which have tombstones, and then the objects in the order of the list. If an object
// has no key, nothing happens at all.
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

// syncAll tells of each object in the cache as an update that changes nothing, in the order of the
// keys. The cache is not written to.
func (c *cache) syncAll() {
	keys := c.indexer.ListKeys()
	slices.Sort(keys)
	for _, key := range keys {
		if obj, exists, _ := c.indexer.GetByKey(key); exists {
			c.tell(processor.UpdateNotification(obj, obj))
		}
	}
}

// LastStoreSyncResourceVersion returns the version of which the cache is the state, "" before the
// first list. It never runs ahead of the cache: a caller that finds a version here finds in the
// cache all that had happened up to it. It is always "" with the [DeltaFIFO], whose cache is of no
// single version.
func (s *SharedIndexInformer) LastStoreSyncResourceVersion() string {
	if version := s.version.Load(); version != nil {
		return *version
	}
	return ""
}
