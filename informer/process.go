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
