package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		assert.Equal(t, Status{Color: "blue", ObservedGeneration: 2, Note: "inspected"}, r.status("web-1"))
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
