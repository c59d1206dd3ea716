package processor

import "time"

// A Registration is one handler's place in a processor. Its methods may be called from any
// goroutine, handlers included.
type Registration struct {
	owner    *SharedProcessor
	listener *processorListener
}

// Name returns the handler's name in traces and logs.
func (r *Registration) Name() string { return r.listener.Name }

// HasSynced reports whether upstream has synced and the handler's calls for all of its initial list
// have returned. It stays false for a handler that is removed before upstream has synced, or whose
// initial adds were dropped.
func (r *Registration) HasSynced() bool { return isClosed(r.Synced()) }

// Synced returns a channel that is closed when HasSynced becomes true.
func (r *Registration) Synced() <-chan struct{} { return r.listener.tracker.synced }

// Err returns why upstream has not synced so far; see [Options.UpstreamErr]. Nil means that nothing
// has failed: upstream or the handler needs more time.
func (r *Registration) Err() error {
	if err := r.owner.options.UpstreamErr; err != nil {
		return err()
	}
	return nil
}

// Ended returns a channel that is closed when the handler's last call has returned, after its
// removal or the end of Run. A handler may wait for the end of other handlers, but not for its own:
// its call cannot return while it waits.
func (r *Registration) Ended() <-chan struct{} { return r.listener.ended }

// ResyncPeriod returns how often the handler is resynced, 0 for never. It may be another period
// than the handler asked for; see [HandlerOptions] and [SharedProcessor.SettleResyncPeriod]. In
// practice it is rounded up to a multiple of the period in which ShouldResync is called.
func (r *Registration) ResyncPeriod() time.Duration { return r.listener.ResyncPeriod }

// Pending returns how many notifications wait for the handler, the current one not counted.
func (r *Registration) Pending() int { return int(r.listener.pending.Load()) }

// HighWater returns the largest number of notifications that ever waited. For a handler that keeps
// up, that is the length of the longest batch.
func (r *Registration) HighWater() int { return int(r.listener.highWater.Load()) }

// Delivered returns how many calls have returned. A call that panicked does not count.
func (r *Registration) Delivered() int { return int(r.listener.delivered.Load()) }

// Dropped returns how many notifications were still waiting when the handler ended, and so were
// never delivered. It is 0 until then. It stays 0 for a handler with [HandlerOptions.Drain],
// unless the handler is removed before Run.
func (r *Registration) Dropped() int { return int(r.listener.dropped.Load()) }
