package reflector

import (
	"context"
	"fmt"
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
		}
		if !r.LastSyncTime().IsZero() && (r.opts.ShouldResync == nil || r.opts.ShouldResync()) {
			r.resyncOnce()
		}
	}
}

func (r *Reflector) resyncOnce() {
	err := r.opts.Store.Resync()
	r.tally(func(s *Stats) { s.Resyncs++ })
	r.trace.Resynced(err)
	if err == nil {
		return
	}
	err = fmt.Errorf("%w: %w", ErrResync, err)
	r.report(err, Failed) // here, because there may be no watch whose end would report it
	if s := r.session.Load(); s != nil {
		s.cancel(err)
	}
}
