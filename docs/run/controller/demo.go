package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"example.com/watchglass/fakeapi"
)

// A scene is one step of the demonstration. After it, the status of each widget has to fit its
// spec, whatever the scene did.
type scene struct {
	title string
	do    func(*fakeapi.Server) error
}

var scenes = []scene{
	{"Three widgets are there already.", func(s *fakeapi.Server) error {
		return each(3, func(i int) error {
			_, err := s.Create("widgets", fmt.Sprintf(
				`{"metadata":{"name":"web-%d"},"spec":{"color":"red"}}`, i+1))
			return err
		})
	}},
	{"web-1 asks for blue. The controller's own write comes back to it as an update, which leaves\n" +
		"nothing to do.", func(s *fakeapi.Server) error {
		return paint(s, "web-1", "blue")
	}},
	{"web-2 asks for green, and the server answers the next three writes with 500. The controller\n" +
		"tries again after 5, 10 and 20 ms.", func(s *fakeapi.Server) error {
		s.Inject(fakeapi.Fault{Kind: fakeapi.FaultStatus, Verb: "update", Count: 3})
		return paint(s, "web-2", "green")
	}},
	{"web-3 asks for green. While that write is on its way, another program writes a note. The\n" +
		"server refuses the older state, and the next attempt keeps the note.", conflict},
	{"web-1 changes twenty times in quick succession. The last color is what counts.",
		func(s *fakeapi.Server) error {
			return each(20, func(i int) error {
				return paint(s, "web-1", fmt.Sprintf("shade-%d", i+1))
			})
		}},
	{"web-2 is deleted.", func(s *fakeapi.Server) error {
		return s.Delete("widgets", "default", "web-2")
	}},
}

// demonstrate runs the controller against a server of its own, scene by scene.
func demonstrate(ctx context.Context, workers int, out *printer) error {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	c, err := newController(options{
		server: fakeapi.URL, client: server.Client(), workers: workers, outcome: out.outcome,
	})
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	var ended sync.WaitGroup
	defer ended.Wait()
	defer stop()
	for i, scene := range scenes {
		out.say("\n%d. %s", i+1, scene.title)
		if err := scene.do(server); err != nil {
			return err
		}
		if i == 0 { // the widgets of the first scene are those of the first list
			ended.Go(func() { _ = c.run(running) }) // an error only if it was stopped before the list
		}
		if err := settle(ctx, server, c, out); err != nil {
			return fmt.Errorf("scene %d: %w", i+1, err)
		}
	}
	out.say("\n%d. web-1 and web-3 ask for white, and the controller is stopped immediately. It\n"+
		"still writes what is queued.", len(scenes)+1)
	if err := lastWrites(ctx, server, c); err != nil {
		return err
	}
	stop()
	ended.Wait()
	out.say("\nThe controller has ended: %s.", out.sum())
	return nil
}

// lastWrites makes writes slow and changes two widgets. It returns when both have been queued: the
// cache shows a change before the handler has queued its key, and a stop drops what a handler has
// not been told.
func lastWrites(ctx context.Context, server *fakeapi.Server, c *controller) error {
	slow(server, 50*time.Millisecond, -1)
	before := c.queue.Stats().Adds
	for _, name := range []string{"web-1", "web-3"} {
		if err := paint(server, name, "white"); err != nil {
			return err
		}
	}
	return await(ctx, func() (bool, error) { return c.queue.Stats().Adds >= before+2, nil })
}

func each(n int, do func(i int) error) error {
	for i := range n {
		if err := do(i); err != nil {
			return err
		}
	}
	return nil
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

// conflict writes a note while the controller's write is on its way.
func conflict(s *fakeapi.Server) error {
	slow(s, 100*time.Millisecond, 1)
	if err := paint(s, "web-3", "green"); err != nil {
		return err
	}
	time.Sleep(50 * time.Millisecond)
	return writeNote(s, "web-3", "inspected")
}

// writeNote writes a note into the status, as another program would. If another write comes in
// between, it tries again.
func writeNote(s *fakeapi.Server, name, note string) error {
	for {
		w, err := widgetOn(s, name)
		if err != nil {
			return err
		}
		w.Status.Note = note
		_, err = s.UpdateStatus("widgets", &w)
		if status, refused := errors.AsType[*fakeapi.Status](err); !refused || status.Code != 409 {
			return err
		}
	}
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

// settle waits until the deletions have been reported, and everything is settled.
func settle(ctx context.Context, server *fakeapi.Server, c *controller, out *printer) error {
	return await(ctx, func() (bool, error) {
		widgets, err := widgetsOn(server)
		return len(widgets)+out.sum().gone == 3 && settled(widgets, c), err
	})
}

// settled reports whether the status of each widget fits its spec, the cache shows that, and the
// queue is empty.
func settled(widgets []Widget, c *controller) bool {
	for _, w := range widgets {
		known, ok := c.widgets.Lister().Get(w.Namespace + "/" + w.Name)
		if w.Status != w.wanted() || !ok || known.ResourceVersion != w.ResourceVersion {
			return false
		}
	}
	stats := c.queue.Stats()
	return stats.Queued+stats.Processing+stats.Delayed == 0
}

// await repeats a question until the answer is yes or an error, for ten seconds at most.
func await(ctx context.Context, question func() (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, 10*time.Second,
		errors.New("the controller has not come to rest in ten seconds"))
	defer cancel()
	for {
		select {
		case <-time.After(time.Millisecond): // first, so that handlers are told of what the cache shows
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if yes, err := question(); yes || err != nil {
			return err
		}
	}
}
