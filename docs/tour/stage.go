package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
)

// stage is what the script plays on: a fake API server behind a TCP port, an informer that watches
// its services, and a client that changes them.
type stage struct {
	seen *recorder
	api  *fakeapi.Server
	url  string // of the collection
	way  *way   // between informer and server
	call gate   // held in the calls of the slow handler

	informer     *informer.SharedIndexInformer
	registration map[string]*processor.Registration // by the name of the handler
	ctx          context.Context                    // of the informer
	cancel       context.CancelFunc                 // ends ctx
	running      sync.WaitGroup                     // the server's loop and the informer
	changes      int                                // that the client has made
}

// collection is what the tour watches.
const collection = "/api/v1/namespaces/default/services"

// newStage sets everything up. Nothing of it is told, because the story begins after it.
func newStage(ctx context.Context, seen *recorder, hasty bool) (*stage, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &stage{seen: seen, way: &way{base: &http.Transport{}},
		registration: map[string]*processor.Registration{}}
	s.api = fakeapi.New(fakeapi.Options{Trace: seen.serverTrace()})
	s.url = "http://" + listener.Addr().String() + collection
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.running.Go(func() { _ = s.api.Serve(listener) }) // it ends with close, without an error
	if err := s.furnish(hasty); err != nil {
		s.close()
		return nil, fmt.Errorf("cannot set the stage: %w", err)
	}
	_, _ = seen.take()
	return s, nil
}

// furnish makes the informer, its first handler and what is there from the beginning.
func (s *stage) furnish(hasty bool) error {
	client, err := wire.NewClient[watchglass.Unstructured](wire.ClientOptions{
		URL:        s.url,
		HTTPClient: &http.Client{Transport: s.way},
	})
	if err != nil {
		return err
	}
	pause := 300 * time.Millisecond // shorter than usual: the reader has 15 seconds
	if hasty {
		pause = time.Millisecond
	}
	s.informer = informer.NewSharedIndexInformer(informer.Options{
		ListerWatcher: client,
		Name:          "services",
		Reflector: reflector.Options{
			ListFirst: true, // what a list and a watch are shows best when they are apart
			Backoff:   reflector.Backoff{Initial: pause, Jitter: -1},
		},
		Trace: s.seen.trace(),
	})
	if err := s.join(fast, func() {}); err != nil {
		return err
	}
	for _, name := range []string{"db-1", "web-1", "web-2"} {
		if err := s.create(s.ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// start runs the informer.
func (s *stage) start() {
	s.running.Go(func() { _ = s.informer.Run(s.ctx) }) // an error only for a second run
}

// stop ends the informer and whatever holds it up.
func (s *stage) stop() {
	s.cancel()
	s.call.open()
	s.way.held.open()
}

// close ends everything and returns when that has happened.
func (s *stage) close() {
	s.stop()
	s.way.base.CloseIdleConnections()
	s.api.Close()
	s.running.Wait()
}

// join adds a handler that does nothing but call.
func (s *stage) join(name string, call func()) error {
	registration, err := s.informer.AddEventHandler(processor.ResourceEventHandlerFuncs{
		AddFunc:    func(watchglass.Object, bool) { call() },
		UpdateFunc: func(_, _ watchglass.Object) { call() },
		DeleteFunc: func(watchglass.Object) { call() },
	}, informer.HandlerOptions{Name: name})
	s.registration[name] = registration
	return err
}

// hangInCall is the slow handler.
func (s *stage) hangInCall() { _ = s.call.pass(s.ctx) }

func (s *stage) create(ctx context.Context, name string) error {
	return s.ask(ctx, http.MethodPost, "", s.service(name))
}

func (s *stage) update(ctx context.Context, name string) error {
	return s.ask(ctx, http.MethodPut, "/"+name, s.service(name))
}

func (s *stage) delete(ctx context.Context, name string) error {
	return s.ask(ctx, http.MethodDelete, "/"+name, nil)
}

// service is an object that differs from the last of its name.
func (s *stage) service(name string) map[string]any {
	s.changes++
	return map[string]any{
		"apiVersion": "v1",
		"kind":       "Service",
		"metadata":   map[string]any{"name": name},
		"spec":       map[string]any{"port": 8000 + s.changes},
	}
}

// ask sends a request past the informer, as another client would.
func (s *stage) ask(ctx context.Context, method, path string, body map[string]any) error {
	var content io.Reader = http.NoBody
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, content)
	if err != nil {
		return err
	}
	req.Close = true // the connection, too: nothing is left to tidy up
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, answer)
	}
	return err
}
