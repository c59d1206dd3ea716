package informer_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/contract"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// pair is a server and an informer of its widgets, in the bubble of a test.
type pair struct {
	t        *testing.T
	server   *fakeapi.Server
	informer *informer.SharedIndexInformer
	stop     func() // ends Run and returns when it has returned; may be called more than once
	run      func()
}

func newPair(t *testing.T, options informer.Options) *pair {
	server := fakeapi.New(fakeapi.Options{})
	if options.ListerWatcher == nil {
		options.ListerWatcher = widgetsOf(t, server)
	}
	if options.MutationDetector == nil {
		options.MutationDetector = noFindings(t)
	}
	options.Queue = queueOfPairs
	options.Reflector.Backoff.Jitter = -1
	options.Reflector.ListFirst = true // the laws count lists and break them
	p := &pair{t: t, server: server, informer: informer.NewSharedIndexInformer(options)}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	p.run = func() {
		running.Go(func() { _ = p.informer.Run(ctx) })
		synctest.Wait()
	}
	p.stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(func() {
		p.stop()
		server.Close()
	})
	return p
}

func (p *pair) create(name, color string) {
	p.t.Helper()
	_, err := p.server.Create("widgets", newWidget(name, color))
	require.NoError(p.t, err)
	synctest.Wait()
}

func (p *pair) update(name, color string) {
	p.t.Helper()
	_, err := p.server.Patch("widgets", "default", name, `{"spec":{"color":"`+color+`"}}`)
	require.NoError(p.t, err)
	synctest.Wait()
}

func (p *pair) delete(name string) {
	p.t.Helper()
	require.NoError(p.t, p.server.Delete("widgets", "default", name))
	synctest.Wait()
}

func (p *pair) handle(h processor.ResourceEventHandler) *processor.Registration {
	p.t.Helper()
	r := checked(p.t, p.informer, h, informer.HandlerOptions{})
	synctest.Wait()
	return r
}

// checked adds a handler. At the end of the test the informer must have kept the contract with it.
// If the handler has not ended and nothing waits for it, handler and cache must agree.
func checked(t testing.TB, i *informer.SharedIndexInformer, h processor.ResourceEventHandler,
	options informer.HandlerOptions) *processor.Registration {
	t.Helper()
	c := contract.New(h, i.GetIndexer())
	r, err := i.AddEventHandler(c, options)
	require.NoError(t, err)
	c.Registered(r)
	t.Cleanup(func() {
		synctest.Wait()
		kept := c.Settled
		if ended(r) != "" || r.Pending() > 0 {
			kept = c.Err
		}
		assert.NoError(t, kept(), "broken promise to handler %s", options.Name)
	})
	return r
}

// inBubble runs a law in a bubble of its own: time is virtual, and no goroutine may be left. It
// runs the law once with each queue, because what a pair promises does not depend on its queue.
func inBubble(t *testing.T, law string, f func(t *testing.T)) {
	for name, queue := range bothQueues {
		queueOfPairs = queue
		t.Run(law+", "+name, func(t *testing.T) { synctest.Test(t, f) })
	}
	queueOfPairs = informer.DeltaFIFO
}

// bothQueues holds all kinds of queues, by name.
var bothQueues = map[string]informer.QueueKind{
	"DeltaFIFO": informer.DeltaFIFO, "RealFIFO": informer.RealFIFO,
}

// queueOfPairs is the queue that newPair chooses. Laws are not played in parallel.
var queueOfPairs = informer.DeltaFIFO

func TestLifecycle(t *testing.T) {
	inBubble(t, "an informer runs once", func(t *testing.T) {
		p := newPair(t, informer.Options{})
		p.run()
		assert.ErrorIs(t, p.informer.Run(t.Context()), informer.ErrStarted, "while it runs")
		p.stop()
		assert.ErrorIs(t, p.informer.Run(t.Context()), informer.ErrStarted, "after it has stopped")
	})
	inBubble(t, "IsStopped is true after Run and not before", func(t *testing.T) {
		p := newPair(t, informer.Options{})
		assert.False(t, p.informer.IsStopped(), "before Run")
		p.run()
		assert.False(t, p.informer.IsStopped(), "during Run")
		p.stop()
		assert.True(t, p.informer.IsStopped(), "after Run")
	})
	inBubble(t, "a stopped informer takes no handlers and no indices", func(t *testing.T) {
		p := newPair(t, informer.Options{})
		r := p.handle(processor.ResourceEventHandlerFuncs{})
		p.run()
		p.stop()
		_, err := p.informer.AddEventHandler(processor.ResourceEventHandlerFuncs{},
			informer.HandlerOptions{})
		assert.ErrorIs(t, err, informer.ErrStopped)
		assert.ErrorIs(t, p.informer.AddIndexers(byNamespace), informer.ErrStopped)
		assert.NoError(t, p.informer.RemoveEventHandler(r), "removing is always possible")
	})
	inBubble(t, "an empty collection is synced too", func(t *testing.T) {
		p := newPair(t, informer.Options{})
		r := p.handle(processor.ResourceEventHandlerFuncs{})
		assert.False(t, p.informer.HasSynced(), "before Run")
		p.run()
		assert.True(t, p.informer.HasSynced(), "informer, after a list of nothing")
		assert.True(t, r.HasSynced(), "handler, after a list of nothing")
	})
	inBubble(t, "without a ListerWatcher New panics", func(t *testing.T) {
		assert.Panics(t, func() { informer.NewSharedIndexInformer(informer.Options{}) })
	})
}

// TestStopping is about the order in which things end.
func TestStopping(t *testing.T) {
	inBubble(t, "Run returns after the handler's call that is going on", func(t *testing.T) {
		p := newPair(t, informer.Options{})
		p.create("web-1", "red")
		returned := false
		p.handle(processor.ResourceEventHandlerFuncs{AddFunc: func(watchglass.Object, bool) {
			time.Sleep(time.Hour)
			returned = true
		}})
		p.run()
		p.stop()
		assert.True(t, returned, "Run returned while a handler was being called")
	})
	inBubble(t, "what waits for a handler is dropped, or delivered with Drain", func(t *testing.T) {
		for _, drain := range []bool{false, true} {
			p := newPair(t, informer.Options{})
			calls := 0
			slow := processor.ResourceEventHandlerFuncs{AddFunc: func(watchglass.Object, bool) {
				time.Sleep(time.Minute)
				calls++
			}}
			checked(t, p.informer, slow, informer.HandlerOptions{Drain: drain})
			p.run()
			p.create("web-1", "red")
			p.create("web-2", "red")
			p.create("web-3", "red")
			p.stop()
			assert.Equal(t, map[bool]int{false: 1, true: 3}[drain], calls, "drain: %v", drain)
		}
	})
	inBubble(t, "a handler may remove itself while the informer stops", func(t *testing.T) {
		p := newPair(t, informer.Options{})
		var r *processor.Registration
		h := processor.ResourceEventHandlerFuncs{AddFunc: func(watchglass.Object, bool) {
			time.Sleep(time.Minute) // until Run waits for this call
			assert.NoError(t, p.informer.RemoveEventHandler(r))
		}}
		r = p.handle(h)
		p.run()
		p.create("web-1", "red")
		p.stop() // in client-go, a deadlock
	})
	inBubble(t, "ShutDownEventHandler waits for the call that is going on", func(t *testing.T) {
		p := newPair(t, informer.Options{})
		returned := false
		r := p.handle(processor.ResourceEventHandlerFuncs{AddFunc: func(watchglass.Object, bool) {
			time.Sleep(time.Minute)
			returned = true
		}})
		p.run()
		p.create("web-1", "red")
		require.NoError(t, p.informer.ShutDownEventHandler(t.Context(), r))
		assert.True(t, returned)
	})
	inBubble(t, "a watch that hangs does not keep Run from returning", func(t *testing.T) {
		p := newPair(t, informer.Options{})
		p.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultSilence})
		p.run()
		p.create("web-1", "red")
		start := time.Now()
		p.stop()
		assert.Zero(t, time.Since(start), "Run waited for the server")
	})
}

func TestServerErrorsAreReported(t *testing.T) {
	inBubble(t, "an error of the server reaches WatchErrorHandler", func(t *testing.T) {
		var reported []error
		p := newPair(t, informer.Options{
			WatchErrorHandler: func(err error) { reported = append(reported, err) },
		})
		p.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultStatus, Verb: "list", Code: 500})
		p.run()
		require.Len(t, reported, 1)
		status, ok := errors.AsType[*reflector.StatusError](reported[0])
		require.True(t, ok, "%v", reported[0])
		assert.Equal(t, 500, status.Code)
		time.Sleep(time.Second)
		synctest.Wait()
		assert.True(t, p.informer.HasSynced(), "it tries again after a pause")
	})
}
