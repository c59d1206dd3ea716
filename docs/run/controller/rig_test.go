package main

import (
	"context"
	"encoding/json"
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

// A rig is a server and a controller of its widgets, in the bubble of a test.
type rig struct {
	t      *testing.T
	server *fakeapi.Server
	road   *road
	c      *controller
	stop   func() // stops the controller, returns when it has ended; may be called twice
	ended  error  // what run has returned
}

func ignore(_, _ string, _ error) {}

// newRig returns a rig whose controller runs. Events arrive lag later than they are sent.
func newRig(t *testing.T, lag time.Duration) *rig {
	r := &rig{t: t, server: fakeapi.New(fakeapi.Options{})}
	r.road = &road{next: r.server.Client().Transport, lag: lag}
	var err error
	r.c, err = newController(options{server: fakeapi.URL, client: &http.Client{Transport: r.road}, workers: 2,
		outcome: ignore})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { r.ended = r.c.run(ctx) })
	r.stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(func() { // a goroutine that is left fails the bubble
		r.stop()
		r.server.Close()
	})
	return r
}

func (r *rig) create(name, color string) {
	_, err := r.server.Create("widgets", fmt.Sprintf(
		`{"metadata":{"name":%q},"spec":{"color":%q}}`, name, color))
	require.NoError(r.t, err)
}

func (r *rig) paint(name, color string) { require.NoError(r.t, paint(r.server, name, color)) }

// fails makes writes fail with a code, count times, or always if count is negative.
func (r *rig) fails(code, count int) {
	r.server.Inject(fakeapi.Fault{
		Kind: fakeapi.FaultStatus, Verb: "update", Code: code, Count: count,
	})
}

// onServer returns what the server holds.
func (r *rig) onServer(name string) Widget {
	text, err := r.server.Get("widgets", "default", name)
	require.NoError(r.t, err)
	var w Widget
	require.NoError(r.t, json.Unmarshal(text, &w))
	return w
}

// agrees checks what must hold when the server has healed and nothing changes any more.
func (r *rig) agrees() {
	items, _, err := r.server.List("widgets", "")
	require.NoError(r.t, err)
	for _, item := range items {
		var w Widget
		require.NoError(r.t, json.Unmarshal(item, &w))
		assert.Equal(r.t, w.wanted(), w.Status, w.Name)
		assert.Zero(r.t, r.c.queue.NumRequeues("default/"+w.Name), "%s: failures are forgotten", w.Name)
	}
	s := r.c.queue.Stats()
	assert.Zero(r.t, s.Queued+s.Processing+s.Delayed, "the queue is not empty: %+v", s)
}

// A road carries requests to the server, and notes when it has sent a write.
type road struct {
	next http.RoundTripper
	lag  time.Duration

	mu     sync.Mutex
	writes []time.Time // when each was sent; guarded by mu
}

// RoundTrip implements http.RoundTripper.
func (r *road) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodPut {
		r.mu.Lock()
		r.writes = append(r.writes, time.Now())
		r.mu.Unlock()
	}
	response, err := r.next.RoundTrip(request)
	if err == nil && r.lag > 0 && request.URL.Query().Has("watch") {
		response.Body = story.Late(response.Body, r.lag, request.Context().Done())
	}
	return response, err
}

// sent returns when each write was sent.
func (r *road) sent() []time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.writes)
}

// gaps returns the times between the writes.
func (r *road) gaps() (gaps []time.Duration) {
	sent := r.sent()
	for i := 1; i < len(sent); i++ {
		gaps = append(gaps, sent[i].Sub(sent[i-1]))
	}
	return gaps
}

// pass lets virtual time pass and everything settle.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
