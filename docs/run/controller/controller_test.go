package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
)

// For an hour every write fails. The controller goes on trying, about once a minute.
func TestNoFailedWriteIsAHotLoop(t *testing.T) {
	for _, f := range []fakeapi.Fault{
		{Kind: fakeapi.FaultStatus, Code: 500},
		{Kind: fakeapi.FaultStatus, Code: 429, RetryAfter: time.Second},
		{Kind: fakeapi.FaultHang},
	} {
		inBubble(t, fmt.Sprint(f.Kind, f.Code), func(t *testing.T, r *fixture) {
			r.run()
			f.Verb, f.Count = "update", -1
			r.server.Inject(f)
			r.create("web-1")
			pass(time.Hour)
			assert.LessOrEqual(t, r.sent(), 60+20, "the server is flooded")
			assert.GreaterOrEqual(t, r.sent(), 50, "the controller has given up")
			r.server.Heal()
			pass(2 * time.Minute)
			r.agrees()
		})
	}
}

func TestWrites(t *testing.T) {
	// A write based on an old state would delete what another program wrote in the meantime.
	inBubble(t, "a conflict loses no update", func(t *testing.T, r *fixture) {
		r.run()
		r.create("web-1")
		pass(time.Second)
		slow(r.server, time.Second, 1)
		require.NoError(t, paint(r.server, "web-1", "blue"))
		pass(500 * ms) // the write is on its way
		w, err := widgetOn(r.server, "web-1")
		require.NoError(t, err)
		w.Status.Note = "inspected" // by another program
		_, err = r.server.UpdateStatus("widgets", &w)
		require.NoError(t, err)
		pass(time.Minute)
		assert.Equal(t, Status{Color: "blue", ObservedGeneration: 2, Note: "inspected"},
			r.status("web-1"))
		assert.Equal(t, 3, r.sent(), "the write that was refused is sent again, once")
		r.agrees()
	})
	// Otherwise a key that is queued again during its write would be written from the old state.
	inBubble(t, "a worker waits until the cache shows its write", func(t *testing.T, r *fixture) {
		r.lag = 300 * ms
		r.run()
		pass(time.Second)
		slow(r.server, 100*ms, 1)
		r.create("web-1")
		pass(350 * ms)
		require.Equal(t, 1, r.sent(), "the write is on its way")
		r.c.queue.Add("default/web-1")
		pass(100 * ms)
		require.Equal(t, "red", r.status("web-1").Color)
		cached, _ := r.c.widgets.Lister().Get("default/web-1")
		require.Empty(t, cached.Status.Color, "the cache is behind the write")
		pass(time.Minute)
		assert.Equal(t, 1, r.sent(), "the second look finds the written state")
		r.agrees()
	})
}

func TestStopping(t *testing.T) {
	inBubble(t, "writes what is queued", func(t *testing.T, r *fixture) {
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
}

// Over TCP, and with a server that is not ready at first.
func TestTheProgram(t *testing.T) {
	for _, args := range [][]string{{"-workers", "0"}, {"-server", "ftp://host"}} {
		assert.Error(t, run(t.Context(), args, io.Discard), args)
	}
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	front := httptest.NewServer(server)
	defer front.Close()
	server.Inject(fakeapi.Fault{Kind: fakeapi.FaultStatus, Code: 503, Count: 1})
	_, err := server.Create("widgets", `{"metadata":{"name":"web-1"},"spec":{"color":"red"}}`)
	require.NoError(t, err)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"-server", front.URL + "/"}, in)
		in.Close()
	}()
	shown := ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if shown += lines.Text() + "\n"; strings.Contains(shown, "default/web-1: painted red @3") {
			interrupt()
		}
	}
	assert.NoError(t, <-ended, "an interrupt is no failure")
	assert.Contains(t, shown, "cannot watch: ")
}

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
	r.c, err = newController(options{server: fakeapi.URL, client: &http.Client{Transport: r},
		workers: 2,
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

// agrees checks what must hold when the server has healed and nothing changes any more: the status
// of each widget fits its spec, the cache shows that, and the queue is empty.
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
