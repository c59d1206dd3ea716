package reflector

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"example.com/watchglass"
)

// open asks for a watch. If the server refuses it, with a 410 for example, that is an error here.
func (r *Reflector) open(ctx context.Context, state State) facts {
	s := r.newSession(ctx, r.watchOptions(state))
	r.session = s
	if state != OpeningWatch {
		r.limitStream(s)
	}
	if r.trace.Opening != nil {
		r.trace.Opening(s.asked)
	}
	watch, err := r.opts.ListerWatcher.Watch(s.ctx, s.asked)
	s.waiting.Store(false)
	if err != nil {
		f := r.factsOf(state, reason(s.ctx, err))
		r.hangUp()
		return f
	}
	s.watch = watch
	if r.trace.Opened != nil {
		r.trace.Opened(s.asked)
	}
	return facts{}
}

// watchOptions are the parameters of the next watch. It always asks for bookmarks: without them,
// the recorded version of a collection in which nothing happens would become too old for a watch.
func (r *Reflector) watchOptions(state State) ListOptions {
	opts := ListOptions{
		ResourceVersion:     r.LastSyncResourceVersion(),
		AllowWatchBookmarks: true,
		TimeoutSeconds:      watchSeconds(r.opts.MinWatchTimeout, rand.Float64()),
	}
	if state != OpeningWatch {
		opts.SendInitialEvents, opts.ResourceVersionMatch = true, "NotOlderThan"
	}
	if state == OpeningLatestStream {
		opts.ResourceVersion = ""
	}
	return opts
}

// watchSeconds is a random time between least and its double; random is in [0, 1). Watches that
// began together, after a restart of the server, do not end together.
func watchSeconds(least time.Duration, random float64) int64 {
	return int64(least.Seconds() * (1 + random))
}

// watch hands events to the store until the stream is over.
func (r *Reflector) watch() facts { return r.end(Watching, r.events(r.session)) }

// end closes a stream that is over, and returns how it ended.
func (r *Reflector) end(state State, err error) facts {
	f := r.factsOf(state, err)
	r.hangUp()
	if r.trace.Ended != nil {
		r.trace.Ended(f.events, f.elapsed, err)
	}
	return f
}

// events reads the stream and returns why it ended: an orderly end, a lost connection, or an error
// that the server sent, a 410 included. The store takes an event before its version is recorded: a
// caller of LastSyncResourceVersion, or a later Run, must not find a version for which the store
// lacks an event.
func (r *Reflector) events(s *session) error {
	for {
		e, err := r.nextEvent(s)
		if err != nil {
			return err
		}
		if err := r.apply(e); err != nil {
			return err
		}
		s.synthetic = s.synthetic && e.Type == Added
		if !s.synthetic && e.ResourceVersion != "" {
			r.advance(e.ResourceVersion)
		}
	}
}

// nextEvent returns the next event that can be used.
func (r *Reflector) nextEvent(s *session) (Event, error) {
	for s.ctx.Err() == nil {
		e, err := s.next()
		if bad, ok := errors.AsType[*ObjectError](err); ok {
			// The frame was complete, so the next event can be read. A new stream would bring the
			// same unusable object again.
			r.countOne(&r.stats.Skipped)
			if r.trace.Skipped != nil {
				r.trace.Skipped(bad)
			}
			r.report(err)
			continue
		}
		if err != nil {
			return e, err
		}
		s.events++
		if r.trace.Event != nil {
			r.trace.Event(e)
		}
		return e, nil
	}
	return Event{}, context.Cause(s.ctx)
}

// apply gives one event to the store. If the store refuses it, apply returns that error, or nil
// with IgnoreStoreErrors: then the event is lost.
func (r *Reflector) apply(e Event) error {
	var err error
	switch e.Type {
	case Added:
		err = r.opts.Store.Add(e.Object)
	case Modified:
		err = r.opts.Store.Update(e.Object)
	case Deleted:
		err = r.opts.Store.Delete(e.Object)
	case Bookmark: // carries nothing but a version
	default:
		return unknownType(e)
	}
	if err == nil {
		return nil
	}
	r.countOne(&r.stats.Lost)
	refused := &StoreError{Event: e, Err: err}
	if r.trace.StoreRefused != nil {
		r.trace.StoreRefused(refused)
	}
	if !r.opts.IgnoreStoreErrors {
		return refused
	}
	r.report(refused)
	return nil
}

// unknownType is an error that ends a stream, because what such an event has changed is unknown.
func unknownType(e Event) error {
	return &DecodeError{What: "watch event", Err: fmt.Errorf("unknown type %q", e.Type)}
}

// advance records that the store has seen everything up to version.
func (r *Reflector) advance(version string) {
	before := r.record(version)
	if r.trace.VersionWentBack != nil && olderThan(version, before) {
		r.trace.VersionWentBack(before, version)
	}
}

// olderThan reports whether a is older than b. It is false if that can't be told.
func olderThan(a, b string) bool {
	order, err := watchglass.CompareResourceVersion(a, b)
	return err == nil && order < 0
}

// session is one watch, from the request to the end.
type session struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc // ends ctx, and with it the watch
	watch   Watch                   // nil while it is being opened
	asked   ListOptions
	started time.Time // when it was asked for or, after initial events, when these were complete
	events  int       // that could be used, bookmarks included

	// synthetic: all events so far may be objects of the initial state. They come in no particular
	// order of versions, so no watch can go on from the version of one of them.
	synthetic bool

	idle    *time.Timer // cancels with ErrIdle, if waiting
	silence time.Duration
	waiting atomic.Bool // for the server; false while the store works, which is no silence

	giveUp *time.Timer // of a streaming list: cancels with ErrNoInitialEventsEnd; else nil
}

// newSession prepares a watch. The idle timer starts before the request, because some proxies hold
// back the response until there is something in it.
func (r *Reflector) newSession(ctx context.Context, asked ListOptions) *session {
	s := &session{
		asked:     asked,
		started:   time.Now(),
		synthetic: asked.ResourceVersion == "" || asked.ResourceVersion == anyVersion,
		silence:   r.opts.IdleTimeout,
	}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	if s.silence <= 0 {
		s.silence = time.Duration(asked.TimeoutSeconds)*time.Second + 30*time.Second
	}
	s.waiting.Store(true)
	s.idle = time.AfterFunc(s.silence, func() {
		if s.waiting.Load() {
			s.cancel(ErrIdle)
		}
	})
	r.mu.Lock()
	r.interrupt = s.cancel
	r.mu.Unlock()
	return s
}

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
	if s.giveUp != nil {
		s.giveUp.Stop()
	}
	s.cancel(nil)
	if s.watch != nil {
		_ = s.watch.Close() // the watch is over, and its error changes nothing
	}
}

// next waits for the next event. After the context has ended it returns none, even if more have
// arrived: with a slow store they would keep the reflector busy for minutes.
func (s *session) next() (Event, error) {
	s.idle.Reset(s.silence) // before waiting is set, or the store's time could still fire the timer
	s.waiting.Store(true)
	e, err := s.watch.Next()
	s.waiting.Store(false)
	if err == nil && s.ctx.Err() != nil {
		err = context.Cause(s.ctx)
	}
	return e, reason(s.ctx, err)
}

// reason returns why ctx has ended (an idle watch, a failed resync) in place of the error of the
// connection, which is then only "context canceled". Errors about what the server sent stay as they
// are: a refusal is a refusal, even if its last bytes came too late.
func reason(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && isLost(err) {
		return context.Cause(ctx)
	}
	return err
}

// factsOf returns the facts about the watch under way, which has ended in state with err.
func (r *Reflector) factsOf(state State, err error) facts {
	s, version := r.session, r.LastSyncResourceVersion()
	asked := s.asked.ResourceVersion
	return facts{
		err:      err,
		events:   s.events,
		elapsed:  time.Since(s.started),
		progress: version != "" && asked == "" || olderThan(asked, version),
		stuck:    r.memory.stuck(version),
		forgiven: state == Watching && IsInternalError(err) && r.forgive.allow(time.Now()),
	}
}
