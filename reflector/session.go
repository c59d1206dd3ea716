package reflector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// session is one watch, from the request to the end.
type session struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc // ends ctx, and with it the watch
	asked   ListOptions
	watch   Watch     // nil while it is being opened
	started time.Time // when it was asked for or, after initial events, when these were complete
	events  int       // that could be used, bookmarks included

	// synthetic: all events so far may be objects of the initial state. They come in no particular
	// order of versions, so no watch can go on from the version of one of them.
	synthetic bool

	silence time.Duration
	idle    *time.Timer // does not run while the store works; cancels with ErrIdle
	giveUp  *time.Timer // while initial events come: cancels with ErrNoInitialEventsEnd; else nil
}

// anyVersion is what stands for any state that the server has at hand.
const anyVersion = "0"

// newSession prepares a watch. The idle timer starts before the request, because some proxies hold
// back the response until there is something in it. If silence is zero, it is 30 s more than the
// time that the watch is asked to last.
func newSession(ctx context.Context, asked ListOptions, silence time.Duration) *session {
	s := &session{
		asked:     asked,
		started:   time.Now(),
		synthetic: asked.ResourceVersion == "" || asked.ResourceVersion == anyVersion,
		silence:   cmp.Or(max(0, silence), time.Duration(asked.TimeoutSeconds+30)*time.Second),
	}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.idle = time.AfterFunc(s.silence, func() { s.cancel(ErrIdle) })
	return s
}

var eventTypes = []EventType{Added, Modified, Deleted, Bookmark}

// next waits for the next event. The time that the store takes is no silence of the server, so the
// timer stops in between. After the context has ended it returns no event, even if more have
// arrived: with a slow store they would keep the reflector busy for minutes. An event of an unknown
// type ends the stream, because what it has changed is unknown. So does an event that is to be
// skipped, if it is one of the initial events: the collection may not be complete without it.
func (s *session) next() (Event, error) {
	s.idle.Reset(s.silence)
	e, err := s.watch.Next()
	s.idle.Stop()
	switch unusable, ok := errors.AsType[*ObjectError](err); {
	case ok && s.giveUp != nil:
		err = &DecodeError{What: "initial " + string(unusable.Type) + " event", Err: unusable.Err}
	case err != nil:
		err = endCause(s.ctx, err)
	case s.ctx.Err() != nil:
		err = context.Cause(s.ctx)
	case !slices.Contains(eventTypes, e.Type):
		err = &DecodeError{What: "watch event", Err: fmt.Errorf("unknown type %q", e.Type)}
	}
	return e, err
}

// close ends the watch.
func (s *session) close() {
	s.idle.Stop()
	if s.giveUp != nil {
		s.giveUp.Stop()
	}
	s.cancel(nil)
	if s.watch != nil {
		_ = s.watch.Close() // the watch is over, and its error changes nothing
	}
}

// endCause returns why ctx has ended (an idle watch, a failed resync) in place of the error of the
// connection, which is then only "context canceled". Errors about what the server sent stay as they
// are: a refusal is a refusal, even if its last bytes came too late.
func endCause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && isLost(err) {
		return context.Cause(ctx)
	}
	return err
}
