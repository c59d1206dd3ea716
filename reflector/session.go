package reflector

import (
	"context"
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
		silence = time.Duration(asked.TimeoutSeconds)*time.Second + idleMargin
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
	s.idle.Reset(s.silence) // no earlier: the store's time is not the server's
	e, err := s.watch.Next()
	s.idle.Stop()
	return e, s.reason(err)
}

// reason is the cause of the cancellation: the server's silence, a failed resync. All that the
// connection knows of it is "context canceled".
func (s *session) reason(err error) error {
	if err == nil || s.ctx.Err() == nil {
		return err
	}
	return context.Cause(s.ctx)
}

// result describes how the watch under way has ended.
func (r *Reflector) result(err error) result {
	s := r.session
	return result{
		err:     err,
		events:  s.events,
		elapsed: time.Since(s.started),
		stuck:   r.memory.stuck(r.LastSyncResourceVersion()),
		forgive: isInternal(err) && r.forgive.allow(time.Now()),
	}
}
