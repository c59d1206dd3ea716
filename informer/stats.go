package informer

import "time"

// Stats says how an informer is doing: plain numbers, for a metrics page or a log line. How far
// each handler is, its [processor.Registration] says.
type Stats struct {
	// Queued is how many keys wait to be processed, or deltas in a [RealFIFO]. It grows when the
	// process loop cannot keep up with the server.
	Queued int
	// Objects is how many objects the cache holds.
	Objects int
	// ProcessErrors is how often a key was processed with an error; see [Options.OnProcessError].
	ProcessErrors int
	// LostEvents is how many events the queue has refused: a transform failed. Each leads to a list.
	LostEvents int
	// LastSyncResourceVersion is the version up to which everything has been queued.
	LastSyncResourceVersion string
	// LastSync is when the server last confirmed that this is so: by a list, an event or a
	// bookmark. Zero before the first list. A server with news says something every minute or so.
	LastSync time.Time
}

// Stats returns the present numbers. Each is true by itself; together they are of nearly the same
// moment. It waits only for the cache.
func (s *SharedIndexInformer) Stats() Stats {
	stats := Stats{
		Queued:        s.queue.Len(),
		Objects:       s.indexer.Len(),
		ProcessErrors: int(s.processErrors.Load()),
	}
	if r := s.reflector.Load(); r != nil {
		stats.LostEvents = r.Stats().Lost
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
