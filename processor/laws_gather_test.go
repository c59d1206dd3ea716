package processor

import (
	"fmt"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

// gather hands over adds one by one, and does not flush.
func (k *kit) gather(names ...string) {
	for _, n := range adds(false, names...) {
		k.Gather(n, false)
	}
}

func TestGather(t *testing.T) {
	enforce(t, []law{{
		name:    "flush",
		promise: "what was gathered is delivered, in order, with the next Flush",
		try: func(t *testing.T, k *kit) {
			r, _ := k.join(ListenerOptions{})
			k.run()
			k.gather("web-1", "web-2")
			k.settle()
			assert.Empty(t, r.got(), "before Flush")
			k.Flush()
			k.Flush() // of nothing
			k.settle()
			assert.Equal(t, "add web-1, add web-2", r.got())
		},
	}, {
		name:    "a late handler",
		promise: "what was gathered before a handler joined goes only to the earlier handlers",
		try: func(t *testing.T, k *kit) {
			early, _ := k.join(ListenerOptions{})
			k.run()
			k.gather("web-1")
			late, _ := k.join(ListenerOptions{}, "web-1")
			k.gather("web-2")
			k.Flush()
			k.settle()
			assert.Equal(t, "add web-1, add web-2", early.got())
			assert.Equal(t, "initial web-1, add web-2", late.got())
		},
	}, {
		name:    "a removal",
		promise: "a handler that drains gets what was gathered before its removal",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{Drain: true})
			k.run()
			k.gather("web-1")
			require.NoError(t, k.RemoveListener(registration))
			k.gather("web-2")
			<-registration.Ended()
			assert.Equal(t, "add web-1", r.got())
		},
	}, {
		name:    "the end",
		promise: "a handler that drains gets what was gathered before the end of Run",
		try: func(t *testing.T, k *kit) {
			r, _ := k.join(ListenerOptions{Drain: true})
			k.run()
			k.gather("web-1")
			k.stop()
			k.gather("web-2")
			k.Flush()
			assert.Equal(t, "add web-1", r.got())
		},
	}, {
		name:    "synced",
		promise: "a registration waits for the initial adds that were gathered before upstream synced",
		try: func(t *testing.T, k *kit) {
			r, registration := k.join(ListenerOptions{})
			release := r.holdUp("initial web-1")
			k.run()
			k.Gather(adds(true, "web-1")[0], false)
			k.UpstreamSynced()
			k.settle()
			assert.False(t, registration.HasSynced())
			release()
			k.settle()
			assert.True(t, registration.HasSynced())
		},
	}, {
		name:    "distributed",
		promise: "a batch that is distributed comes after what was gathered before it",
		try: func(t *testing.T, k *kit) {
			r, _ := k.join(ListenerOptions{})
			k.run()
			k.gather("web-1")
			k.tell("web-2")
			k.settle()
			assert.Equal(t, "add web-1, add web-2", r.got())
		},
	}})
}

func TestGatheredBatches(t *testing.T) {
	var batches []string
	trace := &Trace{Distributed: func(b []Notification, isSync bool) {
		batches = append(batches, fmt.Sprintf("%d sync=%v", len(b), isSync))
	}}
	enforce(t, []law{{
		name: "full", options: Options{Trace: trace},
		promise: "a batch has 128 gathered notifications, and no more",
		try: func(t *testing.T, k *kit) {
			for range 2*maxBatch + 3 {
				k.gather("web-1")
			}
			full := "128 sync=false"
			assert.Equal(t, []string{full, full}, batches)
			k.Flush()
			assert.Equal(t, []string{full, full, "3 sync=false"}, batches)
		},
	}, {
		name: "sync and others", options: Options{Trace: trace},
		promise: "sync notifications never share a batch with others, and the order is kept",
		try: func(t *testing.T, k *kit) {
			batches = nil
			n := adds(false, "web-1")[0]
			k.Gather(n, false)
			k.Gather(n, false)
			k.Gather(n, true)
			k.Gather(n, false)
			k.Flush()
			assert.Equal(t, []string{"2 sync=false", "1 sync=true", "1 sync=false"}, batches)
		},
	}, {
		name:    "due when gathered",
		promise: "a sync notification goes to the handlers that were due when it was gathered",
		options: Options{ResyncPeriod: time.Second},
		try: func(t *testing.T, k *kit) {
			r, _ := k.join(ListenerOptions{ResyncPeriod: time.Second})
			k.run()
			k.Gather(adds(false, "web-1")[0], true)
			k.ShouldResync() // from now on the handler is not due
			k.Flush()
			k.settle()
			assert.Equal(t, "add web-1", r.got())
		},
	}})
}

func TestInitialBatches(t *testing.T) {
	enforce(t, []law{{
		name:    "freed",
		promise: "an initial object can be freed when its batch of 128 has been delivered",
		try: func(t *testing.T, k *kit) {
			const objects = 10 * maxBatch
			initial := make([]watchglass.Object, objects)
			alive := make([]weak.Pointer[testObject], objects)
			for i := range initial {
				obj := pod(fmt.Sprint("web-", i), "1")
				initial[i], alive[i] = obj, weak.Make(obj)
			}
			last := make(chan struct{})
			_, err := k.AddListener(ResourceEventHandlerFuncs{
				AddFunc: func(obj watchglass.Object, _ bool) {
					if obj.GetName() == fmt.Sprint("web-", objects-1) {
						<-last
					}
				},
			}, ListenerOptions{}, initial)
			require.NoError(t, err)
			clear(initial)
			k.run()
			runtime.GC()
			left := 0
			for _, p := range alive {
				if p.Value() != nil {
					left++
				}
			}
			close(last)
			assert.LessOrEqual(t, left, maxBatch)
		},
	}, {
		name:    "not kept",
		promise: "AddListener does not keep the caller's slice of initial objects",
		try: func(t *testing.T, k *kit) {
			initial := pods("web-1")
			r := &recorder{}
			_, err := k.AddListener(r, ListenerOptions{}, initial)
			require.NoError(t, err)
			clear(initial)
			k.run()
			assert.Equal(t, "initial web-1", r.got())
		},
	}})
}
