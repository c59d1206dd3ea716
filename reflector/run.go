package reflector

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// Run lists and watches until ctx ends. Before it returns, everything it started has ended, and the
// watch is closed. Two calls must not run at the same time. A later call goes on from the last
// known version.
func (r *Reflector) Run(ctx context.Context) {
	r.tally(func(*Stats) { r.ran = true })
	ctx, cancel := context.WithCancel(ctx)
	var timer sync.WaitGroup
	defer timer.Wait()
	defer cancel()
	timer.Go(func() { r.resync(ctx) })

	defer r.hangUp()
	r.streamBy = time.Time{} // of an earlier Run
	state := r.table[0].From
	for ctx.Err() == nil {
		state = r.step(ctx, state)
	}
	r.trace.Transition(Transition{From: state, On: Stop, To: Stopped}, nil)
}

// step carries out one state, decides by the table what is next, and makes the pause before it.
func (r *Reflector) step(ctx context.Context, state State) State {
	f := r.do(ctx, state)
	if ctx.Err() != nil {
		return state // whatever its outcome: it was interrupted
	}
	f.latest = r.latest
	on, err := classify(state, f)
	row := next(r.table, state, on)
	r.tally(func(s *Stats) { s.Rows[row]++ })
	if err != nil {
		err = fmt.Errorf("%v: %w", state, err)
		if !errors.Is(err, ErrResync) { // which the resync timer has reported
			r.report(err, on)
		}
	}
	r.trace.Transition(row, err)
	if r.wasOfUse(state, on, f) {
		r.failures = 0
	}
	r.latest = r.latest || row.Do&AskLatest != 0
	if row.Do&BackOff != 0 {
		r.pause(ctx, SuggestsClientDelay(err))
	}
	return row.To
}

// do carries out one state.
func (r *Reflector) do(ctx context.Context, state State) facts {
	switch state {
	case OpeningStream:
		return r.openStream(ctx)
	case Streaming:
		return r.stream()
	case Listing:
		return facts{err: r.list(ctx)}
	case OpeningWatch:
		return r.open(newSession(ctx, r.watchOptions(), r.config.IdleTimeout))
	}
	return r.watch()
}

// wasOfUse reports whether a series of failures is over: after a watch that lasted a second before
// its outcome was Ended, and after one that lasted as long as the longest pause, whatever its end.
// A list is not enough: each watch that fails follows a list, so watches that fail after a second
// or two would cause a list every second or two.
func (r *Reflector) wasOfUse(state State, on Outcome, f facts) bool {
	enough := r.config.Backoff.Max
	if on == Ended {
		enough = shortWatch
	}
	return state == Watching && f.elapsed >= enough
}

// pause waits as long as the backoff says, at least atLeast, or until ctx ends.
func (r *Reflector) pause(ctx context.Context, atLeast time.Duration) {
	delay := max(r.config.Backoff.delay(r.failures, rand.Float64()), atLeast)
	r.failures++
	r.trace.BackingOff(delay)
	select {
	case <-time.After(delay):
	case <-ctx.Done():
	}
}
