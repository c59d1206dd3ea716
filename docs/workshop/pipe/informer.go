package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	frames "example.com/watchglass/docs/workshop/1_2_frames"
	outcome "example.com/watchglass/docs/workshop/2_1_outcome"
	backoff "example.com/watchglass/docs/workshop/2_2_backoff"
	push "example.com/watchglass/docs/workshop/3_1_push"
	missing "example.com/watchglass/docs/workshop/3_2_missing"
	synced "example.com/watchglass/docs/workshop/3_3_synced"
	keys "example.com/watchglass/docs/workshop/4_1_keys"
	diff "example.com/watchglass/docs/workshop/4_2_diff"
	pump "example.com/watchglass/docs/workshop/5_2_pump"
	process "example.com/watchglass/docs/workshop/6_1_process"
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
		Namespace             string // for 4.1
		Name, ResourceVersion string
		Labels                map[string]string
	}
	Code int // of the Status in an ERROR event
}

func (o object) name() (string, error) {
	return keys.Key(o.Metadata.Namespace, o.Metadata.Name) // in step 7 only the second
}
func (o object) version() string { return o.Metadata.ResourceVersion }
func (o object) app() string     { return o.Metadata.Labels["app"] }

// String writes the state of an object as the exercises do from 3.1 on, and behind it the app.
func (o object) String() string { return o.Metadata.Name + "@" + o.version() + ":" + o.app() }

// apps returns the app of the last state in a text, as a list for 4.2. Without a state it is empty.
func apps(text string) []string {
	if at := strings.LastIndex(text, ":"); at >= 0 {
		return []string{text[at+1:]}
	}
	return nil
}

type list struct {
	Metadata struct{ ResourceVersion string }
	Items    []object
}

// An event is what a watch brings.
type event struct {
	Type   string // ADDED, MODIFIED, DELETED, ERROR
	Object object
}

// types are what 3.1 calls them.
var types = map[string]string{"ADDED": "Added", "MODIFIED": "Updated", "DELETED": "Deleted"}

type informer struct {
	client  *http.Client
	out     *printer
	version string          // up to here everything has been read; "" before a list
	end     outcome.End     // of the last watch
	backoff backoff.Backoff // between two attempts

	running sync.WaitGroup // all goroutines

	mu        sync.Mutex
	known     process.Cache   // the cache
	apps      diff.Index      // the index: keys, by the value of the label app
	queue     push.Queue      // which objects have deltas, and the deltas of each, oldest first
	progress  synced.Progress // of the first list
	synced    bool            // as 3.3 said
	more      *sync.Cond      // something was queued, or it is time to stop
	listeners []*listener
}

// A listener has a pump, which holds what one handler has not been told yet.
type listener struct {
	name    string
	pace    time.Duration
	in, out chan string // of 5.2
}

// Run follows the collection until ctx ends and all handlers have returned.
func Run(ctx context.Context, client *http.Client, out *printer) error {
	i := &informer{client: client, out: out, known: process.Cache{}, apps: diff.Index{},
		queue: push.Queue{Items: map[string][]push.Delta{}}}
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
		next := outcome.Next(i.end)
		out.did("2.1 outcome", describe(i.end, next))
		if next.List {
			i.version = ""
		}
		delay := 10 * time.Millisecond // also if 2.1 never waits: it would fill the screen
		if next.Wait {
			delay = i.backoff.Failed(rand.Float64(), 0)
			out.did("2.2 backoff", fmt.Sprint("a pause of ", delay.Round(100*time.Millisecond)))
		} else {
			i.backoff.Succeeded()
		}
		pause(ctx, delay)
	}
	return ctx.Err()
}

// follow lists if there is no version to watch from, and then watches.
func (i *informer) follow(ctx context.Context) error {
	i.end = outcome.End{}
	if i.version == "" {
		l, err := i.list(ctx)
		if err != nil {
			return err
		}
		i.out.listed(len(l.Items), l.Metadata.ResourceVersion)
		if err := i.replace(l); err != nil {
			return err // of exercise 4.1
		}
		i.version = l.Metadata.ResourceVersion
	}
	return i.watch(ctx)
}

// replace queues each object of a list, and a deletion of each known or queued one not in it.
func (i *informer) replace(l list) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	queued := map[string]string{}
	for name, waiting := range i.queue.Items {
		queued[name] = waiting[len(waiting)-1].State
	}
	var listed []string
	for _, o := range l.Items {
		name, err := o.name()
		if err != nil {
			return err
		}
		listed = append(listed, name)
	}
	gone := missing.Tombstones(listed, queued, maps.Clone(i.known))
	for n, o := range l.Items {
		i.queue.Push(listed[n], push.Delta{Type: "Replaced", State: o.String()})
	}
	for _, t := range gone {
		i.out.did("3.2 missing", t.Last)
		i.queue.Push(t.Key, push.Delta{Type: "Deleted", State: t.Last, Tombstone: true})
	}
	i.progress.ListEnded(len(i.queue.Keys))
	i.more.Broadcast()
	return nil
}

// push queues a delta behind those of its object.
func (i *informer) push(name string, d push.Delta) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.progress.Event()
	i.queue.Push(name, d)
	i.more.Broadcast()
}

// wake lets all goroutines that wait see that it is time to stop.
func (i *informer) wake() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.more.Broadcast()
	for _, l := range i.listeners {
		close(l.in) // so 5.2 comes to its end
	}
	i.listeners = nil
}

// process applies the deltas of the first object in the queue, all at once, then of the next.
func (i *informer) process(ctx context.Context) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for ctx.Err() == nil {
		if !i.synced && i.progress.HasSynced() {
			i.synced = true
			i.out.did("3.3 synced", "the first list has been processed")
		}
		if len(i.queue.Keys) == 0 {
			i.more.Wait()
			continue
		}
		name := i.queue.Keys[0]
		deltas := i.queue.Items[name]
		i.queue.Keys = i.queue.Keys[1:]
		delete(i.queue.Items, name)
		i.apply(ctx, name, deltas)
		i.progress.Processed()
	}
}

// apply changes the cache. The lock is held since the deltas left the queue, so replace finds each
// object in the queue or in the cache. No handler works under the lock.
func (i *informer) apply(ctx context.Context, name string, deltas []push.Delta) {
	before := apps(i.known[name])
	var list []process.Delta
	for _, d := range deltas {
		i.out.did("3.1 push", deltaText(d))
		list = append(list, process.Delta{Type: d.Type, Key: name, State: d.State})
	}
	told := i.known.Process(list)
	i.apps.Update(name, before, apps(i.known[name])) // 4.2
	i.out.holds(i.known, i.apps)
	for n, t := range told {
		what := t.Call
		if n < len(deltas) && deltas[n].Tombstone {
			what += " (tombstone)"
		}
		c := what + " " + strings.TrimSpace(t.Old+" "+t.New)
		i.out.did("6.1 process", c)
		for _, l := range i.listeners {
			if !t.Resync {
				i.tell(ctx, l, c)
			}
		}
	}
}

// addHandler adds a handler. The handler is first told what the cache holds, then each later
// change: under the lock nothing changes in between.
func (i *informer) addHandler(ctx context.Context, l *listener) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if ctx.Err() != nil {
		return // wake would not close the channel
	}
	l.in, l.out = make(chan string), make(chan string)
	i.running.Go(func() { pump.Pump(l.in, l.out) })
	i.running.Go(func() { i.deliver(ctx, l) })
	for _, name := range slices.Sorted(maps.Keys(i.known)) {
		i.tell(ctx, l, "OnAdd "+i.known[name])
	}
	i.listeners = append(i.listeners, l)
}

// resync tells each handler everything again from time to time: what has failed is tried again.
func (i *informer) resync(ctx context.Context) {
	for pause(ctx, *again) {
		i.mu.Lock()
		for _, name := range slices.Sorted(maps.Keys(i.known)) {
			for _, l := range i.listeners {
				i.tell(ctx, l, "again "+i.known[name]) // 6.1 has no part in this
			}
		}
		i.mu.Unlock()
	}
}

// tell sends a call to a handler through 5.2, which should never keep it waiting.
func (i *informer) tell(ctx context.Context, l *listener, c string) {
	late := time.AfterFunc(time.Second, func() { i.out.did("5.2 pump", "receives nothing") })
	defer late.Stop()
	select {
	case l.in <- c:
	case <-ctx.Done():
	}
}

// deliver makes the calls that 5.2 sends to a handler, at the pace of the handler.
func (i *informer) deliver(ctx context.Context, l *listener) {
	for c := range l.out {
		if ctx.Err() == nil {
			i.handle(l, c)
		}
	}
}

// handle is where a program would do its work.
func (i *informer) handle(l *listener, c string) {
	time.Sleep(l.pace)
	if l.name == "first" && *fail > 0 {
		*fail--
		fmt.Fprintf(i.out, "%s: %s: failed\n", l.name, c)
		return
	}
	i.out.note("5.2 pump", c)
	fmt.Fprintf(i.out, "%s: %s\n", l.name, c)
	if *app && l.name == "first" {
		for _, label := range apps(c) {
			names, looked := i.find(label)
			fmt.Fprintf(i.out, "  of the same app: %v, found among %d\n", names, looked)
		}
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
	began := time.Now()
	defer func() { i.end.Lived = time.Since(began) }()
	body, err := i.get(ctx, "?watch=true&resourceVersion="+i.version)
	if err != nil {
		return err
	}
	defer body.Close()
	i.end.Opened = true
	for events := frames.NewReader(body); ; i.end.Events++ {
		frame, err := events.Next()
		if err != nil {
			i.out.did("1.2 frames", "the end")
			return fmt.Errorf("the watch ended: %w", err)
		}
		var e event
		if err := json.Unmarshal([]byte(frame), &e); err != nil {
			return fmt.Errorf("a frame is not an event: %w", err)
		}
		if e.Type == "ERROR" {
			i.end.Status = e.Object.Code
			return fmt.Errorf("the server ends the watch with code %d", e.Object.Code)
		}
		name, err := e.Object.name()
		if err != nil {
			return err
		}
		i.out.did("1.2 frames", fmt.Sprint(e.Type, " ", e.Object))
		i.push(name, push.Delta{Type: types[e.Type], State: e.Object.String()})
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
		i.end.Status = response.StatusCode // for 2.1
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
