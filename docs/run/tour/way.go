package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/watchglass/docs/tools/story"
)

// way sends requests to the server, and can hold them up. Responses arrive after a delay, as
// between two machines, so that the server's trace reports an event before the client's trace does.
type way struct {
	base *http.Transport
	held gate
}

// latency is how long a response is on its way.
const latency = 2 * time.Millisecond

// RoundTrip implements http.RoundTripper.
func (w *way) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := w.held.pass(req.Context()); err != nil {
		return nil, fmt.Errorf("held up: %w", err)
	}
	resp, err := w.base.RoundTrip(req)
	if err == nil {
		<-time.After(latency)
		resp.Body = story.Late(resp.Body, latency, req.Context().Done())
	}
	return resp, err
}

// gate lets goroutines pass, or makes them wait until it is opened. The script uses it to hold up a
// request, or a handler in its call. The channel holds a token while the gate is open.
type gate chan struct{}

// newGate returns an open gate.
func newGate() gate {
	g := make(gate, 1)
	g.open()
	return g
}

// close closes the gate: from now on pass waits. The gate must be open.
func (g gate) close() { <-g }

// open opens the gate: all goroutines that wait in pass go on.
func (g gate) open() {
	select {
	case g <- struct{}{}:
	default: // it was open
	}
}

// pass returns once the gate is open, or with ctx's error.
func (g gate) pass(ctx context.Context) error {
	select {
	case <-g:
		g.open()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
