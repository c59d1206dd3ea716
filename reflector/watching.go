package reflector

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// open asks for a watch.
func (r *Reflector) open(ctx context.Context, state State) result {
	s := r.newSession(ctx, r.watchOptions(state))
	r.session = s
	r.opts.Trace.opening(s.asked)
	watch, err := r.opts.ListerWatcher.Watch(s.ctx, s.asked)
	if err != nil {
		res := r.result(s.reason(err))
		r.hangUp()
		return res
	}
	s.watch = watch
	r.opts.Trace.opened(s.asked)
	return result{}
}

// watchOptions says what to ask a watch for. Bookmarks are always wanted: without them a collection
// in which nothing happens would have a version that grows too old to resume from.
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

// watchSeconds spreads the ends of many watches that began together, after a restart of the server,
// say. It is a random time between least and its double; random is in [0, 1).
func watchSeconds(least time.Duration, random float64) int64 {
	return int64(least.Seconds() * (1 + random))
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

// events is the loop that everything else is for. It returns when the stream has nothing more to
// give, with the reason.
//
// The store first, the version behind it: if the program is stopped in between, or asks for the
// version, it must not find one for which the store lacks an event.
func (r *Reflector) events(s *session) error {
	for {
		e, err := s.next()
		if err != nil {
			if r.skip(err) {
				continue
			}
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

// skip reports whether err is about one event only. The stream is in step, so the next event can be
// read; to give up a stream for an object that nobody could use anyway would gain nothing.
func (r *Reflector) skip(err error) bool {
	bad, ok := errors.AsType[*ObjectError](err)
	if ok {
		r.opts.Trace.skipped(bad)
		r.report(err)
	}
	return ok
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
	case Bookmark: // is about the version alone
	default: // from another ListerWatcher than package wire's: what it would change is unknown
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
