package informer

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer/chaos"
	"example.com/watchglass/informer/mutation"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
)

var law = story.Bubble

// widget is the object that most tests here are about.
type widget struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct {
		Color string `json:"color,omitempty"`
	} `json:"spec"`
}

// A widget has its kind, so that the client can refuse an object of another kind.

func (w *widget) GetKind() string       { return w.Kind }
func (w *widget) GetAPIVersion() string { return w.APIVersion }
func (w *widget) IsBeingDeleted() bool  { return w.DeletionTimestamp != nil }

// newWidget returns a widget as a test sends it to the server.
func newWidget(name, color string) *widget {
	w := &widget{ObjectMeta: watchglass.ObjectMeta{Name: name}}
	w.Spec.Color = color
	return w
}

// fixture is a server and an informer of its widgets, in the bubble of a test.
type fixture struct {
	Informer[*widget]
	t      *testing.T
	server *fakeapi.Server
	run    func() // returns when the informer has come to rest
	stop   func() // ends Run and returns when it has returned; may be called more than once
}

// newFixture returns one that lists first.
func newFixture(t *testing.T, options Options) *fixture {
	options.Reflector.ListFirst = true
	return fixtureWith(t, options)
}

func fixtureWith(t *testing.T, options Options) *fixture {
	options.MutationDetector = noFindings(t)
	options.Reflector.Backoff.Jitter = -1
	p := &fixture{t: t, server: fakeapi.New(fakeapi.Options{})}
	var err error
	p.Informer, err = For[widget](client.Options{
		URL:        fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
		HTTPClient: p.server.Client(),
	}, options)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	p.run = func() {
		running.Go(func() { _ = p.Run(ctx) })
		synctest.Wait()
	}
	p.stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(func() {
		p.stop()
		p.server.Close()
	})
	return p
}

// noFindings is a detector for tests in which no object may be changed. It compares seldom: after
// each call of a handler, and before an object leaves the cache, it does so anyway.
func noFindings(t testing.TB) *mutation.Detector {
	return &mutation.Detector{
		Period:     10 * time.Minute,
		OnMutation: func(err *mutation.Error) { t.Error(err) },
	}
}

// write changes the color of a widget, which it creates if need be, and returns its new version.
func (p *fixture) write(name, color string) string {
	p.t.Helper()
	written, err := p.server.Patch("widgets", "default", name, colored(color))
	if err != nil {
		written, err = p.server.Create("widgets", newWidget(name, color))
	}
	require.NoError(p.t, err)
	synctest.Wait()
	return versionOf(p.t, written)
}

func (p *fixture) delete(name string) {
	p.t.Helper()
	require.NoError(p.t, p.server.Delete("widgets", "default", name))
	synctest.Wait()
}

func versionOf(t testing.TB, written json.RawMessage) string {
	var obj watchglass.Unstructured
	require.NoError(t, json.Unmarshal(written, &obj))
	return obj.GetResourceVersion()
}

// missEvents disconnects the informer, calls f, makes the server forget its history, and lets the
// informer connect again: it has to list.
func (p *fixture) missEvents(f func()) {
	p.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
	p.server.DropWatches()
	synctest.Wait()
	f()
	p.server.Compact()
	p.server.Heal()
	time.Sleep(time.Hour)
	synctest.Wait()
}

func (p *fixture) handle(h processor.ResourceEventHandler) *processor.Registration {
	p.t.Helper()
	r := checked(p.t, p.SharedIndexInformer, h, processor.HandlerOptions{})
	synctest.Wait()
	return r
}

// checked adds a handler. At the end of the test the informer must have kept the contract with it.
// If the handler has not ended and nothing waits for it, handler and cache must agree.
func checked(t testing.TB, i *SharedIndexInformer, h processor.ResourceEventHandler,
	options processor.HandlerOptions) *processor.Registration {
	t.Helper()
	c := chaos.NewChecker(h, i.GetIndexer())
	r, err := i.AddEventHandler(c, options)
	require.NoError(t, err)
	c.Registered(r)
	t.Cleanup(func() {
		synctest.Wait()
		kept := c.Settled
		if isClosed(r.Ended()) || r.Pending() > 0 {
			kept = c.Err
		}
		assert.NoError(t, kept(), "broken promise to handler %s", options.Name)
	})
	return r
}

// colored is a merge patch.
func colored(color string) string { return fmt.Sprintf(`{"spec":{"color":%q}}`, color) }

// These collections have no server, for moments that last microseconds in a running informer.

// thing is an object with nothing but an identity.
type thing struct{ watchglass.ObjectMeta }

func newThing(name, version string) *thing {
	return &thing{watchglass.ObjectMeta{Name: name, ResourceVersion: version}}
}

// still is a collection that never changes: a ListerWatcher without a server.
type still []watchglass.Object

func (s still) List(context.Context, reflector.ListOptions) (*reflector.List, error) {
	return &reflector.List{Items: append([]watchglass.Object(nil), s...), ResourceVersion: "1"}, nil
}

// IsWatchListSemanticsUnSupported says that a still collection has to be listed.
func (s still) IsWatchListSemanticsUnSupported() bool { return true }

func (s still) Watch(ctx context.Context, _ reflector.ListOptions) (reflector.Watch, error) {
	return stillWatch{ctx}, nil
}

type stillWatch struct{ ctx context.Context }

func (w stillWatch) Next() (reflector.Event, error) {
	<-w.ctx.Done()
	return reflector.Event{}, w.ctx.Err()
}

func (w stillWatch) Close() error { return nil }

// moving is a collection whose watches get 410 Expired until the last of its lists has been
// fetched.
type moving struct {
	fails error // of the first list
	lists []still
	next  int
}

func (m *moving) List(ctx context.Context, o reflector.ListOptions) (*reflector.List, error) {
	if err := m.fails; err != nil {
		m.fails = nil
		return nil, err
	}
	m.next++
	return m.lists[m.next-1].List(ctx, o)
}

// IsWatchListSemanticsUnSupported says that a moving collection has to be listed.
func (m *moving) IsWatchListSemanticsUnSupported() bool { return true }

func (m *moving) Watch(ctx context.Context, _ reflector.ListOptions) (reflector.Watch, error) {
	if m.next < len(m.lists) {
		return nil, &reflector.StatusError{Code: 410, Reason: "Expired"}
	}
	return stillWatch{ctx}, nil
}

// added counts how often each object is added to a handler.
type added map[string]int

func (a added) OnAdd(obj watchglass.Object, _ bool) { a[obj.GetName()]++ }
func (a added) OnUpdate(_, _ watchglass.Object)     {}
func (a added) OnDelete(obj watchglass.Object)      {}

func add(obj watchglass.Object) deltafifo.Deltas {
	return deltafifo.Deltas{{Type: deltafifo.Added, Object: obj}}
}

func (a added) join(t *testing.T, s *SharedIndexInformer) *processor.Registration {
	r, err := s.AddEventHandler(a, processor.HandlerOptions{})
	require.NoError(t, err)
	return r
}

// onBothQueues runs a law in a bubble for each queue.
func onBothQueues(t *testing.T, name string, f func(t *testing.T, queue QueueKind)) {
	for _, queue := range []QueueKind{DeltaFIFO, RealFIFO} {
		law(t, fmt.Sprint(name, ", ", queue), func(t *testing.T) { f(t, queue) })
	}
}

// start runs an informer until the returned func is called.
func start(t *testing.T, s interface{ Run(context.Context) error }) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { assert.NoError(t, s.Run(ctx)) })
	synctest.Wait()
	return func() {
		cancel()
		running.Wait()
	}
}

// delayed is a queue whose methods may take a while.
type delayed struct {
	Queue
	beforePop, beforeProcess, beforeResync func()
}

func (q delayed) Pop(process deltafifo.PopProcessFunc) (deltafifo.Deltas, error) {
	if q.beforePop != nil {
		q.beforePop()
	}
	return q.Queue.Pop(func(d deltafifo.Deltas, isInInitialList bool) error {
		if q.beforeProcess != nil {
			q.beforeProcess()
		}
		return process(d, isInInitialList)
	})
}

func (q delayed) Resync() error {
	if q.beforeResync != nil {
		q.beforeResync()
	}
	return q.Queue.Resync()
}
