package main

import (
	"context"
	"encoding/json"
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
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/contract"
)

// A rig is a server and a controller of its widgets, in the bubble of a test.
type rig struct {
	t       *testing.T
	server  *fakeapi.Server
	road    *road
	c       *controller
	checker *contract.Checker
	stop    func()            // stops the controller, returns when it has ended; may be called twice
	ended   error             // what run has returned
	notes   map[string]string // by widget: the note that another program wrote last
}

func ignore(_, _ string, _ error) {}

// newRig returns a rig whose controller runs. Events arrive lag later than they are sent.
func newRig(t *testing.T, lag time.Duration) *rig {
	r := &rig{t: t, server: fakeapi.New(fakeapi.Options{}), notes: map[string]string{}}
	r.road = &road{next: r.server.Client().Transport, lag: lag}
	var err error
	r.c, err = newController(options{server: fakeapi.URL, client: &http.Client{Transport: r.road}, workers: 2,
		outcome: ignore})
	require.NoError(t, err)
	r.checker = contract.New(nil, r.c.widgets.GetIndexer())
	registration, err := r.c.widgets.AddEventHandler(r.checker, informer.HandlerOptions{})
	require.NoError(t, err)
	r.checker.Registered(registration)
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
		assert.NoError(t, r.checker.Err(), "the informer's contract, up to its end")
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

// agrees checks what must hold when the server has healed and nothing changes any more. names are
// the widgets whose failures must be forgotten.
func (r *rig) agrees(names ...string) error {
	items, _, err := r.server.List("widgets", "")
	errs := []error{err, r.checker.Settled()}
	for _, item := range items {
		var w Widget
		if err := json.Unmarshal(item, &w); err != nil {
			return err
		}
		if w.Status != w.wanted() {
			errs = append(errs, fmt.Errorf("%s: the status is %+v and should be %+v",
				w.Name, w.Status, w.wanted()))
		}
		if w.Status.Note != r.notes[w.Name] {
			errs = append(errs, fmt.Errorf("%s: a lost update: the note is %q, but %q was written",
				w.Name, w.Status.Note, r.notes[w.Name]))
		}
	}
	for _, name := range names {
		if n := r.c.queue.NumRequeues("default/" + name); n > 0 {
			errs = append(errs, fmt.Errorf("%s: %d failures are not forgotten", name, n))
		}
	}
	if s := r.c.queue.Stats(); s.Queued+s.Processing+s.Delayed > 0 {
		errs = append(errs, fmt.Errorf("the queue is not empty: %+v", s))
	}
	return errors.Join(errs...)
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
