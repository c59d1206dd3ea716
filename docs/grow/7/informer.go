// Package step7 has an index, tells its handlers everything again from time to time,
// and stops in good order.
package step7

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Flags are those of the step.
var Flags = flag.NewFlagSet("step 7", flag.ContinueOnError)

var collection = Flags.String("url",
	"http://127.0.0.1:8001/apis/workshop.example.dev/v1/namespaces/default/widgets",
	"follow the objects of the collection at this `URL`")
var slow = Flags.Duration("slow", 0, "the first handler takes this `time` for an object")
var fail = Flags.Int("fail", 0, "the first handler fails at its first `n` calls")
var app = Flags.Bool("app", false, "the first handler lists the objects with the same label app")
var again = Flags.Duration("resync", time.Minute,
	"tell each handler everything again after this `time`")
var join = Flags.Duration("join", 0, "a second handler joins after this `time`")

// An object has the fields that are read here. In one namespace its name is unique.
type object struct {
	Metadata struct {
		Name, ResourceVersion string
		Labels                map[string]string
	}
	Code int // of the Status in an ERROR event
}

func (o object) name() string    { return o.Metadata.Name }
func (o object) version() string { return o.Metadata.ResourceVersion }
func (o object) app() string     { return o.Metadata.Labels["app"] }
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

	running sync.WaitGroup // all goroutines

	mu        sync.Mutex
	known     map[string]object          // the cache
	apps      map[string]map[string]bool // the index: names, by the value of the label app
	names     []string                   // the queue: which objects have deltas,
	deltas    map[string][]delta         // and the deltas of each, oldest first
	more      *sync.Cond                 // something was queued, or it is time to stop
	listeners []*listener
}

// A listener holds what one handler has not been told yet.
type listener struct {
	name    string
	pace    time.Duration
	waiting []call
}

type call struct {
	what   string
	object object
}

// errGone says that the server has forgotten the events after the version of a watch.
var errGone = errors.New("410 Gone")

// Run follows the collection until ctx ends and all handlers have returned.
func Run(ctx context.Context, client *http.Client, out io.Writer) error {
	i := &informer{client: client, out: out, known: map[string]object{},
		apps: map[string]map[string]bool{}, deltas: map[string][]delta{}}
	defer i.running.Wait()
	i.more = sync.NewCond(&i.mu)
	context.AfterFunc(ctx, i.wake) // also if Run has returned before
	i.addHandler(ctx, &listener{name: "first", pace: *slow})
	if *join > 0 {
		i.running.Go(func() {
			if pause(ctx, *join) {
				i.addHandler(ctx, &listener{name: "second"})
			}
		})
	}
	i.running.Go(func() { i.process(ctx) })
	if *again > 0 {
		i.running.Go(func() { i.resync(ctx) })
	}
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

// wake lets all goroutines that wait see that it is time to stop.
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
		i.apply(d)
	}
}

// apply changes the cache. The lock is held since the delta left the queue, so replace finds each
// object in the queue or in the cache. No handler works under the lock.
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
	app := d.object.app()
	delete(i.known, name)
	delete(i.apps[old.app()], name)
	if i.apps[app] == nil {
		i.apps[app] = map[string]bool{}
	}
	if !d.gone {
		i.known[name] = d.object
		i.apps[app][name] = true
	}
	for _, l := range i.listeners {
		l.waiting = append(l.waiting, call{what, d.object})
	}
	i.more.Broadcast()
}

// addHandler adds a handler. The handler is first told what the cache holds, then each later
// change: under the lock nothing changes in between.
func (i *informer) addHandler(ctx context.Context, l *listener) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(i.known)) {
		l.waiting = append(l.waiting, call{"added", i.known[name]})
	}
	i.listeners = append(i.listeners, l)
	i.running.Go(func() { i.deliver(ctx, l) })
}

// resync tells each handler everything again from time to time: what has failed is tried again.
func (i *informer) resync(ctx context.Context) {
	for pause(ctx, *again) {
		i.mu.Lock()
		for _, name := range slices.Sorted(maps.Keys(i.known)) {
			for _, l := range i.listeners {
				l.waiting = append(l.waiting, call{"again", i.known[name]})
			}
		}
		i.more.Broadcast()
		i.mu.Unlock()
	}
}

// deliver makes the calls that wait for a handler, at the pace of the handler.
func (i *informer) deliver(ctx context.Context, l *listener) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for ctx.Err() == nil {
		if len(l.waiting) == 0 {
			i.more.Wait()
			continue
		}
		c := l.waiting[0]
		l.waiting = l.waiting[1:]
		i.mu.Unlock()
		i.handle(l, c)
		i.mu.Lock()
	}
}

// handle is where a program would do its work.
func (i *informer) handle(l *listener, c call) {
	time.Sleep(l.pace)
	if l.name == "first" && *fail > 0 {
		*fail--
		fmt.Fprintf(i.out, "%s: %s %v: failed\n", l.name, c.what, c.object)
		return
	}
	fmt.Fprintf(i.out, "%s: %s %v\n", l.name, c.what, c.object)
	if *app && l.name == "first" {
		names, looked := i.find(c.object.app())
		fmt.Fprintf(i.out, "  of the same app: %v, found among %d\n", names, looked)
	}
}

// find returns the objects with the same label app, and how many it has looked at.
func (i *informer) find(app string) (names []string, looked int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	names = slices.Sorted(maps.Keys(i.apps[app]))
	return names, len(names)
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
