package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
)

const ms = time.Millisecond

// A fixture is a server and a controller of its widgets, in the bubble of a test.
type fixture struct {
	t      testing.TB
	server *fakeapi.Server
	c      *controller
	lag    time.Duration // by which events arrive later than they are sent
	end    func()        // stops the controller, returns when it has ended; may be called twice
	ended  error         // what run has returned

	ctx     context.Context
	running sync.WaitGroup
}

// newFixture returns a fixture whose controller does not run yet.
func newFixture(t testing.TB, outcome func(key, did string, err error)) *fixture {
	r := &fixture{t: t, server: fakeapi.New(fakeapi.Options{})}
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
func (r *fixture) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := r.server.Client().Transport.RoundTrip(request)
	if err == nil && r.lag > 0 && request.URL.Query().Has("watch") {
		response.Body = story.Late(response.Body, r.lag, request.Context().Done())
	}
	return response, err
}

func (r *fixture) run() { r.running.Go(func() { r.ended = r.c.run(r.ctx) }) }

func (r *fixture) create(name string) {
	_, err := r.server.Create("widgets", fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"color":"red"}}`, name))
	require.NoError(r.t, err)
}

func (r *fixture) status(name string) Status {
	w, err := widgetOn(r.server, name)
	require.NoError(r.t, err)
	return w.Status
}

// agrees checks what must hold when the server has healed and nothing changes any more: the status of each widget fits
// its spec, the cache shows that, and the queue is empty.
func (r *fixture) agrees() {
	widgets, err := widgetsOn(r.server)
	require.NoError(r.t, err)
	for _, w := range widgets {
		known, ok := r.c.widgets.Lister().Get(w.Namespace + "/" + w.Name)
		assert.True(r.t, ok && known.ResourceVersion == w.ResourceVersion, "%+v", w)
		assert.Equal(r.t, w.wanted(), w.Status)
	}
	stats := r.c.queue.Stats()
	assert.Zero(r.t, stats.Queued+stats.Processing+stats.Delayed)
	assert.Zero(r.t, r.c.queue.NumRequeues("default/web-1"), "failures are forgotten")
}

// sent returns how many writes the server has got.
func (r *fixture) sent() int { return r.server.Requests("update", "widgets") }

// inBubble runs a test with a fixture whose controller does not run yet.
func inBubble(t *testing.T, name string, test func(*testing.T, *fixture)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			test(t, newFixture(t, func(string, string, error) {}))
		})
	})
}

// pass lets virtual time pass and everything settle.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// paint changes the spec of a widget, as a user would.
func paint(s *fakeapi.Server, name, color string) error {
	_, err := s.Patch("widgets", "default", name, fmt.Sprintf(`{"spec":{"color":%q}}`, color))
	return err
}

// slow makes the next n writes take as long as d, or all writes if n is negative.
func slow(s *fakeapi.Server, d time.Duration, n int) {
	s.Inject(fakeapi.Fault{Kind: fakeapi.FaultDelay, Verb: "update", Delay: d, Count: n})
}

// widgetOn reads what the server holds.
func widgetOn(s *fakeapi.Server, name string) (w Widget, err error) {
	text, err := s.Get("widgets", "default", name)
	if err == nil {
		err = json.Unmarshal(text, &w)
	}
	return w, err
}

func widgetsOn(s *fakeapi.Server) (all []Widget, err error) {
	items, _, err := s.List("widgets", "")
	for i := 0; err == nil && i < len(items); i++ {
		var w Widget
		err = json.Unmarshal(items[i], &w)
		all = append(all, w)
	}
	return all, err
}
