package informer

import (
	"errors"
	"sync"

	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// cache is the indexer and what the process loop needs to write to it.
type cache struct {
	indexer *indexer.Indexer
	// tell is called with the notification of each change after it was made, in their order.
	tell func(processor.Notification)

	// blockDeltas keeps cache and processor in step: a goroutine that holds it finds every change
	// either in both or in neither. The process loop holds it for each key. AddEventHandler holds it
	// from the copy of the cache until the handler is registered: otherwise an object that is
	// processed in between would be missed or come twice.
	blockDeltas sync.Mutex
}

// newCache is called with options that are complete.
func newCache(o Options, tell func(processor.Notification)) *cache {
	return &cache{
		indexer: indexer.New(indexer.Options{Indexers: o.Indexers, Trace: o.Trace.Indexer}),
		tell:    tell,
	}
}

// processDeltas applies what is queued under one key to the cache, oldest first, and makes the
// notifications. The cache is changed first: a handler that reads it must not find an older state
// than it was called with.
//
// After a delta that fails, the next one is still processed. If the deletion behind a refused
// update were lost, the object would stay in the cache forever. All errors are returned, joined.
func (c *cache) processDeltas(deltas deltafifo.Deltas, isInInitialList bool) error {
	c.blockDeltas.Lock()
	defer c.blockDeltas.Unlock()
	var failed []error
	for _, d := range deltas {
		n, err := c.applyDelta(d, isInInitialList)
		if err != nil {
			failed = append(failed, err)
		}
		if indexer.IsStored(err) {
			c.tell(n)
		}
	}
	return errors.Join(failed...)
}

// applyDelta changes the cache, and returns the notification for the handlers.
//
// The cache decides whether an object is an add or an update, and not the type of the delta: a new
// watch may send ADDED for an object that is in the cache, and all objects of a relist have the
// same type. A deletion makes a notification even if the cache does not hold the object.
func (c *cache) applyDelta(
	d deltafifo.Delta, isInInitialList bool,
) (processor.Notification, error) {
	if d.Type == deltafifo.Deleted {
		return processor.DeleteNotification(d.Object), c.indexer.Delete(d.Object)
	}
	old, err := c.indexer.Swap(d.Object)
	if old != nil {
		return processor.UpdateNotification(old, d.Object), err
	}
	return processor.AddNotification(d.Object, isInInitialList), err
}

// gather passes the notifications of a shared informer's cache to the processor. It is called with
// blockDeltas held.
func (s *SharedIndexInformer) gather(n processor.Notification) {
	s.processor.Gather(n, isSync(n))
}

// isSync distinguishes a resync from a change by the resourceVersion alone, as client-go has since
// 0.24. The type of the delta does not matter: an unchanged object of a relist counts as a resync,
// and so does a change that a server sends without a new version.
func isSync(n processor.Notification) bool {
	return n.Old != nil && n.New != nil &&
		n.Old.GetResourceVersion() == n.New.GetResourceVersion()
}

// processed is called after each Pop, with the error of processing what was popped. While more is
// queued, notifications are gathered. They are flushed before the process loop can wait in Pop.
func (s *SharedIndexInformer) processed(err error) {
	if err != nil {
		s.processErrors.Add(1)
		s.options.OnProcessError(err)
	}
	if s.queue.Len() == 0 || s.options.WrapQueue != nil { // a wrapper may wait although more is queued
		s.processor.Flush()
	}
	s.changes.happened()
}

// firstListProcessed is called when the last object of the first list is in the cache and its
// notification is gathered. The informer syncs first: a program that has waited for a registration
// takes the cache for complete.
func (s *SharedIndexInformer) firstListProcessed() {
	if s.options.Trace.Synced != nil {
		s.options.Trace.Synced()
	}
	close(s.synced)
	s.processor.UpstreamSynced()
}
