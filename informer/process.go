package informer

import (
	"errors"

	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// processDeltas brings what is queued under one key into the cache, oldest first, and gathers what
// the handlers will be told. The cache comes first: a handler that looks there must not find less
// than it was told.
//
// A delta that fails does not keep the next one from being processed: a refused update must not
// swallow the deletion behind it, or the object would stay in the cache for good. All errors are
// returned, joined.
func (s *SharedIndexInformer) processDeltas(deltas deltafifo.Deltas, isInInitialList bool) error {
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	var failed []error
	for _, d := range deltas {
		n, err := s.applyDelta(d, isInInitialList)
		if err != nil {
			failed = append(failed, err)
		}
		if isInCache(err) {
			s.processor.Gather(n, isSync(n))
		}
	}
	return errors.Join(failed...)
}

// applyDelta changes the cache. It returns what the handlers have to be told.
//
// Whether an object that is there is an add or an update, the cache decides and not the delta: a
// watch that broke may show an object as ADDED that is known, and a relist shows all objects alike.
// A deletion is told even if the cache does not know the object.
func (s *SharedIndexInformer) applyDelta(
	d deltafifo.Delta, isInInitialList bool,
) (processor.Notification, error) {
	if d.Type == deltafifo.Deleted {
		return processor.DeleteNotification(d.Object), s.indexer.Delete(d.Object)
	}
	old, existed, err := s.indexer.Swap(d.Object)
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

// isSync tells a resync from a change by the resourceVersion alone, as client-go has since 0.24.
// The type of the delta plays no part: a relist of an unchanged object is as quiet as a resync, and
// a change that a server sends without a new version is taken for one.
func isSync(n processor.Notification) bool {
	return n.Old != nil && n.New != nil &&
		n.Old.GetResourceVersion() == n.New.GetResourceVersion()
}

// processed follows each Pop, with the error of processDeltas. While more is queued, what the
// handlers will be told is gathered. Before the process loop can come to rest, it is flushed.
func (s *SharedIndexInformer) processed(err error) {
	if err != nil {
		s.processFailed(err)
	}
	if s.queue.Len() == 0 {
		s.processor.Flush()
	}
	s.versions.popped(1)
}

func (s *SharedIndexInformer) processFailed(err error) {
	s.processErrors.Add(1)
	if s.options.OnProcessError != nil {
		s.options.OnProcessError(err)
		return
	}
	s.options.Logger.Error("object not brought into the cache as it should be",
		"of", s.options.Name, "err", err)
}

// firstListProcessed is called when the last object of the first list is in the cache and its
// notification is gathered.
func (s *SharedIndexInformer) firstListProcessed() {
	s.processor.UpstreamSynced()
	close(s.synced)
}
