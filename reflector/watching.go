package reflector

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// session is one watch, from the request to the end.
type session struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc // ends ctx, and with it the watch
	watch   Watch                   // nil while it is being opened
	asked   ListOptions
	started time.Time
	events  int // that have been used, bookmarks included

	// synthetic: all events so far may be objects of the initial state, which come in no particular
	// order of versions, so that none of them is a place to resume from.
	synthetic bool

	idle    *time.Timer // cancels with ErrIdle; runs only while the server is waited for
	silence time.Duration
}

// newSession prepares a watch. The clock starts before the request, because proxies exist that hold
// back the response until there is something in it.
func (r *Reflector) newSession(ctx context.Context, asked ListOptions) *session {
	ctx, cancel := context.WithCancelCause(ctx)
	silence := r.opts.IdleTimeout
	if silence <= 0 {
		silence = seconds(int(asked.TimeoutSeconds)) + idleMargin
	}
	r.mu.Lock()
	r.interrupt = cancel
	r.mu.Unlock()
	return &session{
		ctx:       ctx,
		cancel:    cancel,
		asked:     asked,
		started:   time.Now(),
		synthetic: asked.ResourceVersion == "" || asked.ResourceVersion == anyVersion,
		idle:      time.AfterFunc(silence, func() { cancel(ErrIdle) }),
		silence:   silence,
	}
}

const idleMargin = 30 * time.Second

// hangUp ends the watch under way, if there is one.
func (r *Reflector) hangUp() {
	s := r.session
	if s == nil {
		return
	}
	r.session = nil
	r.mu.Lock()
	r.interrupt = nil
	r.mu.Unlock()
	s.idle.Stop()
	s.cancel(nil)
	if s.watch != nil {
		s.watch.Close() // what it might complain about is gone
	}
}

// next waits for the next event. Where the watch was ended from this side, the error is the reason
// for that, not what the connection made of it.
func (s *session) next() (Event, error) {
	s.idle.Reset(s.silence)
	e, err := s.watch.Next()
	s.idle.Stop()
	return e, s.reason(err)
}

func (s *session) reason(err error) error {
	if err == nil || s.ctx.Err() == nil {
		return err
	}
	return context.Cause(s.ctx)
}

// open asks for a watch.
func (r *Reflector) open(ctx context.Context, state State) result {
	s := r.newSession(ctx, r.watchOptions(state))
	r.session = s
	r.opts.Trace.opening(s.asked)
	watch, err := r.opts.ListerWatcher.Watch(s.ctx, s.asked)
	s.idle.Stop()
	if err != nil {
		res := r.result(fmt.Errorf("%s: watch: %w", r.opts.Name, s.reason(err)))
		r.hangUp()
		res.elapsed = 0 // however long it took to fail, it was no success
		return res
	}
	s.watch = watch
	r.opts.Trace.opened(s.asked)
	return result{}
}

// watchOptions says what to ask a watch for.
func (r *Reflector) watchOptions(state State) ListOptions {
	opts := ListOptions{
		ResourceVersion:     r.LastSyncResourceVersion(),
		AllowWatchBookmarks: true,
		TimeoutSeconds:      watchSeconds(r.opts.MinWatchTimeout, rand.Float64()),
	}
	if state != OpeningWatch {
		opts.SendInitialEvents, opts.ResourceVersionMatch = true, notOlder
	}
	if state == OpeningLatestStream {
		opts.ResourceVersion = ""
	}
	return opts
}

// watchSeconds is a random time between least and its double; random is in [0, 1).
func watchSeconds(least time.Duration, random float64) int64 {
	return int64(least.Seconds() * (1 + random))
}

// result describes how the watch under way has ended.
func (r *Reflector) result(err error) result {
	s := r.session
	return result{
		err:     err,
		events:  s.events,
		elapsed: time.Since(s.started),
		stuck:   r.memory.stuck(s.asked.ResourceVersion),
		forgive: isInternal(err) && r.forgive.allow(time.Now()),
	}
}

// watch hands events to the store until the stream is over.
func (r *Reflector) watch() result {
	s := r.session
	err := r.events(s)
	res := r.result(err)
	r.hangUp()
	r.opts.Trace.ended(res.events, res.elapsed, err)
	return res
}

func (r *Reflector) events(s *session) error {
	for {
		e, err := s.next()
		if bad, ok := errors.AsType[*ObjectError](err); ok {
			r.opts.Trace.skipped(bad)
			r.report(err)
			continue
		}
		if err != nil {
			return err
		}
		s.events++
		r.opts.Trace.event(e)
		if err := r.apply(e); err != nil {
			return err
		}
		s.synthetic = s.synthetic && e.Type == Added
		if !s.synthetic {
			r.advance(e.ResourceVersion)
		}
	}
}

// apply hands one event to the store. The error is nil where the event is merely lost.
func (r *Reflector) apply(e Event) error {
	var err error
	switch e.Type {
	case Added:
		err = r.opts.Store.Add(e.Object)
	case Modified:
		err = r.opts.Store.Update(e.Object)
	case Deleted:
		err = r.opts.Store.Delete(e.Object)
	case Bookmark:
	default:
		return &DecodeError{What: "watch event", Err: fmt.Errorf("unknown type %q", e.Type)}
	}
	if err == nil {
		return nil
	}
	r.lost.Add(1)
	refused := &StoreError{Event: e, Err: err}
	r.opts.Trace.storeRefused(refused)
	if r.opts.RelistOnStoreError {
		return refused
	}
	r.report(refused)
	return nil
}

// advance records that the store has seen everything up to version. An event without one says
// nothing about where to resume.
func (r *Reflector) advance(version string) {
	if version == "" {
		return
	}
	if last := r.LastSyncResourceVersion(); olderThan(version, last) {
		r.opts.Trace.versionWentBack(last, version)
	}
	r.setVersion(version)
}
