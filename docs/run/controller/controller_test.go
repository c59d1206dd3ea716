package main

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
)

const ms = time.Millisecond

// The refusals are injected, so no event follows them: if the controller does not try again, the
// widget stays as it is.
func TestEachRefusalIsRetried(t *testing.T) {
	for _, code := range []int{404, 409, 422, 429, 500} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, 0)
				r.fails(code, 4)
				r.create("web-1", "red")
				pass(time.Second)
				assert.Equal(t, "red", r.onServer("web-1").Status.Color,
					"%d must not end the attempts", code)
				assert.Equal(t, []time.Duration{5 * ms, 10 * ms, 20 * ms, 40 * ms}, r.road.gaps(),
					"each attempt waits twice as long as the one before")
				r.agrees()
			})
		})
	}
}

func TestRetriesWaitForRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 0)
		for _, after := range []time.Duration{7 * time.Second, 12 * time.Hour} {
			r.server.Inject(fakeapi.Fault{
				Kind: fakeapi.FaultStatus, Verb: "update", Code: 429, RetryAfter: after,
			})
		}
		r.create("web-1", "red")
		pass(time.Hour)
		assert.Equal(t, []time.Duration{7 * time.Second, 5 * time.Minute}, r.road.gaps(),
			"the controller waits as long as Retry-After says, five minutes at most")
		r.agrees()
	})
}

// A write based on an old state would delete what another program wrote in the meantime.
func TestAConflictLosesNoUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 0)
		r.create("web-1", "red")
		pass(time.Second)
		slow(r.server, time.Second, 1)
		r.paint("web-1", "blue")
		pass(500 * ms) // the write is on its way
		require.NoError(t, writeNote(r.server, "web-1", "inspected"))
		pass(time.Minute)
		assert.Equal(t, "blue", r.onServer("web-1").Status.Color)
		assert.Equal(t, "inspected", r.onServer("web-1").Status.Note)
		assert.Len(t, r.road.sent(), 3, "the write that was refused is sent again, once")
		r.agrees()
	})
}

// Otherwise a key that is queued again during its write would be written from the old state.
func TestAWorkerWaitsUntilTheCacheShowsItsWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 300*ms)
		pass(time.Second)
		slow(r.server, 100*ms, 1)
		r.create("web-1", "red")
		pass(350 * ms)
		require.Len(t, r.road.sent(), 1, "the write is on its way")
		r.c.queue.Add("default/web-1")
		pass(100 * ms)
		require.Equal(t, "red", r.onServer("web-1").Status.Color)
		cached, _ := r.c.widgets.Lister().Get("default/web-1")
		require.Empty(t, cached.Status.Color, "the cache is behind the write")
		pass(time.Minute)
		assert.Len(t, r.road.sent(), 1, "the second look finds the written state")
		r.agrees()
	})
}

// For an hour every write fails. The controller goes on trying, about once a minute.
func TestNoFailedWriteIsAHotLoop(t *testing.T) {
	for _, f := range []fakeapi.Fault{
		{Kind: fakeapi.FaultStatus, Code: 500},
		{Kind: fakeapi.FaultStatus, Code: 429, RetryAfter: time.Second},
		{Kind: fakeapi.FaultHang},
	} {
		t.Run(fmt.Sprint(f.Kind, f.Code), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, 0)
				f.Verb, f.Count = "update", -1
				r.server.Inject(f)
				r.create("web-1", "red")
				pass(time.Hour)
				assert.LessOrEqual(t, len(r.road.sent()), 60+20, "the server is flooded")
				assert.GreaterOrEqual(t, len(r.road.sent()), 50, "the controller has given up")
				r.server.Heal()
				pass(2 * time.Minute)
				r.agrees()
			})
		})
	}
}
