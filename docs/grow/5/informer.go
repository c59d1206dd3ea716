// Package step5 has a queue between the goroutine that reads the watch and the one
// that calls the handlers: however long a handler takes, the watch is read.
package step5

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"sync"
	"time"
)

// Flags are those of the step.
var Flags = flag.NewFlagSet("step 5", flag.ContinueOnError)

var collection = Flags.String("url",
	"http://127.0.0.1:8001/apis/workshop.example.dev/v1/namespaces/default/widgets",
	"follow the objects of the collection at this `URL`")
var slow = Flags.Duration("slow", 0, "the first handler takes this `time` for an object")
var join = Flags.Duration("join", 0, "a second handler joins after this `time`")

// An object has the fields that are read here. In one namespace its name is unique.
type object struct {
	Metadata struct {
		Name, ResourceVersion string
	}
	Code int // of the Status in an ERROR event
}

func (o object) name() string    { return o.Metadata.Name }
func (o object) version() string { return o.Metadata.ResourceVersion }
func (o object) String() string  { return o.name() + "@" + o.version() }

type list struct {
	Metadata struct{ ResourceVersion string }
	Items    []object
}

// An event is what a watch brings.
type event struct {
	Type   string // ADDED, MODIFIED, DELETED, ERROR
	Object object
}

// A delta is one thing that has happened to an object.
type delta struct {
	object object
	gone   bool // deleted
}

type informer struct {
	client  *http.Client
	out     io.Writer
	version string // up to here everything has been read; "" before a list

	mu       sync.Mutex
	known    map[string]object  // the cache
	names    []string           // the queue: which objects have deltas,
	deltas   map[string][]delta // and the deltas of each, oldest first
	more     *sync.Cond         // the queue is not empty, or it is time to stop
	handlers []func(what string, o object)
}

// errGone says that the server has forgotten the events after the version of a watch.
var errGone = errors.New("410 Gone")

// Run follows the collection until ctx ends.
func Run(ctx context.Context, client *http.Client, out io.Writer) error {
	i := &informer{client: client, out: out, known: map[string]object{},
		deltas: map[string][]delta{}}
	i.more = sync.NewCond(&i.mu)
	context.AfterFunc(ctx, i.wake) // also if Run has returned before
	i.addHandler("first", *slow)
	if *join > 0 {
		go func() {
			if pause(ctx, *join) {
				i.addHandler("second", 0)
			}
		}()
	}
	go i.process(ctx)
	for ctx.Err() == nil {
		err := i.follow(ctx)
		fmt.Fprintln(out, "trying again:", err)
		if errors.Is(err, errGone) {
			i.version = ""
		}
		pause(ctx, time.Second)
	}
	return ctx.Err()
}

// follow lists if there is no version to watch from, and then watches.
func (i *informer) follow(ctx context.Context) error {
	if i.version == "" {
		l, err := i.list(ctx)
		if err != nil {
			return err
		}
		i.replace(l)
		i.version = l.Metadata.ResourceVersion
	}
	return i.watch(ctx)
}

// replace queues each object of a list, and a deletion of each known or queued one not in it.
func (i *informer) replace(l list) {
	i.mu.Lock()
	last := maps.Clone(i.known)
	for name, waiting := range i.deltas {
		last[name] = waiting[len(waiting)-1].object
	}
	i.mu.Unlock()
	for _, o := range l.Items {
		delete(last, o.name())
		i.push(delta{object: o})
	}
	for _, o := range last {
		i.push(delta{o, true}) // o is its last known state: the deletion itself was missed
	}
}

// push queues a delta behind those of its object.
func (i *informer) push(d delta) {
	i.mu.Lock()
	defer i.mu.Unlock()
	name := d.object.name()
	if len(i.deltas[name]) == 0 {
		i.names = append(i.names, name)
	}
	i.deltas[name] = append(i.deltas[name], d)
	i.more.Broadcast()
}

// wake lets process see that it is time to stop.
func (i *informer) wake() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.more.Broadcast()
}

// process applies the deltas of the first object in the queue, one by one, then of the next.
func (i *informer) process(ctx context.Context) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for ctx.Err() == nil {
		if len(i.names) == 0 {
			i.more.Wait()
			continue
		}
		name := i.names[0]
		d := i.deltas[name][0]
		if i.deltas[name] = i.deltas[name][1:]; len(i.deltas[name]) == 0 {
			delete(i.deltas, name)
			i.names = i.names[1:]
		}
		i.apply(d) // without the lock while a handler works
	}
}

// apply changes the cache. The lock is held since the delta left the queue, so replace finds each
// object in the queue or in the cache. The lock is free while the handlers work.
func (i *informer) apply(d delta) {
	name := d.object.name()
	old, known := i.known[name]
	what := "updated"
	switch {
	case d.gone && !known, !d.gone && d.object.version() == old.version():
		return
	case d.gone:
		what = "deleted"
	case !known:
		what = "added"
	}
	i.known[name] = d.object
	if d.gone {
		delete(i.known, name)
	}
	handlers := i.handlers
	i.mu.Unlock()
	defer i.mu.Lock()
	for _, handle := range handlers {
		handle(what, d.object)
	}
}

// addHandler adds a handler that takes so long for each object.
func (i *informer) addHandler(name string, pace time.Duration) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.handlers = append(i.handlers, func(what string, o object) {
		time.Sleep(pace)
		fmt.Fprintln(i.out, name+":", what, o)
	})
}

// list asks for the whole collection.
func (i *informer) list(ctx context.Context) (l list, err error) {
	body, err := i.get(ctx, "")
	if err != nil {
		return l, err
	}
	defer body.Close()
	err = json.NewDecoder(body).Decode(&l)
	return l, err
}

// watch asks for the changes after the version, and takes them in until there are no more.
func (i *informer) watch(ctx context.Context) error {
	body, err := i.get(ctx, "?watch=true&resourceVersion="+i.version)
	if err != nil {
		return err
	}
	defer body.Close()
	for events := json.NewDecoder(body); ; {
		var e event
		if err := events.Decode(&e); err != nil {
			return fmt.Errorf("the watch ended: %w", err)
		}
		switch {
		case e.Type == "ERROR" && e.Object.Code == http.StatusGone:
			return errGone
		case e.Type == "ERROR":
			return fmt.Errorf("the server ends the watch with code %d", e.Object.Code)
		}
		i.push(delta{e.Object, e.Type == "DELETED"})
		i.version = e.Object.version()
	}
}

// get sends a request and returns the body of the answer, which the caller closes.
func (i *informer) get(ctx context.Context, query string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, "GET", *collection+query, nil)
	if err != nil {
		return nil, err
	}
	response, err := i.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return nil, fmt.Errorf("the server answers %s", response.Status)
	}
	return response.Body, nil
}

// pause waits, and returns false if ctx has ended before.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
