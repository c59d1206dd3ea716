package informer

import "example.com/watchglass/processor"

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
