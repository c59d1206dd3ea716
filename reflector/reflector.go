package reflector

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"
)

// Reflector keeps a [Store] up to date with a collection on a server: it lists, then watches, and
// decides by its table what to do when that fails. Make one with [New].
type Reflector struct {
	opts     Options
	trace    *Trace                 // never nil
	table    []Transition           // what to do after each outcome; never changes
	versions ResourceVersionUpdater // the store, if it has that method; else nil

	// The rest up to mu belongs to the goroutine of Run.

	backoff backoffState
	forgive retryWindow
	memory  memory
	session *session // the watch that is open or being opened, nil if none
	// streamBy is when the reflector stops streaming and lists instead. It is the same for all
	// attempts of one series, so that a stream which is cut again and again leads to a list. It is
	// zero between series.
	streamBy time.Time

	mu sync.Mutex
	// lastVersion is the version up to which the store has seen everything; "" before the first
	// list. Only Run writes it. Guarded by mu.
	lastVersion string
	// lastSync is when lastVersion was last recorded, changed or not. Guarded by mu.
	lastSync time.Time
	// stats are guarded by mu.
	stats Stats
	// interrupt ends the watch under way, for the given reason; nil if none is. The resync timer
	// calls it. Guarded by mu.
	interrupt context.CancelCauseFunc
}

// Run lists and watches until ctx ends. Before it returns, everything it started has ended, and the
// watch is closed. Two calls must not run at the same time. A later call goes on from the last
// known version.
func (r *Reflector) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var timer sync.WaitGroup
	defer timer.Wait()
	defer cancel()
	timer.Go(func() { r.resync(ctx) })

	defer r.hangUp()
	r.streamBy = time.Time{} // of an earlier Run
	for state := r.table[0].From; state != Stopped; {
		state = r.step(ctx, state)
	}
}

// step carries out one state and decides by the table what is next.
func (r *Reflector) step(ctx context.Context, state State) State {
	var f facts
	if ctx.Err() == nil {
		f = r.do(ctx, state)
	}
	on := Stop
	if ctx.Err() == nil {
		on = classify(state, f)
	}
	row := next(r.table, state, on)
	err := r.explain(row, f)
	if _, reported := errors.AsType[*ResyncError](err); !reported { // by the timer
		r.report(err)
	}
	r.count(row)
	if r.trace.Transition != nil {
		r.trace.Transition(row, err)
	}
	if r.wasOfUse(state, on, f.elapsed) {
		r.backoff.succeeded()
	}
	if row.Do == BackOff {
		r.pause(ctx, SuggestsClientDelay(err))
	}
	return row.To
}

// do carries out one state.
func (r *Reflector) do(ctx context.Context, state State) facts {
	switch state {
	case Listing, ListingLatest:
		return facts{err: r.list(ctx, state)}
	case OpeningWatch:
		return r.open(ctx, state)
	case OpeningStream, OpeningLatestStream:
		return r.openStream(ctx, state)
	case Streaming, StreamingLatest:
		return r.stream()
	}
	return r.watch()
}

// wasOfUse reports whether a series of failures is over: after a watch that lasted a second and
// then ended or lost its connection, and after one that lasted as long as the longest pause,
// whatever its end. A list is not enough: each watch that fails follows a list, so watches that
// fail after a second or two would cause a list every second or two.
func (r *Reflector) wasOfUse(state State, on Outcome, elapsed time.Duration) bool {
	switch {
	case state != Watching:
		return false
	case on == Ended:
		return elapsed >= shortWatch
	}
	return elapsed >= r.opts.Backoff.withDefaults().Max
}

// explain says what went wrong, and in which state. Being stopped is not an error, nor is the
// orderly end of a watch, unless it comes too early.
func (r *Reflector) explain(row Transition, f facts) error {
	switch {
	case row.On == Stop, row.On == Ended && f.err == io.EOF, f.err == nil:
		return nil
	case row.On == CutShort && f.err == io.EOF:
		return fmt.Errorf("%s: %v: ended after %v without a newer version: %w", r.opts.Name,
			row.From, f.elapsed, f.err)
	case row.On == VeryShort:
		return &VeryShortWatchError{Name: r.opts.Name, Elapsed: f.elapsed, Err: f.err}
	}
	return fmt.Errorf("%s: %v: %w", r.opts.Name, row.From, f.err)
}

// pause waits as long as the backoff says, at least atLeast, or until ctx ends.
func (r *Reflector) pause(ctx context.Context, atLeast time.Duration) {
	delay := r.backoff.failed(time.Now(), rand.Float64(), atLeast)
	if r.trace.BackingOff != nil {
		r.trace.BackingOff(delay)
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// report passes an error to the trace and to the handler, or logs it. Nil is not an error.
func (r *Reflector) report(err error) {
	if err == nil {
		return
	}
	if r.trace.Failed != nil {
		r.trace.Failed(err)
	}
	if r.opts.WatchErrorHandler != nil {
		r.opts.WatchErrorHandler(err)
		return
	}
	level := slog.LevelError
	if IsExpired(err) || IsProbableEOF(err) { // part of normal operation
		level = slog.LevelInfo
	}
	r.opts.Logger.Log(context.Background(), level, "list and watch", "reflector", r.opts.Name,
		"error", err)
}

// LastSyncResourceVersion returns the version up to which the store has seen everything, "" before
// the first list. A store that hands on its content asynchronously may not have handed it on yet;
// see [ResourceVersionUpdater].
func (r *Reflector) LastSyncResourceVersion() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lastVersion
}

// LastSyncTime returns when a list, an event or a bookmark last changed or confirmed what
// [Reflector.LastSyncResourceVersion] returns. The zero time means never. If nothing changes in the
// collection, the store can be up to date although that was long ago.
func (r *Reflector) LastSyncTime() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lastSync
}

// record notes that the store has seen everything up to version, and returns the version before.
// It is called after the store has taken the change, so a reader of the version may rely on the
// content.
func (r *Reflector) record(version string) (before string) {
	now := time.Now()
	r.mu.Lock()
	before = r.lastVersion
	r.lastVersion, r.lastSync = version, now
	r.mu.Unlock()
	if r.versions != nil {
		r.versions.UpdateResourceVersion(version)
	}
	return before
}
