package reflector

import (
	"context"
	"fmt"
	"time"
)

// resync calls the store's Resync once in each period until ctx ends. It has a goroutine of its own
// because the one of Run waits for the server. Before the first list there is nothing to resync.
//
// Each period begins when the last resync has ended, so ShouldResync is never asked twice within
// one period. With a time.Ticker it would be: after a tick that was served late, the next one comes
// early. A handler whose period is the reflector's would then not be due, and would miss a resync.
func (r *Reflector) resync(ctx context.Context) {
	if r.config.ResyncPeriod <= 0 {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(r.config.ResyncPeriod):
		}
		if !r.LastSyncTime().IsZero() && (r.config.ShouldResync == nil || r.config.ShouldResync()) {
			r.resyncOnce()
		}
	}
}

func (r *Reflector) resyncOnce() {
	err := r.config.Store.Resync()
	if err == nil {
		return
	}
	err = fmt.Errorf("%w: %w", ErrResync, err)
	r.report(err, failed) // there may be no watch whose end would report it
	if s := r.session.Load(); s != nil {
		s.cancel(err)
	}
}
