package reflector

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// Reflector keeps a [Store] like a collection on a server: it lists, then watches, and does
// whatever it takes to go on when that fails. Make one with [New].
type Reflector struct {
	opts  Options
	table []Transition // what follows upon what; never changes

	lost atomic.Int64 // events that the store has refused since the last list

	// The rest up to mu belongs to the goroutine of Run.

	backoff backoffState
	forgive retryWindow
	memory  memory
	session *session // the watch that is open or being opened, nil if none

	mu sync.Mutex
	// lastVersion is the version up to which the store has seen everything; "" before the first
	// list. Only Run writes it. Guarded by mu, because anybody may ask.
	lastVersion string
	// lastSync is when lastVersion was recorded, the same one again included. Guarded by mu.
	lastSync time.Time
	// interrupt ends the watch under way, for the given reason; nil if none is. Guarded by mu,
	// because the resync timer calls it.
	interrupt context.CancelCauseFunc
}

// Run reflects until ctx ends. Before it returns, everything it started has ended, and the watch is
// closed. It must not run twice at a time; running again later goes on at the last known version.
func (r *Reflector) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var timer sync.WaitGroup
	defer timer.Wait()
	defer cancel()
	timer.Go(func() { r.resync(ctx) })

	defer r.hangUp()
	for state := first(r.table); state != Stopped; {
		state = r.step(ctx, state)
	}
}

// step carries out one state and decides what is next. It is the shell around [Table].
func (r *Reflector) step(ctx context.Context, state State) State {
	var res result
	if ctx.Err() == nil {
		res = r.do(ctx, state)
	}
	on := Stop
	if ctx.Err() == nil {
		on = classify(state, res)
	}
	row, ok := next(r.table, state, on)
	if !ok { // then it is a failure like any other
		row, _ = next(r.table, state, Failed)
	}
	err := r.explain(row, res)
	if _, told := errors.AsType[*ResyncError](err); !told { // by the timer, when it happened
		r.report(err)
	}
	r.opts.Trace.transition(row, err)
	if r.wasOfUse(state, on, res.elapsed) {
		r.backoff.succeeded()
	}
	if row.Do == BackOff {
		r.pause(ctx, retryAfter(err))
	}
	return row.To
}

// wasOfUse reports whether a series of failures is over. It is after a watch that has lasted a
// second and then ended as streams do or, whatever its end, has lasted as long as the longest
// pause. Nothing less will do: a list goes before each watch that fails, and be it after a second
// or two, that would be a storm of lists.
func (r *Reflector) wasOfUse(state State, on Outcome, elapsed time.Duration) bool {
	switch {
	case state != Watching:
		return false
	case on == Ended:
		return elapsed >= shortWatch
	}
	return elapsed >= r.opts.Backoff.withDefaults().Max
}

// explain says what went wrong, and in which state. To be stopped is no error, and neither is the
// orderly end of a watch, unless it came too early.
func (r *Reflector) explain(row Transition, res result) error {
	switch {
	case row.On == Stop, row.On == Ended && res.err == io.EOF, res.err == nil:
		return nil
	case row.On == VeryShort:
		return &VeryShortWatchError{Name: r.opts.Name, Elapsed: res.elapsed, Err: res.err}
	}
	return fmt.Errorf("%s: %v: %w", r.opts.Name, row.From, res.err)
}

// do carries out one state.
func (r *Reflector) do(ctx context.Context, state State) result {
	switch state {
	case Listing, ListingLatest:
		return result{err: r.list(ctx, state)}
	case OpeningWatch, OpeningStream, OpeningLatestStream:
		return r.open(ctx, state)
	case Streaming:
		return r.stream()
	}
	return r.watch()
}

// pause waits as long as the backoff says, at least atLeast, or until ctx ends.
func (r *Reflector) pause(ctx context.Context, atLeast time.Duration) {
	delay := r.backoff.failed(time.Now(), rand.Float64(), atLeast)
	r.opts.Trace.backingOff(delay)
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// report tells whoever wants to know of an error. Nil is not one.
func (r *Reflector) report(err error) {
	if err == nil {
		return
	}
	r.opts.Trace.failed(err)
	if r.opts.WatchErrorHandler != nil {
		r.opts.WatchErrorHandler(err)
		return
	}
	level := slog.LevelError
	if IsExpired(err) || errors.Is(err, io.ErrUnexpectedEOF) { // these happen in the best houses
		level = slog.LevelInfo
	}
	r.opts.Logger.Log(context.Background(), level, "list and watch", "reflector", r.opts.Name,
		"error", err)
}

// LastSyncResourceVersion returns the version up to which the store has seen everything, "" before
// the first list. A store that hands on its content asynchronously may not have handed it on yet.
func (r *Reflector) LastSyncResourceVersion() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lastVersion
}

// LastSyncTime returns when the server last moved or confirmed what
// [Reflector.LastSyncResourceVersion] returns: a list, an event or a bookmark. The zero time means
// never.
// A collection in which nothing happens is not stale, however long ago that was.
func (r *Reflector) LastSyncTime() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lastSync
}

// LostEvents returns how many events the store has refused since the last list. If it is not 0, the
// store may differ from the server until the next list.
func (r *Reflector) LostEvents() int { return int(r.lost.Load()) }

// setVersion records how far the store has come.
func (r *Reflector) setVersion(version string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastVersion, r.lastSync = version, time.Now()
}
