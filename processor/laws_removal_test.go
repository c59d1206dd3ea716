package processor

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRemoval(t *testing.T) {
	dropped := -1
	countDropped := &Trace{ListenerEnded: func(_ string, n int) { dropped = n }}
	enforce(t, []law{{
		name: "drops", options: Options{Trace: countDropped},
		promise: "removal drops what waits, the rest of the current batch included",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			release := r.holdUp("add web-1")
			k.run()
			k.tell("web-1", "web-2") // the current call, and the rest of its batch
			k.tell("web-3")          // held by pop
			k.tell("web-4", "web-5") // in the ring
			k.settle()
			require.NoError(t, k.RemoveListener(registration))
			k.tell("web-6")
			k.settle()
			assert.Zero(t, registration.Dropped(), "the handler has not ended yet")
			_, open := <-registration.listener.nextCh
			assert.False(t, open, "pop ends without waiting for the handler")
			release()
			k.settle()
			assert.Equal(t, "add web-1", r.got())
			assert.Equal(t, 4, dropped)
			assert.Equal(t, 4, registration.Dropped())
			assert.Zero(t, registration.Pending())
			assert.Zero(t, registration.listener.ring.Cap(), "the registration keeps nothing alive")
		},
	}, {
		name:    "never synced",
		promise: "a registration removed before its initial list is delivered is never synced",
		try: func(t *testing.T, k *kit) {
			k.run()
			k.UpstreamSynced()
			r := &recorder{}
			release := r.holdUp("initial web-1")
			registration, err := k.AddListener(r, ListenerOptions{}, pods("web-1", "web-2"))
			require.NoError(t, err)
			k.settle()
			require.NoError(t, k.RemoveListener(registration))
			release()
			k.settle()
			assert.False(t, registration.HasSynced())
		},
	}, {
		name:    "drain",
		promise: "a handler that drains gets what waited at its removal, and nothing newer",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{Drain: true})
			release := r.holdUp("add web-1")
			k.run()
			k.tell("web-1", "web-2")
			k.tell("web-3")
			k.tell("web-4")
			k.settle()
			require.NoError(t, k.RemoveListener(registration))
			k.tell("web-5")
			release()
			<-registration.Ended()
			assert.Equal(t, "add web-1, add web-2, add web-3, add web-4", r.got())
			assert.Zero(t, registration.Dropped())
		},
	}, {
		name:    "drain at the end",
		promise: "at the end of Run a handler that drains gets what waits, and Run waits for it",
		try: func(t *testing.T, k *kit) {
			r, _ := k.join(ListenerOptions{Drain: true})
			r.before = func(string) { time.Sleep(time.Minute) }
			k.run()
			k.tell("web-1", "web-2")
			k.tell("web-3")
			k.settle()
			k.stop()
			assert.Equal(t, "add web-1, add web-2, add web-3", r.got())
		},
	}, {
		name:    "twice, and of another processor",
		promise: "removing twice is no error; a registration of another processor is ErrForeign",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			_, other := (&kit{t: t, SharedProcessor: New(Options{})}).join(ListenerOptions{})
			k.run()
			require.ErrorIs(t, k.RemoveListener(other), ErrForeign)
			assert.False(t, isClosed(other.Ended()))
			k.tell("web-1")
			k.settle()
			require.NoError(t, k.RemoveListener(registration))
			require.NoError(t, k.RemoveListener(registration))
			assert.Equal(t, "add web-1", r.got())
			require.ErrorIs(t, k.RemoveListener(nil), ErrForeign)
		},
	}, {
		name:    "before Run",
		promise: "a handler removed before Run is never called, and has ended when it is removed",
		options: Options{Trace: countDropped},
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{Drain: true}, "web-1")
			require.NoError(t, k.RemoveListener(registration))
			assert.True(t, isClosed(registration.Ended()))
			assert.Equal(t, 1, dropped)
			k.run()
			assert.Empty(t, r.got())
		},
	}, {
		name:    "does not wait",
		promise: "RemoveListener does not wait for the current call",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			release := r.holdUp("add web-1")
			k.run()
			k.tell("web-1")
			k.settle()
			require.NoError(t, k.RemoveListener(registration))
			assert.False(t, isClosed(registration.Ended()))
			release()
			k.settle()
			assert.True(t, isClosed(registration.Ended()))
		},
	}})
}

func TestShutDownListener(t *testing.T) {
	enforce(t, []law{{
		name:    "waits",
		promise: "ShutDownListener returns when the last call has returned",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			r.before = func(string) { time.Sleep(time.Minute) }
			k.run()
			k.tell("web-1", "web-2")
			k.settle()
			began := time.Now()
			require.NoError(t, k.ShutDownListener(t.Context(), registration))
			assert.Equal(t, time.Minute, time.Since(began))
			assert.Equal(t, "add web-1", r.got())
		},
	}, {
		name:    "no longer than its context",
		promise: "if its context ends, ShutDownListener returns the cause, and the handler is removed",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			release := r.holdUp("add web-1")
			defer release()
			k.run()
			k.tell("web-1", "web-2")
			k.settle()
			enough := errors.New("waited long enough")
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, enough)
			defer cancel()
			require.ErrorIs(t, k.ShutDownListener(ctx, registration), enough)
			release()
			k.settle()
			assert.Equal(t, "add web-1", r.got())
		},
	}, {
		name:    "foreign",
		promise: "ShutDownListener of another processor's handler is ErrForeign, and does not wait",
		try: func(t *testing.T, k *kit) {
			_, other := (&kit{t: t, SharedProcessor: New(Options{})}).join(ListenerOptions{})
			k.run()
			require.ErrorIs(t, k.ShutDownListener(t.Context(), other), ErrForeign)
			require.ErrorIs(t, k.ShutDownListener(t.Context(), nil), ErrForeign)
			assert.False(t, isClosed(other.Ended()))
		},
	}, {
		name:    "never started",
		promise: "before Run, ShutDownListener does not wait",
		try: func(t *testing.T, k *kit) {
			_, registration := k.join(ListenerOptions{}, "web-1")
			require.NoError(t, k.ShutDownListener(t.Context(), registration))
		},
	}})
}

// A handler may call any method, at any time: no lock is held while it runs, and no goroutine that
// holds a lock waits for it. In client-go, which holds its lock while it waits for the handlers to
// end, a handler that removes itself while the informer stops causes a deadlock.
func TestCallsFromAHandler(t *testing.T) {
	everything := func(k *kit, mine *Registration) {
		k.Distribute(adds(false, "web-9"), true)
		k.ShouldResync()
		k.SettleResyncPeriod()
		k.UpstreamSynced()
		other, err := k.AddListener(ResourceEventHandlerFuncs{}, ListenerOptions{}, nil)
		if err == nil {
			_ = k.RemoveListener(other)
			<-other.Ended()
		}
		_ = k.RemoveListener(mine)
	}
	enforce(t, []law{{
		name:    "in steady state",
		promise: "a handler may call every method, and remove itself: then it is not called again",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			r.before = func(string) { everything(k, registration) }
			k.run()
			k.tell("web-1", "web-2")
			k.settle()
			assert.Equal(t, "add web-1", r.got())
			assert.True(t, isClosed(registration.Ended()))
		},
	}, {
		name:    "while the processor stops",
		promise: "a handler may call every method while Run waits for it to return",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			stopping := make(chan struct{})
			r.before = func(string) {
				<-stopping
				everything(k, registration)
			}
			k.run()
			k.tell("web-1")
			k.settle()
			k.cancel()
			k.settle() // Run waits for the handler
			close(stopping)
			<-k.ended
			assert.Equal(t, "add web-1", r.got())
		},
	}, {
		name:    "shutting itself down",
		promise: "a handler that shuts itself down waits until the context ends, not forever",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			var err error
			r.before = func(string) {
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				defer cancel()
				err = k.ShutDownListener(ctx, registration)
			}
			k.run()
			k.tell("web-1")
			<-registration.Ended()
			require.ErrorIs(t, err, context.DeadlineExceeded)
		},
	}})
}
