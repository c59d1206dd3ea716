package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
)

func TestStoppingWritesWhatIsQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 0)
		slow(r.server, time.Second, -1)
		for i := range 10 {
			r.create(fmt.Sprint("web-", i), "red")
		}
		pass(1500 * ms) // two are written, two on their way, six queued
		began := time.Now()
		r.stop()
		assert.NoError(t, r.ended)
		assert.Equal(t, 3500*ms, time.Since(began), "two workers, one second a write")
		for i := range 10 {
			assert.Equal(t, "red", r.onServer(fmt.Sprint("web-", i)).Status.Color)
		}
		sent := len(r.road.sent())
		r.create("web-10", "red")
		pass(time.Hour)
		assert.Len(t, r.road.sent(), sent, "a controller that has ended writes nothing")
	})
}

func TestStoppingDoesNotWaitForASilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 0)
		r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultHang, Verb: "update", Count: -1})
		for i := range 100 {
			r.create(fmt.Sprint("web-", i), "red")
		}
		pass(time.Second)
		began := time.Now()
		r.stop()
		assert.Equal(t, drainLimit, time.Since(began))
		assert.ErrorContains(t, r.ended, "92 items queued", "four writes of each worker have timed out")
	})
}

func TestStoppingBeforeTheFirstList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeapi.New(fakeapi.Options{})
		defer server.Close()
		server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
		c, err := newController(options{
			server: fakeapi.URL, client: server.Client(), outcome: ignore,
		})
		require.NoError(t, err)
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		assert.ErrorContains(t, c.run(ctx), "not synced: widgets")
		assert.True(t, c.queue.ShuttingDown(), "the queue has ended with the controller")
	})
}

// stubborn is a network whose requests take a minute, whatever their context says.
type stubborn struct{}

func (stubborn) RoundTrip(*http.Request) (*http.Response, error) {
	time.Sleep(time.Minute)
	return nil, errors.New("no route")
}

func TestRunWaitsForItsInformer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := newController(options{
			server: "http://host", client: &http.Client{Transport: stubborn{}}, outcome: ignore,
		})
		require.NoError(t, err)
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		began := time.Now()
		assert.Error(t, c.run(ctx))
		assert.GreaterOrEqual(t, time.Since(began), time.Minute,
			"run returns after the request that is under way, and not before its informer has ended")
	})
}
