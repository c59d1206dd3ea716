package processor

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDelivery(t *testing.T) {
	enforce(t, []law{{
		name:    "order",
		promise: "a handler gets every notification once and in order, however they are batched",
		try: func(t *testing.T, k *kit) {
			r, _ := k.join(ListenerOptions{})
			k.run()
			release := r.holdUp("add web-1") // so that some go through the ring and some do not
			k.tell("web-1", "web-2")
			k.tell("web-3")
			k.settle()
			k.tell("web-4")
			k.Distribute([]Notification{
				UpdateNotification(pod("web-4", "1"), pod("web-4", "2")),
				DeleteNotification(pod("web-4", "2")),
			}, false)
			release()
			k.settle()
			k.tell("web-5")
			k.settle()
			assert.Equal(t, "add web-1, add web-2, add web-3, add web-4, update web-4 1→2, "+
				"delete web-4, add web-5", r.got())
		},
	}, {
		name:    "one order",
		promise: "all handlers get the same order, even if several goroutines distribute",
		try: func(t *testing.T, k *kit) {
			first, _ := k.join(ListenerOptions{})
			second, _ := k.join(ListenerOptions{})
			k.run()
			var all sync.WaitGroup
			for source := range 4 {
				all.Go(func() {
					for i := range 50 {
						k.tell(fmt.Sprintf("web-%d-%d", source, i))
					}
				})
			}
			all.Wait()
			k.settle()
			assert.Len(t, first.list(), 200)
			assert.Equal(t, first.list(), second.list())
		},
	}, {
		name:    "a slow handler",
		promise: "Distribute does not wait for handlers, and a blocked handler delays no other",
		try: func(t *testing.T, k *kit) {
			slow, slowly := k.join(ListenerOptions{})
			fast, _ := k.join(ListenerOptions{})
			release := slow.holdUp("add web-1")
			k.run()
			k.tell("web-1")
			for range 10_000 {
				k.tell("web-2")
			}
			k.settle()
			assert.Len(t, fast.list(), 10_001)
			assert.Empty(t, slow.list())
			assert.Equal(t, 10_000, slowly.Pending())
			require.NoError(t, slowly.listener.checkRing())
			release()
			k.settle()
			assert.Len(t, slow.list(), 10_001)
		},
	}, {
		name:    "memory",
		promise: "the memory of a ring that has grown is given back when the handler catches up",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			release := r.holdUp("add web-1")
			k.run()
			for range 1000 {
				k.tell("web-1")
			}
			k.settle()
			assert.Equal(t, 1024, registration.listener.ring.Cap())
			release()
			k.settle()
			assert.Equal(t, minRing, registration.listener.ring.Cap())
			require.NoError(t, registration.listener.checkRing())
		},
	}, {
		name: "gauges",
		promise: "Pending does not count the current call, HighWater never falls, " +
			"Delivered counts calls that have returned",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			release := r.holdUp("add web-1")
			k.run()
			k.tell("web-1")
			k.settle()
			gauges := func() []int {
				return []int{
					registration.Pending(), registration.HighWater(), registration.Delivered(),
				}
			}
			assert.Equal(t, []int{0, 1, 0}, gauges())
			k.tell("web-2", "web-3")
			k.tell("web-4")
			k.settle()
			assert.Equal(t, []int{3, 3, 0}, gauges())
			release()
			k.settle()
			assert.Equal(t, []int{0, 3, 4}, gauges())
		},
	}, {
		name:    "twice",
		promise: "a handler added twice has two registrations, each of which is removed alone",
		try: func(t *testing.T, k *kit) {
			r, first := k.join(ListenerOptions{})
			second, err := k.AddListener(r, ListenerOptions{}, nil)
			require.NoError(t, err)
			assert.Equal(t, "*processor.recorder-1", first.Name(), "its type and a number")
			assert.Equal(t, "*processor.recorder-2", second.Name())
			k.run()
			k.tell("web-1")
			k.settle()
			assert.Equal(t, "add web-1, add web-1", r.got())
			require.NoError(t, k.RemoveListener(first))
			k.tell("web-2")
			k.settle()
			assert.Equal(t, "add web-1, add web-1, add web-2", r.got())
		},
	}, {
		name:    "nothing",
		promise: "an empty batch is ignored, and no trace is called",
		options: Options{Trace: &Trace{
			Distributed: func([]Notification, bool) { panic("distributed nothing") },
			Pending:     func(string, int) { panic("pending nothing") },
		}},
		try: func(t *testing.T, k *kit) {
			k.join(ListenerOptions{})
			k.run()
			k.Distribute(nil, false)
			k.settle()
		},
	}})
}

func TestLateJoiner(t *testing.T) {
	enforce(t, []law{{
		name:    "initial first",
		promise: "a handler that joins late gets its synthetic adds before anything newer",
		try: func(t *testing.T, k *kit) {
			k.run()
			k.tell("web-0")
			r, _ := k.join(ListenerOptions{}, "web-1", "web-2")
			k.tell("web-3")
			k.settle()
			assert.Equal(t, "initial web-1, initial web-2, add web-3", r.got())
		},
	}, {
		name:    "only the late handler",
		promise: "the synthetic adds of one handler go to no other",
		try: func(t *testing.T, k *kit) {
			old, _ := k.join(ListenerOptions{})
			k.run()
			k.join(ListenerOptions{}, "web-1")
			k.settle()
			assert.Empty(t, old.got())
		},
	}, {
		name:    "no waiting",
		promise: "AddListener does not wait for the handler to take its initial adds",
		try: func(t *testing.T, k *kit) {
			k.run()
			r := &recorder{}
			release := r.holdUp("initial web-1")
			registration, err := k.AddListener(r, ListenerOptions{}, pods("web-1", "web-2"))
			require.NoError(t, err)
			k.settle()
			assert.Equal(t, 1, registration.Pending())
			release()
		},
	}, {
		name:    "no handler",
		promise: "AddListener refuses a nil handler, which would crash at the first call",
		try: func(t *testing.T, k *kit) {
			_, err := k.AddListener(nil, ListenerOptions{}, nil)
			assert.Error(t, err)
		},
	}})
}

func TestBeforeAndAfterRun(t *testing.T) {
	enforce(t, []law{{
		name:    "before",
		promise: "before Run nothing is delivered, nothing is lost, and no method waits",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{}, "web-1")
			k.tell("web-2")
			k.settle()
			assert.Empty(t, r.got())
			assert.Equal(t, 2, registration.Pending())
			k.run()
			assert.Equal(t, "initial web-1, add web-2", r.got())
		},
	}, {
		name:    "after",
		promise: "after Run AddListener returns ErrStopped, and all other methods do nothing",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			k.run()
			k.stop()
			_, err := k.AddListener(&recorder{}, ListenerOptions{}, nil)
			require.ErrorIs(t, err, ErrStopped)
			require.NoError(t, k.RemoveListener(registration))
			require.NoError(t, k.ShutDownListener(t.Context(), registration))
			k.tell("web-1")
			k.UpstreamSynced()
			assert.False(t, k.ShouldResync())
			k.settle()
			assert.Empty(t, r.got())
			assert.False(t, registration.HasSynced())
		},
	}, {
		name:    "twice",
		promise: "a second Run returns immediately, during and after the first",
		try: func(t *testing.T, k *kit) {
			k.run()
			k.Run(t.Context())
			k.stop()
			k.Run(t.Context())
		},
	}, {
		name:    "stop waits",
		promise: "Run returns when the last call has returned, and drops what waits behind it",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			release := r.holdUp("add web-1")
			k.run()
			k.tell("web-1", "web-2")
			k.tell("web-3")
			k.settle()
			k.cancel()
			k.settle()
			assert.False(t, isClosed(k.ended), "Run waits for the call")
			assert.False(t, isClosed(registration.Ended()))
			release()
			<-k.ended
			assert.True(t, isClosed(registration.Ended()))
			assert.Equal(t, "add web-1", r.got())
			assert.Zero(t, registration.Pending())
		},
	}, {
		name:    "stop waits for a removed handler",
		promise: "Run waits for the last call of a handler that was removed before it ended",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			release := r.holdUp("add web-1")
			k.run()
			k.tell("web-1")
			k.settle()
			require.NoError(t, k.RemoveListener(registration))
			k.cancel()
			k.settle()
			assert.False(t, isClosed(k.ended))
			release()
		},
	}})
}
