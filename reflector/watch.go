package reflector

import (
	"math/rand/v2"
	"time"

	"example.com/watchglass"
)

// watchOptions returns the parameters of the next watch. It always asks for bookmarks: without
// them, the recorded version of a collection in which nothing happens would become too old for a
// watch. How long it is to last is random, so that watches that began together, after a restart of
// the server, do not end together.
func (r *Reflector) watchOptions() ListOptions {
	return ListOptions{
		ResourceVersion:     r.LastSyncResourceVersion(),
		AllowWatchBookmarks: true,
		TimeoutSeconds:      int64(watchTimeout.Seconds() * (1 + rand.Float64())),
	}
}

// open asks for the watch of a session, which is the one under way from then on. If the server
// refuses it, with a 410 for example, open returns that as an error.
func (r *Reflector) open(s *session) facts {
	r.session.Store(s)
	if r.trace.Opening != nil {
		r.trace.Opening(s.asked)
	}
	watch, err := r.config.ListerWatcher.Watch(s.ctx, s.asked)
	if err == nil && watchglass.IsNil(watch) {
		err = noAnswer("watch")
	}
	if err != nil {
		return r.end(endCause(s.ctx, err))
	}
	s.watch = watch
	if r.trace.Opened != nil {
		r.trace.Opened(s.asked)
	}
	if !s.asked.SendInitialEvents { // the events of a list may still turn out to be unusable
		r.tally(func(s *Stats) { s.Failures = 0 })
	}
	return facts{}
}

// watch hands events to the store until the stream is over.
func (r *Reflector) watch() facts {
	return r.end(r.events(r.session.Load()))
}

// end closes the session under way, which is over, and returns how it ended.
func (r *Reflector) end(err error) facts {
	s, version := r.session.Load(), r.LastSyncResourceVersion()
	asked := s.asked.ResourceVersion
	f := facts{
		err:      err,
		stuck:    version == r.stuckAt,
		events:   s.events,
		elapsed:  time.Since(s.started),
		progress: version != "" && asked == "" || olderThan(asked, version),
	}
	r.hangUp()
	if s.watch != nil {
		if r.trace.Ended != nil {
			r.trace.Ended(f.events, f.elapsed, err)
		}
	}
	return f
}

// hangUp closes the session under way, if there is one.
func (r *Reflector) hangUp() {
	if s := r.session.Swap(nil); s != nil {
		s.close()
	}
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
			r.record(e.ResourceVersion)
		}
	}
}

// nextEvent returns the next event that can be used.
func (r *Reflector) nextEvent(s *session) (Event, error) {
	for {
		e, err := s.next()
		if is[*ObjectError](err) {
			// The frame was complete, so the next event can be read. A new stream would bring the
			// same event again.
			r.report(err, failed)
			continue
		}
		if err == nil {
			s.events++
			if r.trace.Event != nil {
				r.trace.Event(e)
			}
		}
		return e, err
	}
}

// apply gives one event to the store.
func (r *Reflector) apply(e Event) (err error) {
	switch e.Type {
	case Added:
		err = r.config.Store.Add(e.Object)
	case Modified:
		err = r.config.Store.Update(e.Object)
	case Deleted:
		err = r.config.Store.Delete(e.Object)
	}
	return r.refused(e, err)
}

// refused returns the error of a store that has refused an event or, if it has no type, a list. A
// store that has only left out what cannot be used has refused nothing: that is reported, and one
// bad object does not keep the others from the store.
func (r *Reflector) refused(e Event, err error) error {
	switch {
	case err == nil:
		return nil
	case is[*watchglass.Unusable](err):
		r.report(err, failed)
		return nil
	}
	return &StoreError{Event: e, Err: err}
}

// olderThan reports whether a is older than b. It is false if that can't be told.
func olderThan(a, b string) bool {
	order, err := watchglass.CompareResourceVersion(a, b)
	return err == nil && order < 0
}
