package informer

import "time"

// Stats are the numbers of an informer, for a metrics page or a log line. The numbers of a handler
// are those of its [processor.Registration].
type Stats struct {
	// Queued is how many keys wait to be processed, or deltas in a [RealFIFO]. It grows when the
	// process loop cannot keep up with the server.
	Queued int
	// Objects is how many objects the cache holds.
	Objects int
	// ProcessErrors is how often a key was processed with an error; see [Options.OnProcessError].
	ProcessErrors int
	// LostEvents is how often the queue has refused an event or a list, because a transform failed.
	// Each time a list follows.
	LostEvents int
	// LastSyncResourceVersion is the version up to which everything has been queued.
	LastSyncResourceVersion string
	// LastSync is when a list, an event or a bookmark last confirmed that version. Zero before the
	// first list. While a watch works, an API server sends a bookmark about once a minute.
	LastSync time.Time
}

// Stats returns the present numbers. They are read one after the other, so they may be of slightly
// different moments. It waits only for the lock of the cache.
func (s *SharedIndexInformer) Stats() Stats {
	stats := Stats{
		Queued:        s.queue.Len(),
		Objects:       s.indexer.Len(),
		ProcessErrors: int(s.processErrors.Load()),
	}
	if r := s.reflector.Load(); r != nil {
		stats.LostEvents = r.Stats().Errors["store refused"]
		stats.LastSyncResourceVersion = r.LastSyncResourceVersion()
		stats.LastSync = r.LastSyncTime()
	}
	return stats
}

// LastSyncResourceVersion returns the version up to which everything has been queued, "" before the
// first list. The cache may be a little behind; see [Stats].
func (s *SharedIndexInformer) LastSyncResourceVersion() string {
	if r := s.reflector.Load(); r != nil {
		return r.LastSyncResourceVersion()
	}
	return ""
}
