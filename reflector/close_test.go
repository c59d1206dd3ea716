package reflector

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// countedWatches is a ListerWatcher that counts how often each of its watches was closed.
type countedWatches struct {
	events []any  // of the first watch, Event or error; then it waits
	refuse error  // if not nil, the answer to the first request for a watch
	before func() // called before each answer to a watch; may be nil
	listed func() // called before each answer to a list; may be nil
	lists  int
	late   int // contexts of watches that had not ended when the next watch was asked for
	ctxs   []context.Context
	closed []int // how often each watch was closed
}

func (l *countedWatches) List(context.Context, ListOptions) (*List, error) {
	l.lists++
	if l.listed != nil {
		l.listed()
	}
	return &List{ResourceVersion: "7"}, nil
}

func (l *countedWatches) Watch(ctx context.Context, _ ListOptions) (Watch, error) {
	for _, ctx := range l.ctxs {
		if ctx.Err() == nil {
			l.late++
		}
	}
	l.ctxs = append(l.ctxs, ctx)
	l.closed = append(l.closed, 0)
	if l.before != nil {
		l.before()
	}
	first := len(l.ctxs) == 1
	if first && l.refuse != nil {
		return nil, l.refuse
	}
	w := &countedWatch{ctx: ctx, closed: &l.closed[len(l.closed)-1]}
	if first {
		w.events = l.events
	}
	return w, nil
}

type countedWatch struct {
	ctx    context.Context
	events []any
	closed *int
}

func (w *countedWatch) Next() (Event, error) {
	if len(w.events) == 0 {
		<-w.ctx.Done()
		return Event{}, errors.New("closed")
	}
	next := w.events[0]
	w.events = w.events[1:]
	if err, ok := next.(error); ok {
		return Event{}, err
	}
	return next.(Event), nil
}

func (w *countedWatch) Close() error {
	*w.closed++
	return nil
}

func TestStoppedBeforeTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &countedWatches{}
		r, err := New(Options{ListerWatcher: l, Store: nullStore{}, ListFirst: true})
		assert.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r.Run(ctx)
		assert.Zero(t, l.lists, "a context that has ended leads to no list")
	})
}

func TestStoppedBeforeTheWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := &countedWatches{listed: cancel}
		r, err := New(Options{ListerWatcher: l, Store: nullStore{}, ListFirst: true})
		assert.NoError(t, err)
		r.Run(ctx)
		assert.Empty(t, l.ctxs, "a context that has ended leads to no watch")
	})
}

func TestStoppedInAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*ms)
		defer cancel()
		l := &countedWatches{refuse: &StatusError{Code: 429}}
		r, err := New(Options{ListerWatcher: l, Store: nullStore{}, ListFirst: true})
		assert.NoError(t, err)
		r.Run(ctx)
		assert.Len(t, l.ctxs, 1, "a context that ends in a pause leads to no further request")
	})
}

func TestAClosedWatchHasNoIdleTimer(t *testing.T) {
	r, s := eventsOnly(t, 0, nil)
	r.session.Store(s)
	r.hangUp()
	assert.False(t, s.idle.Stop(), "the idle timer of a closed watch has been stopped")
}

func TestStoppedWhileOpening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := &countedWatches{before: cancel, closed: make([]int, 0, 9)}
		r, err := New(Options{ListerWatcher: l, Store: nullStore{}, ListFirst: true})
		assert.NoError(t, err)
		r.Run(ctx)
		assert.Equal(t, []int{1}, l.closed,
			"a watch that is granted after the context has ended is closed")
	})
}

func TestEveryWatchIsClosed(t *testing.T) {
	end := Event{Type: Bookmark, ResourceVersion: "8", InitialEventsEnd: true}
	for _, c := range []struct {
		says      string
		streaming bool
		refuse    error
		events    []any
	}{
		{says: "that ends", events: []any{end, io.EOF}},
		{says: "that breaks", events: []any{end, io.ErrUnexpectedEOF}},
		{says: "that brings nothing", events: []any{io.EOF}},
		{says: "that fails", events: []any{&StatusError{Code: 410}}},
		{says: "that brings an unknown type", events: []any{Event{Type: "WHAT"}}},
		{says: "that is silent"},
		{says: "that is refused", refuse: errors.New("no")},
		{says: "that streams and is then silent", streaming: true, events: []any{end}},
		{says: "that streams and fails", streaming: true, events: []any{&StatusError{Code: 410}}},
		{says: "that streams and has no end", streaming: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := &countedWatches{events: c.events, refuse: c.refuse, closed: make([]int, 0, 9)}
			r, err := New(Options{ListerWatcher: l, Store: nullStore{}, ListFirst: !c.streaming,
				IdleTimeout: 10 * time.Minute})
			assert.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour-time.Second)
			defer cancel()
			r.Run(ctx)
			assert.Greater(t, len(l.ctxs), 1, "another watch follows one %s", c.says)
			assert.Zero(t, l.late, "the context of a watch %s ends before the next request", c.says)
			for i := range l.ctxs {
				if i > 0 || c.refuse == nil {
					assert.Equal(t, 1, l.closed[i], "watch %d is closed once; the first is one %s", i, c.says)
				}
			}
		})
	}
}
