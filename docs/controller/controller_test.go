package main

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
)

const ms = time.Millisecond

func TestTheStatusFollowsTheSpec(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, options{})
		r.create("web-1", "red")
		rest(time.Second)
		w := r.onServer("web-1")
		assert.Equal(t, Status{Color: "red", ObservedGeneration: 1}, w.Status)
		r.paint("web-1", "blue")
		rest(time.Second)
		w = r.onServer("web-1")
		assert.Equal(t, Status{Color: "blue", ObservedGeneration: 2}, w.Status)
		assert.Len(t, r.road.sent(), 2, "one write for each change, none for the write itself")
		assert.NoError(t, r.agrees("web-1"))
	})
}

func TestAWidgetThatFitsIsNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, options{})
		r.create("web-1", "red")
		rest(time.Second)
		require.NoError(t, writeNote(r.server, "web-1", "fine"))
		_, err := r.server.Patch("widgets", "default", "web-1", `{"metadata":{"labels":{"a":"b"}}}`)
		require.NoError(t, err)
		r.server.Compact()
		r.server.DropWatches()
		rest(24 * time.Hour)
		cached, _ := r.c.widgets.Lister().Get("default/web-1")
		assert.Equal(t, map[string]string{"a": "b"}, cached.Labels, "the changes reach the controller")
		assert.Len(t, r.road.sent(), 1, "but none of them asks for a write")
		assert.Equal(t, "fine", r.onServer("web-1").Status.Note)
	})
}

// The refusals are injected, so no event follows them: if the controller does not try again, the
// widget stays as it is.
func TestEachRefusalIsRetried(t *testing.T) {
	for _, code := range []int{400, 403, 404, 409, 422, 429, 500, 503, 504} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, options{})
				r.fails(code, 4)
				r.create("web-1", "red")
				rest(time.Second)
				assert.Equal(t, "red", r.onServer("web-1").Status.Color,
					"%d must not end the attempts", code)
				assert.Equal(t, []time.Duration{5 * ms, 10 * ms, 20 * ms, 40 * ms}, r.road.gaps(),
					"each attempt waits twice as long as the one before")
				assert.NoError(t, r.agrees("web-1"))
			})
		})
	}
}

func TestSuccessForgetsFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, options{})
		r.fails(500, 3)
		r.create("web-1", "red")
		rest(time.Second)
		r.fails(500, 1)
		r.paint("web-1", "blue")
		rest(time.Second)
		gaps := r.road.gaps()
		assert.Equal(t, 5*ms, gaps[len(gaps)-1], "the first retry after a success is quick again")
	})
}

func TestRetriesWaitForRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, options{})
		for _, after := range []time.Duration{7 * time.Second, 12 * time.Hour} {
			r.server.Inject(fakeapi.Fault{
				Kind: fakeapi.FaultStatus, Verb: "update", Code: 429, RetryAfter: after,
			})
		}
		r.create("web-1", "red")
		rest(time.Hour)
		assert.Equal(t, []time.Duration{7 * time.Second, longestRetry}, r.road.gaps(),
			"the controller waits as long as Retry-After says, a minute at most")
		assert.NoError(t, r.agrees("web-1"))
	})
}

// A write based on an old state would delete what another program wrote in the meantime.
func TestAConflictLosesNoUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, options{})
		r.create("web-1", "red")
		rest(time.Second)
		slow(r.server, time.Second, 1)
		r.paint("web-1", "blue")
		rest(500 * ms) // the write is on its way
		r.notes["web-1"] = "inspected"
		require.NoError(t, writeNote(r.server, "web-1", "inspected"))
		rest(time.Minute)
		assert.Equal(t, "blue", r.onServer("web-1").Status.Color)
		assert.Len(t, r.road.sent(), 3, "the write that was refused is sent again, once")
		assert.NoError(t, r.agrees("web-1"))
	})
}

// Otherwise a key that is queued again during its write would be written from the old state.
func TestAWorkerWaitsUntilTheCacheShowsItsWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, options{})
		rest(time.Second)
		r.road.delayEvents(300 * ms)
		slow(r.server, 100*ms, 1)
		r.create("web-1", "red")
		rest(350 * ms)
		require.Len(t, r.road.sent(), 1, "the write is on its way")
		r.c.queue.Add("default/web-1")
		rest(100 * ms)
		require.Equal(t, "red", r.onServer("web-1").Status.Color)
		cached, _ := r.c.widgets.Lister().Get("default/web-1")
		require.Empty(t, cached.Status.Color, "the cache is behind the write")
		rest(time.Minute)
		assert.Len(t, r.road.sent(), 1, "the second look finds the written state")
		assert.NoError(t, r.agrees("web-1"))
	})
}

func TestAnObjectThatWasCreatedAgainIsAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, options{})
		slow(r.server, time.Second, 1)
		r.create("web-1", "red")
		rest(500 * ms) // the write is on its way
		require.NoError(t, r.server.Delete("widgets", "default", "web-1"))
		r.create("web-1", "blue")
		rest(time.Minute)
		assert.Equal(t, Status{Color: "blue", ObservedGeneration: 1}, r.onServer("web-1").Status)
		assert.NoError(t, r.agrees("web-1"))
	})
}

func TestADeletedWidgetIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, options{})
		r.fails(500, -1)
		r.create("web-1", "red")
		rest(10 * time.Second)
		require.NoError(t, r.server.Delete("widgets", "default", "web-1"))
		synctest.Wait()
		sent := len(r.road.sent())
		rest(24 * time.Hour)
		assert.Len(t, r.road.sent(), sent, "a widget that is gone is not written")
		assert.NoError(t, r.agrees("web-1"))
	})
}

func TestManyChangesAreFewWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, options{workers: 4})
		r.create("web-1", "red")
		rest(time.Second)
		slow(r.server, time.Second, -1)
		for i := range 100 {
			r.paint("web-1", fmt.Sprint("shade-", i))
			rest(ms)
		}
		rest(time.Minute)
		assert.Len(t, r.road.sent(), 3, "red, the first shade, which is refused, and the last shade")
		assert.NoError(t, r.agrees("web-1"))
	})
}

// For an hour every request fails. The controller goes on trying, about once a minute.
func TestNoFailureIsAHotLoop(t *testing.T) {
	for _, f := range []fakeapi.Fault{
		{Kind: fakeapi.FaultStatus, Code: 500},
		{Kind: fakeapi.FaultStatus, Code: 409},
		{Kind: fakeapi.FaultStatus, Code: 429, RetryAfter: time.Second},
		{Kind: fakeapi.FaultReset},
		{Kind: fakeapi.FaultHang},
		{Kind: fakeapi.FaultRefuse},
	} {
		t.Run(fmt.Sprint(f.Kind, f.Code), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, options{})
				rest(time.Second)
				r.create("web-1", "red")
				f.Count = -1
				r.server.Inject(f)
				rest(ms)
				r.create("web-2", "red")
				rest(time.Hour)
				assert.Less(t, r.road.all(), 500, "the server is flooded")
				r.server.Heal()
				rest(20 * time.Minute)
				assert.NoError(t, r.agrees("web-1", "web-2"), "the controller has given up")
			})
		})
	}
}

// As above, but only writes fail, so only the pauses of the controller protect the server.
func TestNoFailedWriteIsAHotLoop(t *testing.T) {
	for _, f := range []fakeapi.Fault{
		{Kind: fakeapi.FaultStatus, Code: 500},
		{Kind: fakeapi.FaultStatus, Code: 409},
		{Kind: fakeapi.FaultStatus, Code: 429, RetryAfter: time.Second},
		{Kind: fakeapi.FaultReset},
		{Kind: fakeapi.FaultHang},
	} {
		t.Run(fmt.Sprint(f.Kind, f.Code), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, options{})
				f.Verb, f.Count = "update", -1
				r.server.Inject(f)
				r.create("web-1", "red")
				rest(time.Hour)
				assert.LessOrEqual(t, len(r.road.sent()), 60+20, "the server is flooded")
				assert.GreaterOrEqual(t, len(r.road.sent()), 50, "the controller has given up")
				r.server.Heal()
				rest(2 * time.Minute)
				assert.NoError(t, r.agrees("web-1"))
			})
		})
	}
}

// The server goes on with a write after the client has given up waiting for the answer.
func TestALateWriteDoesNoHarm(t *testing.T) {
	for _, times := range []int{1, 3, -1} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, options{})
			slow(r.server, 15*time.Second, times)
			r.create("web-1", "red")
			rest(time.Minute)
			r.paint("web-1", "blue")
			rest(time.Minute)
			r.server.Heal()
			rest(time.Minute)
			assert.NoError(t, r.agrees("web-1"))
			assert.Less(t, len(r.road.sent()), 12, "the controller notices a write that was made late")
		})
	}
}

// A proxy may answer anything. No such answer counts as a success, and none leads to a panic.
func TestAnAnswerThatIsNoWidgetIsAFailure(t *testing.T) {
	for _, answer := range []string{"", "<html>", "null x", `{"metadata":[]}`} {
		synctest.Test(t, func(t *testing.T) {
			c, err := newController(options{server: "http://proxy", client: &http.Client{
				Transport: saying{answer},
			}})
			require.NoError(t, err)
			_, err = c.putStatus(t.Context(), &Widget{})
			assert.ErrorContains(t, err, "the answer is no widget", "%q", answer)
		})
	}
}
