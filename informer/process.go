package informer

import (
	"errors"
	"sync"
	"sync/atomic"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// cache is the indexer with the way into it: what the process loop calls.
type cache struct {
	indexer *indexer.Indexer
	keyFunc watchglass.KeyFunc // handles tombstones
	// tell is told of each change after it was made, in their order.
	tell func(processor.Notification)

	// blockDeltas keeps cache and processor in step: a goroutine that holds it finds every change
	// either in both or in neither. The process loop holds it for each key; a handler joins under
	// it, so that no object that comes between the copy of the cache and the joining is missed or
	// told twice.
	blockDeltas sync.Mutex

	// version is what LastStoreSyncResourceVersion returns, nil for "". The DeltaFIFO has none.
	version atomic.Pointer[string]
}

// newCache is called with options that are complete.
func newCache(o Options, tell func(processor.Notification)) *cache {
	keyFunc := deltafifo.DeletionHandlingKeyFunc(o.KeyFunc)
	return &cache{
		indexer: indexer.New(indexer.Options{
			KeyFunc:  keyFunc,
			Indexers: o.Indexers,
			Trace:    o.Trace.Indexer,
		}),
		keyFunc: keyFunc,
		tell:    tell,
	}
}

// processDeltas brings what is queued under one key into the cache, oldest first, and tells what
// has changed. The cache comes first: a handler that looks there must not find less than it was
// told.
//
// A delta that fails does not keep the next one from being processed: a refused update must not
// swallow the deletion behind it, or the object would stay in the cache for good. All errors are
// returned, joined.
func (c *cache) processDeltas(deltas deltafifo.Deltas, isInInitialList bool) error {
	c.blockDeltas.Lock()
	defer c.blockDeltas.Unlock()
	var failed []error
	for _, d := range deltas {
		n, err := c.applyDelta(d, isInInitialList)
		if err != nil {
			failed = append(failed, err)
		}
		if isInCache(err) {
			c.tell(n)
		}
	}
	return errors.Join(failed...)
}

// applyDelta changes the cache. It returns what the handlers have to be told.
//
// Whether an object that is there is an add or an update, the cache decides and not the delta: a
// watch that broke may show an object as ADDED that is known, and a relist shows all objects alike.
// A deletion is told even if the cache does not know the object.
func (c *cache) applyDelta(
	d deltafifo.Delta, isInInitialList bool,
) (processor.Notification, error) {
	if d.Type == deltafifo.Deleted {
		return processor.DeleteNotification(d.Object), c.indexer.Delete(d.Object)
	}
	old, existed, err := c.indexer.Swap(d.Object)
	if existed {
		return processor.UpdateNotification(old, d.Object), err
	}
	return processor.AddNotification(d.Object, isInInitialList), err
}

// isInCache says whether the cache was changed in spite of err: an object that an index refuses is
// stored, and missing in that index only. Whatever the index func's own error is, a KeyError too.
func isInCache(err error) bool {
	_, refused := errors.AsType[*indexer.IndexError](err)
	return err == nil || refused
}

// gather is what a shared informer's cache tells. It is called with blockDeltas held.
func (s *SharedIndexInformer) gather(n processor.Notification) {
	s.processor.Gather(n, isSync(n))
}

// isSync tells a resync from a change by the resourceVersion alone, as client-go has since 0.24.
// The type of the delta plays no part: a relist of an unchanged object is as quiet as a resync, and
// a change that a server sends without a new version is taken for one.
func isSync(n processor.Notification) bool {
	return n.Old != nil && n.New != nil &&
		n.Old.GetResourceVersion() == n.New.GetResourceVersion()
}

// processed follows each Pop, with how much has left the queue and the error of processing it.
// While more is queued, what the handlers will be told is gathered. Before the process loop can
// come to rest, it is flushed.
func (s *SharedIndexInformer) processed(popped int, err error) {
	if err != nil {
		s.processFailed(err)
	}
	if s.queue.Len() == 0 {
		s.processor.Flush()
	}
	s.versions.popped(popped)
}

func (s *SharedIndexInformer) processFailed(err error) {
	s.processErrors.Add(1)
	if s.options.OnProcessError != nil {
		s.options.OnProcessError(err)
		return
	}
	s.options.Logger.Error("object not brought into the cache as it should be",
		"of", s.options.Name, "error", err)
}

// firstListProcessed is called when the last object of the first list is in the cache and its
// notification is gathered.
func (s *SharedIndexInformer) firstListProcessed() {
	s.processor.UpstreamSynced()
	close(s.synced)
}
