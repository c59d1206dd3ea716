package main

import (
	"context"
	"sync"
)

// gate lets whoever comes pass, or wait until it is opened again. It is how the script holds up a
// request on its way, or a handler in its call. The zero value is open.
type gate struct {
	mu     sync.Mutex
	closed chan struct{} // nil while the gate is open
}

// close makes those who come from now on wait.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed == nil {
		g.closed = make(chan struct{})
	}
}

// open lets all pass who wait.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed != nil {
		close(g.closed)
		g.closed = nil
	}
}

// pass returns once the gate is open, or with ctx's error.
func (g *gate) pass(ctx context.Context) error {
	g.mu.Lock()
	closed := g.closed
	g.mu.Unlock()
	if closed == nil {
		return nil
	}
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
