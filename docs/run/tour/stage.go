package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/lanes"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
)

// stage is what the script plays on: a fake API server, an informer that watches its services, and
// a client that changes them.
type stage struct {
	seen *recorder
	api  *fakeapi.Server
	url  string // of the collection
	way  *way   // the transport between informer and server
	call gate   // holds up the calls of the slow handler

	informer *informer.SharedIndexInformer
	slow     *processor.Registration // of the handler that joins late
	ctx      context.Context         // of the informer
	cancel   context.CancelFunc      // ends ctx
	running  sync.WaitGroup          // the server's loop and the informer
	changes  int                     // that the client has made
}

// dialer is what a listener in memory has: it can only be dialled through its own method.
type dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// newStage sets everything up. The stage owns the listener. What happens here is not drawn: the
// script begins after it.
func newStage(ctx context.Context, listener net.Listener) (*stage, error) {
	transport := &http.Transport{}
	if l, ok := listener.(dialer); ok {
		transport.DialContext = l.DialContext
	}
	s := &stage{seen: newRecorder(), way: &way{base: transport, held: newGate()}, call: newGate()}
	s.api = fakeapi.New(fakeapi.Options{Trace: s.seen.serverTrace()})
	s.url = "http://" + listener.Addr().String() + "/api/v1/namespaces/default/services"
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.running.Go(func() { _ = s.api.Serve(listener) }) // it ends with close, without an error
	if err := s.furnish(); err != nil {
		s.close()
		return nil, fmt.Errorf("set up the server and the informer: %w", err)
	}
	s.seen.take()
	return s, nil
}

// furnish makes the informer, its first handler and the first three services.
func (s *stage) furnish() error {
	client, err := wire.NewClient[watchglass.Unstructured](wire.ClientOptions{
		URL:        s.url,
		HTTPClient: &http.Client{Transport: s.way},
	})
	if err != nil {
		return err
	}
	s.informer = informer.NewSharedIndexInformer(informer.Options{
		ListerWatcher: client,
		Reflector: reflector.Options{
			ListFirst: true, // a list and a watch are easier to tell apart than a watch that does both
			Backoff:   reflector.Backoff{Initial: 100 * time.Millisecond, Jitter: -1},
		},
		Trace: s.seen.trace(),
	})
	if _, err := s.informer.AddEventHandler(processor.ResourceEventHandlerFuncs{},
		informer.HandlerOptions{Name: fast}); err != nil {
		return err
	}
	for _, name := range []string{"db-1", "web-1", "web-2"} {
		if err := s.create(name); err != nil {
			return err
		}
	}
	return nil
}

// stop ends the informer, and opens the gates, so that no goroutine is held up.
func (s *stage) stop() {
	s.cancel()
	s.call.open()
	s.way.held.open()
}

// withoutWatch ends the watch, and holds up the request for the next one until do has returned.
func (s *stage) withoutWatch(ctx context.Context, do func() error) error {
	s.way.held.close()
	defer s.way.held.open()
	s.api.DropWatches()
	if err := s.seen.await(ctx, want{reflecting, "watch @"}); err != nil {
		return err
	}
	return do()
}

// play plays a scene, and returns what was reported until all stages were at rest.
func (s *stage) play(ctx context.Context, scene scene) ([]lanes.Cell, error) {
	err := scene.do(ctx, s)
	if err == nil {
		err = s.seen.await(ctx, scene.rest...)
	}
	if err != nil {
		return nil, fmt.Errorf("scene %q: %w", scene.name, err)
	}
	return s.seen.take(), nil
}

// close ends everything, and returns when everything has ended. It can be called again.
func (s *stage) close() {
	s.stop()
	s.way.base.CloseIdleConnections()
	s.api.Close()
	s.running.Wait()
}

// create, update and delete do not use HTTP, so that the informer's requests are the only ones in
// the column of the server.
func (s *stage) create(name string) error {
	_, err := s.api.Create("services", s.service(name))
	return err
}

func (s *stage) update(name string) error {
	_, err := s.api.Update("services", s.service(name))
	return err
}

func (s *stage) delete(name string) error { return s.api.Delete("services", "default", name) }

// service returns an object that differs from all earlier ones.
func (s *stage) service(name string) string {
	s.changes++
	return fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"port":%d}}`, name, 8000+s.changes)
}

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
