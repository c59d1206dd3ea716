package informer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
)

// TestStories plays the whole pipe: a fakeapi server and an informer, real HTTP over pipes, virtual
// time. Read the files in testdata, or run go test -v -run Stories ./informer.
//
// It is in this file so that go test -v shows it first.
func TestStories(t *testing.T) {
	open := func(t testing.TB) story.Machine { return newMachine(t) }
	story.PlayInBubble(t, "testdata/*.story", open)
	t.Run("further", func(t *testing.T) {
		story.PlayInBubble(t, "testdata/further/*.story", open)
	})
}

// widgetsOver returns a client for the widgets of a server with certain labels, or for all.
func widgetsOver(t testing.TB, network *http.Client, labels string) *client.Client[widget] {
	widgets, err := client.New[widget](client.Options{
		URL:           fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
		HTTPClient:    network,
		LabelSelector: labels,
	})
	require.NoError(t, err)
	return widgets
}

// machine is that of the stories: a server, an informer of its widgets, and handlers. What
// each of them does is reported in a lane of its own.
type machine struct {
	t        testing.TB
	lanes    *story.Lanes
	server   *fakeapi.Server
	informer *SharedIndexInformer
	ctx      context.Context
	stop     context.CancelFunc
	running  sync.WaitGroup
	handlers []*processor.Registration
	answer   string // to the last command, if it was a question
	stopping bool   // stop was called
}

func newMachine(t testing.TB) *machine {
	h := &machine{t: t, lanes: story.NewLanes("writer", "server", "reflector", "queue", "process")}
	h.server = fakeapi.New(fakeapi.Options{Trace: &fakeapi.Trace{
		Committed: func(c fakeapi.Change) { h.say("server", words.Committed(c)) },
	}})
	h.informer = h.newInformer(plan{})
	h.ctx, h.stop = context.WithCancel(context.Background())
	t.Cleanup(func() {
		h.stop()
		h.running.Wait()
		h.server.Close()
	})
	return h
}

// plan is what a story says about its informer. The zero plan lists first, into a DeltaFIFO.
type plan struct {
	resync, lag time.Duration
	queue       QueueKind
	streams     bool
	labels      string // that its objects have
}

func (h *machine) newInformer(p plan) *SharedIndexInformer {
	return NewSharedIndexInformer(Options{
		ListerWatcher: widgetsOver(h.t, overSlowNetwork(h.server.Client(), p.lag), p.labels),
		Name:          "widgets",
		ResyncPeriod:  p.resync,
		Queue:         p.queue,
		Reflector: reflector.Options{
			ListFirst: !p.streams, Backoff: reflector.Backoff{Jitter: -1},
		},
		OnPanic: func(handler string, _ processor.Notification, recovered any) {
			h.lanes.Report(handler, "panics: %v", recovered)
		},
		MutationDetector: noFindings(h.t),
		Trace: Trace{
			Reflector: h.reflectorTrace(), Queue: h.queueTrace(), Indexer: h.indexerTrace(),
		},
	})
}

// Do implements story.Machine.
func (h *machine) Do(c story.Command) error {
	if err := c.NeedsWord("create", "update", "label", "finish", "write", "delete",
		"handler"); err != nil {
		return err
	}
	name := c.Arg(0)
	switch c.Name {
	case "create":
		return h.create(c.Args(), c)
	case "label":
		_, err := h.server.Patch("widgets", "default", name, fmt.Sprintf(
			`{"metadata":{"labels":{"app":%q}}}`, c.Opt("app", "")))
		return err
	case "finish":
		_, err := h.server.Patch("widgets", "default", name, `{"metadata":{"finalizers":null}}`)
		return err
	case "update":
		_, err := h.server.Patch("widgets", "default", name, colored(c.Opt("color", "")))
		return err
	case "write":
		return h.write(name, c.Opt("color", ""))
	case "delete":
		return h.server.Delete("widgets", "default", name)
	case "compact":
		h.server.Compact()
	case "drop":
		h.server.DropWatches()
	case "disconnect":
		h.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
	case "reconnect":
		h.server.Heal()
	case "informer":
		return h.replaceInformer(c)
	case "run":
		if h.informer.HasStarted() {
			return errors.New("the informer runs already")
		}
		h.running.Go(func() { _ = h.informer.Run(h.ctx) })
	case "stop":
		h.stop()
		h.stopping = true
	case "requests":
		h.answer = fmt.Sprintf("the server has got %d requests\n", h.server.Requests("", ""))
	case "handler":
		return h.handle(c)
	default:
		return c.Unknown()
	}
	return nil
}

// replaceInformer takes another informer instead of the one that is there from the start.
func (h *machine) replaceInformer(c story.Command) error {
	if h.informer.HasStarted() || len(h.handlers) > 0 {
		return errors.New("the command informer must come before run and before all handlers")
	}
	p := plan{streams: c.Opt("streams", "no") == "yes", labels: c.Opt("labels", "")}
	if c.Opt("queue", "DeltaFIFO") == "RealFIFO" {
		p.queue = RealFIFO
	}
	var err error
	if p.resync, err = time.ParseDuration(c.Opt("resync", "0s")); err != nil {
		return err
	}
	p.lag, err = time.ParseDuration(c.Opt("lag", "0s"))
	h.informer = h.newInformer(p)
	return err
}

// create creates the widgets one after the other: the informer comes to rest in between.
func (h *machine) create(names []string, c story.Command) error {
	for _, name := range names {
		w := newWidget(name, c.Opt("color", "red"))
		if app := c.Opt("app", ""); app != "" {
			w.Labels = map[string]string{"app": app}
		}
		if finalizer := c.Opt("finalizer", ""); finalizer != "" {
			w.Finalizers = []string{finalizer}
		}
		if _, err := h.server.Create("widgets", w); err != nil {
			return err
		}
		synctest.Wait()
	}
	return nil
}

// handle adds a handler. The options say how long its calls take, on which object it panics, how
// often it is resynced, and whether it drains.
func (h *machine) handle(c story.Command) error {
	takes, err := time.ParseDuration(c.Opt("takes", "0s"))
	if err != nil {
		return err
	}
	period, err := time.ParseDuration(c.Opt("resync", "0s"))
	if err != nil {
		return err
	}
	name := c.Arg(0)
	switch {
	case h.stopping:
		return errors.New("the informer has been stopped")
	case slices.ContainsFunc(h.handlers, func(r *processor.Registration) bool { return r.Name() == name }):
		return fmt.Errorf("there is a handler %s already", name)
	}
	r := checked(h.t, h.informer, &reporter{h.lanes, name, takes, c.Opt("panics", "-")},
		HandlerOptions{
			Name: name, ResyncPeriod: period, Drain: c.Opt("drain", "") == "yes",
		})
	h.handlers = append(h.handlers, r)
	return nil
}

// State implements story.Machine: what happened since the last command, lane by lane, and then the
// state of the cache, the handlers and the informer.
func (h *machine) State() string {
	var b strings.Builder
	b.WriteString(h.answer + h.lanes.String())
	h.answer = ""
	fmt.Fprintf(&b, "cache %s, synced: %s\n", h.cache(), yes(h.informer.HasSynced()))
	for _, r := range h.handlers {
		fmt.Fprintf(&b, "handler %s: synced: %s, waiting: %d%s\n",
			r.Name(), yes(r.HasSynced()), r.Pending(), ended(r))
	}
	if h.stopping {
		fmt.Fprintf(&b, "informer stopped: %s, Run has returned: %s\n",
			yes(h.informer.IsStopped()), yes(isClosed(h.informer.Ended())))
	}
	return b.String()
}

func ended(r *processor.Registration) string {
	if !isClosed(r.Ended()) {
		return ""
	}
	return fmt.Sprintf(", ended, dropped: %d", r.Dropped())
}

func (h *machine) cache() string {
	var held []string
	for _, obj := range h.informer.GetIndexer().List() {
		held = append(held, words.At(obj))
	}
	slices.Sort(held)
	return fmt.Sprint(held)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// reporter is a handler that reports each call when it begins, and returns, or panics, after a
// while.
type reporter struct {
	lanes  *story.Lanes
	name   string
	takes  time.Duration
	panics string // the name of the object that it panics on
}

func (r *reporter) OnAdd(obj watchglass.Object, isInInitialList bool) {
	r.report(processor.Notification{Kind: processor.Add, New: obj, IsInInitialList: isInInitialList})
}

func (r *reporter) OnUpdate(oldObj, newObj watchglass.Object) {
	r.report(processor.Notification{Kind: processor.Update, Old: oldObj, New: newObj})
}

func (r *reporter) OnDelete(obj watchglass.Object) {
	r.report(processor.Notification{Kind: processor.Delete, Old: obj})
}

func (r *reporter) report(n processor.Notification) {
	r.lanes.Report(r.name, "%s", words.Told(n))
	time.Sleep(r.takes) // virtual: stories play in a bubble
	if words.About(n).GetName() == r.panics {
		panic("no " + r.panics)
	}
}

// The traces of the stages write lines in lanes. Each lane belongs to one goroutine: otherwise its
// order would differ from run to run. (The queue's belongs to the reflector's goroutine, which
// adds.)

func (h *machine) say(lane string, e words.Event) { h.lanes.Report(lane, "%s", e.Text) }

func (h *machine) reflectorTrace() *reflector.Trace {
	say := func(e words.Event) { h.say("reflector", e) }
	return &reflector.Trace{
		Listing:    func(o reflector.ListOptions) { say(words.Listing(o)) },
		Opening:    func(o reflector.ListOptions) { say(words.Opening(o)) },
		Transition: func(t reflector.Transition, err error) { say(words.Transitioned(t, err)) },
		Event:      func(e reflector.Event) { say(words.Read(e)) },
	}
}

func (h *machine) queueTrace() *deltafifo.Trace {
	return &deltafifo.Trace{
		Queued: func(key string, d deltafifo.Delta, pending deltafifo.Deltas, _ deltafifo.State) {
			if key == "" { // in a RealFIFO
				h.say("queue", words.QueuedInOrder(d))
				return
			}
			h.say("queue", words.Queued(key, pending))
		},
		Popped: func(key string, deltas deltafifo.Deltas, _ bool, _ deltafifo.State) {
			if key == "" {
				h.say("process", words.PoppedBatch(deltas))
				return
			}
			h.say("process", words.Popped(key, deltas))
		},
	}
}

func (h *machine) indexerTrace() *indexer.Trace {
	return &indexer.Trace{
		Added:   func(key string, obj watchglass.Object) { h.say("process", words.Added(key, obj)) },
		Updated: func(key string, _, obj watchglass.Object) { h.say("process", words.Updated(key, obj)) },
		Deleted: func(key string, obj watchglass.Object) { h.say("process", words.Deleted(key, obj)) },
		Replaced: func(objects []watchglass.Object, version string) {
			h.say("process", words.ReplacedCache(len(objects), version))
		},
	}
}

// overSlowNetwork returns a client whose answers arrive later, piece by piece.
func overSlowNetwork(network *http.Client, lag time.Duration) *http.Client {
	return &http.Client{Transport: slowNetwork{network.Transport, lag}}
}

type slowNetwork struct {
	http.RoundTripper
	lag time.Duration
}

func (n slowNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := n.RoundTripper.RoundTrip(r)
	if err == nil && n.lag > 0 {
		resp.Body = story.Late(resp.Body, n.lag, r.Context().Done())
	}
	return resp, err
}

// write updates a widget, and starts a goroutine that waits until the cache holds it as written.
func (h *machine) write(name, color string) error {
	raw, err := h.server.Patch("widgets", "default", name, colored(color))
	if err != nil {
		return err
	}
	version := versionOf(h.t, raw)
	h.lanes.Report("writer", "waits for version %s", version)
	h.running.Go(func() { // joined in Cleanup
		if err := h.informer.WaitFor(h.ctx, "default/"+name, version); err != nil {
			h.lanes.Report("writer", "%v", err)
			return
		}
		h.lanes.Report("writer", "the cache has reached version %s", version)
	})
	return nil
}
