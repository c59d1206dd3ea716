package main

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
)

// docs/g-test-your-controller.md explains this test.
func TestAWriteWhoseAnswerIsLostIsNotRepeated(t *testing.T) {
	began := time.Now()
	synctest.Test(t, func(t *testing.T) {
		server := fakeapi.New(fakeapi.Options{})
		defer server.Close()
		c, err := newController(options{server: fakeapi.URL, client: server.Client(), workers: 2,
			outcome: func(string, string, error) {}})
		require.NoError(t, err)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { assert.NoError(t, c.run(ctx)) })

		status := fakeapi.Fault{Verb: "update", Resource: "widgets", Subresource: "status", Name: "web-1"}
		refused, lost := status, status
		refused.Kind, refused.Code = fakeapi.FaultStatus, 503
		lost.Kind = fakeapi.FaultLost // stored, and then the connection breaks
		server.Inject(refused)
		server.Inject(lost)
		_, err = server.Create("widgets", `{"metadata":{"name":"web-1"},"spec":{"color":"red"}}`)
		require.NoError(t, err)

		time.Sleep(17 * time.Minute) // of the bubble's clock
		synctest.Wait()              // until every goroutine waits
		w, err := widgetOn(server, "web-1")
		require.NoError(t, err)
		assert.Equal(t, "red", w.Status.Color)
		assert.Equal(t, 2, server.Requests("update", "widgets"), "one refused, one lost, no third")
		stop()
		running.Wait()
	})
	t.Log("17 minutes took", time.Since(began))
}
