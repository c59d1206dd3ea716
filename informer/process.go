package informer

import (
	"errors"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// processDeltas brings what is queued under one key into the cache, oldest first, and puts what the
// handlers will be told into the outbox. The cache comes first: a handler that looks there must not
// find less than it was told.
//
// An object that an index refuses is stored, so handlers are told of it, and the delta behind it is
// applied: it may be the deletion. All errors are returned, joined.
func (s *SharedIndexInformer) processDeltas(deltas deltafifo.Deltas, isInInitialList bool) error {
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	var errs []error
	for _, d := range deltas {
		var n processor.Notification
		var err error
		if d.Type == deltafifo.Deleted {
			n, err = s.remove(d.Object)
		} else {
			n, err = s.upsert(d.Object, isInInitialList)
		}
		errs = append(errs, err)
		if _, refused := errors.AsType[*indexer.IndexError](err); err == nil || refused {
			s.outbox.put(n)
		}
	}
	return errors.Join(errs...)
}

// upsert stores an object. Whether that is an add or an update, the cache decides and not the
// delta: a watch that broke may show an object as ADDED that is known, and a relist shows all
// objects alike.
func (s *SharedIndexInformer) upsert(
	obj watchglass.Object, isInInitialList bool,
) (processor.Notification, error) {
	old, existed, err := s.indexer.Swap(obj)
	if existed {
		return processor.UpdateNotification(old, obj), err
	}
	return processor.AddNotification(obj, isInInitialList), err
}

// remove deletes an object, or what a tombstone stands for. Handlers are told even when the cache
// does not know it.
func (s *SharedIndexInformer) remove(obj watchglass.Object) (processor.Notification, error) {
	return processor.DeleteNotification(obj), s.indexer.Delete(obj)
}

// processed follows each Pop. While more is queued, what the handlers will be told may gather: one
// hand-over of many costs about as much as one of a single notification. Before the process loop
// can come to rest, everything is sent.
func (s *SharedIndexInformer) processed(err error) {
	if err != nil {
		s.processFailed(err)
	}
	if s.queue.Len() == 0 {
		s.flush()
	}
}

func (s *SharedIndexInformer) flush() {
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	s.outbox.flush()
}

func (s *SharedIndexInformer) processFailed(err error) {
	s.blockDeltas.Lock()
	s.processErrors++
	s.blockDeltas.Unlock()
	if s.options.OnProcessError != nil {
		s.options.OnProcessError(err)
		return
	}
	s.options.Logger.Error("object not brought into the cache", "of", s.options.Name, "err", err)
}

// firstListProcessed is called when the last object of the first list is in the cache. A handler's
// registration counts what the handler still has to be told, so it must have got it all before it
// hears that no more is to come.
func (s *SharedIndexInformer) firstListProcessed() {
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	s.outbox.flush()
	s.processor.UpstreamSynced()
	close(s.synced)
}
