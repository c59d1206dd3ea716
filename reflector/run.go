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
	r.streams = 0 // of an earlier Run
	state := r.table[0].From
	for ctx.Err() == nil {
		state = r.step(ctx, state)
	}
	if r.trace.Transition != nil {
		r.trace.Transition(Transition{From: state, On: stop, To: stopped}, nil)
	}
}

// step carries out one state, decides by the table what is next, and makes the pause before it.
func (r *Reflector) step(ctx context.Context, state State) State {
	f := r.do(ctx, state)
	if ctx.Err() != nil {
		return state // whatever its outcome: it was interrupted
	}
	f.latest, f.again = r.latest, r.streams > 0
	on, err := classify(state, f)
	row := next(r.table, state, on)
	r.tally(func(s *Stats) { s.Rows[row]++ })
	if err != nil {
		err = fmt.Errorf("%v: %w", state, err)
		if !errors.Is(err, ErrResync) { // which the resync timer has reported
			r.report(err, on)
		}
	}
	if r.trace.Transition != nil {
		r.trace.Transition(row, err)
	}
	if r.wasOfUse(state, on, f) {
		r.pauses = pauses{}
	}
	r.latest = r.latest || row.Do&askLatest != 0
	if state <= streaming && (on == ended || on == busy) && !isTooManyRequests(err) {
		r.streams++
	}
	switch {
	case row.Do&backOff != 0:
		r.wait(ctx, r.pauses.next(r.config.Backoff, askedPause(state, err), rand.Float64()))
	case on == ended:
		r.keepPace(ctx, f.elapsed)
	}
	return row.To
}

// do carries out one state.
func (r *Reflector) do(ctx context.Context, state State) facts {
	switch state {
	case openingStream:
		return r.openStream(ctx)
	case streaming:
		return r.stream()
	case listing:
		return facts{err: r.list(ctx)}
	case openingWatch:
		return r.open(newSession(ctx, r.watchOptions(), r.config.IdleTimeout))
	}
	return r.watch()
}

// wasOfUse reports whether a series of failures is over: after a watch that lasted a second before
// its outcome was ended, and after one that lasted as long as the longest pause, whatever its end.
// A list is not enough: each watch that fails follows a list, so watches that fail after a second
// or two would cause a list every second or two.
func (r *Reflector) wasOfUse(state State, on Outcome, f facts) bool {
	enough := r.config.Backoff.Max
	if on == ended {
		enough = shortWatch
	}
	return state == watching && f.elapsed >= enough
}

// fewShort is how many streams in a row may be short, although they have ended well.
const fewShort = 5

// keepPace makes a stream that has ended well take a second if there were several short ones in a
// row. A server that ends each watch after one newer event would otherwise get thousands of
// requests a second. This is not a failure, so the pauses do not grow.
func (r *Reflector) keepPace(ctx context.Context, elapsed time.Duration) {
	if elapsed >= shortWatch {
		r.short = 0
		return
	}
	if r.short++; r.short > fewShort {
		r.wait(ctx, shortWatch-elapsed)
	}
}

// wait makes a pause, which ends early if ctx does.
func (r *Reflector) wait(ctx context.Context, pause time.Duration) {
	if r.trace.BackingOff != nil {
		r.trace.BackingOff(pause)
	}
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
}
