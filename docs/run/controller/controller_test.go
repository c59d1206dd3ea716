package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
)

// The refusals are injected, so no event follows them: if the controller does not try again, the
// widget stays as it is.
func TestRefusalsAreRetried(t *testing.T) {
	for _, code := range []int{404, 409, 422, 429, 500} {
		inBubble(t, fmt.Sprint(code), func(t *testing.T, r *rig) {
			r.run()
			r.fails(4, code, 0)
			r.create("web-1")
			pass(time.Second)
			assert.Equal(t, []time.Duration{5 * ms, 10 * ms, 20 * ms, 40 * ms}, r.gaps(),
				"each attempt waits twice as long as the one before")
			r.agrees()
		})
	}
	inBubble(t, "after Retry-After, or five minutes", func(t *testing.T, r *rig) {
		r.run()
		r.fails(1, 429, 7*time.Second)
		r.fails(1, 429, 12*time.Hour)
		r.create("web-1")
		pass(time.Hour)
		assert.Equal(t, []time.Duration{7 * time.Second, 5 * time.Minute}, r.gaps())
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
		inBubble(t, fmt.Sprint(f.Kind, f.Code), func(t *testing.T, r *rig) {
			r.run()
			f.Verb, f.Count = "update", -1
			r.server.Inject(f)
			r.create("web-1")
			pass(time.Hour)
			assert.LessOrEqual(t, len(r.sent()), 60+20, "the server is flooded")
			assert.GreaterOrEqual(t, len(r.sent()), 50, "the controller has given up")
			r.server.Heal()
			pass(2 * time.Minute)
			r.agrees()
		})
	}
}

func TestWrites(t *testing.T) {
	// A write based on an old state would delete what another program wrote in the meantime.
	inBubble(t, "a conflict loses no update", func(t *testing.T, r *rig) {
		r.run()
		r.create("web-1")
		pass(time.Second)
		slow(r.server, time.Second, 1)
		require.NoError(t, paint(r.server, "web-1", "blue"))
		pass(500 * ms) // the write is on its way
		require.NoError(t, writeNote(r.server, "web-1", "inspected"))
		pass(time.Minute)
		assert.Equal(t, Status{Color: "blue", ObservedGeneration: 2, Note: "inspected"}, r.status("web-1"))
		assert.Len(t, r.sent(), 3, "the write that was refused is sent again, once")
		r.agrees()
	})
	// Otherwise a key that is queued again during its write would be written from the old state.
	inBubble(t, "a worker waits until the cache shows its write", func(t *testing.T, r *rig) {
		r.lag = 300 * ms
		r.run()
		pass(time.Second)
		slow(r.server, 100*ms, 1)
		r.create("web-1")
		pass(350 * ms)
		require.Len(t, r.sent(), 1, "the write is on its way")
		r.c.queue.Add("default/web-1")
		pass(100 * ms)
		require.Equal(t, "red", r.status("web-1").Color)
		cached, _ := r.c.widgets.Lister().Get("default/web-1")
		require.Empty(t, cached.Status.Color, "the cache is behind the write")
		pass(time.Minute)
		assert.Len(t, r.sent(), 1, "the second look finds the written state")
		r.agrees()
	})
}

func TestStopping(t *testing.T) {
	inBubble(t, "writes what is queued", func(t *testing.T, r *rig) {
		r.run()
		slow(r.server, time.Second, -1)
		for i := range 10 {
			r.create(fmt.Sprint("web-", i))
		}
		pass(1500 * ms) // two are written, two on their way, six queued
		began := time.Now()
		r.end()
		assert.NoError(t, r.ended)
		assert.Equal(t, 3500*ms, time.Since(began), "two workers, one second a write")
		for i := range 10 {
			assert.Equal(t, "red", r.status(fmt.Sprint("web-", i)).Color)
		}
		sent := r.sent()
		r.create("web-10")
		pass(time.Hour)
		assert.Equal(t, sent, r.sent(), "a controller that has ended writes nothing")
	})
	inBubble(t, "does not wait for a silent server", func(t *testing.T, r *rig) {
		r.run()
		r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultHang, Verb: "update", Count: -1})
		for i := range 100 {
			r.create(fmt.Sprint("web-", i))
		}
		pass(time.Second)
		began := time.Now()
		r.end()
		assert.Equal(t, drainLimit, time.Since(began))
		assert.ErrorContains(t, r.ended, "92 items queued", "four writes of each worker have timed out")
	})
}

// stubborn is a network whose requests take a minute, whatever their context says.
type stubborn struct{}

func (stubborn) RoundTrip(*http.Request) (*http.Response, error) {
	time.Sleep(time.Minute)
	return nil, errors.New("no route")
}

func TestStoppingBeforeTheFirstList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := newController(options{server: "http://host", client: &http.Client{Transport: stubborn{}},
			outcome: func(string, string, error) {}})
		require.NoError(t, err)
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		began := time.Now()
		assert.ErrorContains(t, c.run(ctx), "not synced: widgets")
		assert.GreaterOrEqual(t, time.Since(began), time.Minute,
			"run returns after the request that is under way, and not before its informer has ended")
		assert.True(t, c.queue.ShuttingDown(), "the queue has ended with the controller")
	})
}

const ms = time.Millisecond

// A rig is a server and a controller of its widgets, in the bubble of a test. It notes when each
// write is sent.
type rig struct {
	t      testing.TB
	server *fakeapi.Server
	c      *controller
	lag    time.Duration // by which events arrive later than they are sent
	end    func()        // stops the controller, returns when it has ended; may be called twice
	ended  error         // what run has returned

	ctx     context.Context
	running sync.WaitGroup
	mu      sync.Mutex
	writes  []time.Time // when each was sent; guarded by mu
}

// newRig returns a rig whose controller does not run yet.
func newRig(t testing.TB, outcome func(key, did string, err error)) *rig {
	r := &rig{t: t, server: fakeapi.New(fakeapi.Options{})}
	var err error
	r.c, err = newController(options{server: fakeapi.URL, client: &http.Client{Transport: r}, workers: 2,
		outcome: outcome})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	r.ctx, r.end = ctx, func() {
		cancel()
		r.running.Wait()
	}
	t.Cleanup(func() { // a goroutine that is left fails the bubble
		r.end()
		r.c.queue.ShutDown()
		r.server.Close()
	})
	return r
}

// RoundTrip implements http.RoundTripper. It carries requests to the server.
func (r *rig) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodPut {
		r.mu.Lock()
		r.writes = append(r.writes, time.Now())
		r.mu.Unlock()
	}
	response, err := r.server.Client().Transport.RoundTrip(request)
	if err == nil && r.lag > 0 && request.URL.Query().Has("watch") {
		response.Body = story.Late(response.Body, r.lag, request.Context().Done())
	}
	return response, err
}

func (r *rig) run() { r.running.Go(func() { r.ended = r.c.run(r.ctx) }) }

func (r *rig) create(name string) {
	_, err := r.server.Create("widgets", fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"color":"red"}}`, name))
	require.NoError(r.t, err)
}

// fails makes writes fail with a code, count times, or always if count is negative.
func (r *rig) fails(count, code int, retryAfter time.Duration) {
	r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultStatus, Verb: "update", Code: code, Count: count,
		RetryAfter: retryAfter})
}

func (r *rig) status(name string) Status {
	w, err := widgetOn(r.server, name)
	require.NoError(r.t, err)
	return w.Status
}

// agrees checks what must hold when the server has healed and nothing changes any more.
func (r *rig) agrees() {
	widgets, err := widgetsOn(r.server)
	require.NoError(r.t, err)
	assert.True(r.t, settled(widgets, r.c), "%+v, %+v", widgets, r.c.queue.Stats())
	assert.Zero(r.t, r.c.queue.NumRequeues("default/web-1"), "failures are forgotten")
}

// sent returns when each write was sent.
func (r *rig) sent() []time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.writes)
}

// gaps returns the times between the writes.
func (r *rig) gaps() (gaps []time.Duration) {
	sent := r.sent()
	for i := 1; i < len(sent); i++ {
		gaps = append(gaps, sent[i].Sub(sent[i-1]))
	}
	return gaps
}

// inBubble runs a test with a rig whose controller does not run yet.
func inBubble(t *testing.T, name string, test func(*testing.T, *rig)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			test(t, newRig(t, func(string, string, error) {}))
		})
	})
}

// pass lets virtual time pass and everything settle.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
