package reflector

import (
	"context"
	"time"
)

// resync calls the store's Resync at each tick until ctx ends. It has a goroutine of its own
// because the one of Run waits for the server. Before the first list there is nothing to resync, so
// these ticks are skipped.
func (r *Reflector) resync(ctx context.Context) {
	if r.opts.ResyncPeriod <= 0 {
		return
	}
	ticker := time.NewTicker(r.opts.ResyncPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if !r.LastSyncTime().IsZero() {
				r.resyncOnce()
			}
		}
	}
}

func (r *Reflector) resyncOnce() {
	if r.opts.ShouldResync != nil && !r.opts.ShouldResync() {
		return
	}
	err := r.opts.Store.Resync()
	r.countOne(&r.stats.Resyncs)
	if r.trace.Resynced != nil {
		r.trace.Resynced(err)
	}
	if err == nil {
		return
	}
	err = &ResyncError{Err: err}
	r.report(err) // here, because there may be no watch whose end would report it
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.interrupt != nil {
		r.interrupt(err)
	}
}

// retryWindow decides how long a repeated error is forgiven: up to and including length after the
// first one. An error after a minute without errors counts as a first one again.
type retryWindow struct {
	length time.Duration // zero: never
	began  time.Time
	last   time.Time
}

const quietTime = time.Minute

// allow reports whether an error at now is forgiven.
func (w *retryWindow) allow(now time.Time) bool {
	if w.length <= 0 {
		return false
	}
	if w.began.IsZero() || now.Sub(w.last) >= quietTime {
		w.began = now
	}
	w.last = now
	if now.Sub(w.began) <= w.length {
		return true
	}
	w.began = time.Time{}
	return false
}
