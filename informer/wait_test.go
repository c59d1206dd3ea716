package informer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// syncer is a Syncer of a program, for example the first pass of its workers.
type syncer struct {
	name          string
	synced, ended chan struct{}
}

func newSyncer(name string) *syncer {
	return &syncer{name, make(chan struct{}), make(chan struct{})}
}

func (s *syncer) Name() string            { return s.name }
func (s *syncer) Synced() <-chan struct{} { return s.synced }
func (s *syncer) Ended() <-chan struct{}  { return s.ended }
func (s *syncer) Err() error              { return nil }

// waiting starts a WaitForSync and returns where its error will be.
func waiting(ctx context.Context, all ...Syncer) <-chan error {
	result := make(chan error, 1)
	go func() { result <- WaitForSync(ctx, all...) }()
	synctest.Wait()
	return result
}

func TestWaitForSync(t *testing.T) {
	law(t, "informers and handlers that end before they have synced end the wait", func(t *testing.T) {
		p := newFixture(t, Options{})
		removed := p.handle(Handler[*widget]{})
		result := waiting(t.Context(), removed)
		require.NoError(t, p.RemoveEventHandler(removed))
		assert.ErrorIs(t, <-result, ErrEnded)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, p.Run(ctx))
		assert.EqualError(t, WaitForSync(t.Context(), p),
			"not synced: widgets.workshop.example.dev: "+
				"widgets.workshop.example.dev ended before it had synced")
	})
	law(t, "the last failure of an informer and its handlers is named, once", func(t *testing.T) {
		p := newFixture(t, Options{Name: "widgets"})
		r, err := p.AddEventHandler(Handler[*widget]{}, processor.HandlerOptions{Name: "ctl"})
		require.NoError(t, err)
		wait := func(all ...Syncer) error {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			return WaitForSync(ctx, all...)
		}
		assert.EqualError(t, wait(p, r),
			"not synced: widgets, ctl: widgets: Run has not been called: context deadline exceeded")
		assert.ErrorContains(t, wait(r), "not synced: ctl: widgets: Run has not been called")
		p.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultStatus, Code: 404, Count: -1})
		p.run()
		err = wait(p, newSyncer("cache"), r)
		assert.EqualError(t, err, "not synced: widgets, cache, ctl: 2 failures, the last: widgets: "+
			"listing: http://fakeapi/apis/workshop.example.dev/v1/widgets: server says 404 NotFound: "+
			"injected fault: 404: context deadline exceeded")
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		refused, ok := errors.AsType[*reflector.StatusError](err)
		assert.True(t, ok && refused.Code == 404)
		p.server.Heal()
		assert.NoError(t, wait(p, r))
		synctest.Wait() // for the watch
		p.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
		p.server.DropWatches()
		time.Sleep(time.Second)
		assert.ErrorContains(t, p.Err(), "very short watch")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		assert.ErrorContains(t, p.WaitFor(ctx, "default/web-1", "9"), "very short watch")
		assert.NoError(t, r.Err(), "the handler has synced, or will without the server")
	})
	law(t, "a plain informer can be waited for, too", func(t *testing.T) {
		_, c := NewInformer(Options{ListerWatcher: refusing{}, Name: "things"}, nil)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		stop := start(t, c)
		assert.EqualError(t, WaitForSync(ctx, c), "not synced: things: 2 failures, the last: things: "+
			"listing: no list today: context deadline exceeded")
		stop()
		assert.ErrorIs(t, WaitForSync(t.Context(), c), ErrEnded)
	})
	t.Run("a nil Syncer panics, in the caller's goroutine", func(t *testing.T) {
		for _, s := range []Syncer{nil, (*processor.Registration)(nil)} {
			want := fmt.Sprintf("informer: WaitForSync: the Syncer at index 1 is nil (%T)", s)
			assert.PanicsWithValue(t, want,
				func() { _ = WaitForSync(t.Context(), newSyncer("a"), s) })
		}
		assert.Panics(t, func() { _ = WaitForSync(t.Context(), Informer[*widget]{}) })
	})
	law(t, "what has synced counts, though it or the context has ended", func(t *testing.T) {
		a, b := newSyncer("a"), newSyncer("b")
		close(a.synced)
		close(a.ended)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range 20 { // select chooses at random
			assert.NoError(t, WaitForSync(ctx, a))
			assert.NoError(t, WaitForSync(t.Context(), a))
		}
		result := waiting(t.Context(), append(slices.Repeat([]Syncer{a}, 20), b, newSyncer("c"), a)...)
		require.Empty(t, result, "one that has synced and ended does not end the wait for another")
		close(b.ended)
		assert.EqualError(t, <-result, "not synced: b, c: b ended before it had synced",
			"however long the third would take")
	})
}

// refusing is a collection that cannot be listed.
type refusing struct{ still }

func (refusing) List(context.Context, reflector.ListOptions) (*reflector.List, error) {
	return nil, errors.New("no list today")
}

// waitFor starts a WaitFor, which ends with the test or after an hour: otherwise a wait that hangs
// would let the bubble's clock run forever.
func (p *fixture) waitFor(name, version string) <-chan error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	p.t.Cleanup(cancel)
	result := make(chan error, 1)
	go func() {
		err := p.WaitFor(ctx, "default/"+name, version)
		if err == nil && ctx.Err() != nil {
			err = errors.New("only the last look has found it")
		}
		result <- err
	}()
	synctest.Wait()
	return result
}

func TestWaitFor(t *testing.T) {
	onBothQueues(t, "it ends when the object is in the cache, not when an older one or another is",
		func(t *testing.T, queue QueueKind) {
			let := make(chan struct{})
			p := newFixture(t, Options{Queue: queue, WrapQueue: func(q Queue) Queue {
				return delayed{Queue: q, beforePop: func() { <-let }} // one key or delta at a time
			}})
			p.write("web-1", "red")
			result := p.waitFor("web-1", p.write("web-1", "blue"))
			require.Empty(t, result, "before Run")
			p.run()
			defer p.stop()
			defer close(let)
			let <- struct{}{} // the first list
			synctest.Wait()
			require.NoError(t, <-result, "the first list has it")
			for _, name := range []string{"web-2", "web-3", "web-4"} {
				p.write(name, "red")
			}
			version := p.write("web-1", "green")
			result = p.waitFor("web-1", version)
			for p.cachedColor("web-1") == "blue" {
				require.Empty(t, result, "the cache holds an older state")
				let <- struct{}{}
				synctest.Wait()
			}
			assert.NoError(t, <-result)
			assert.NoError(t, <-p.waitFor("web-1", version), "what is there is not waited for")
		})
	onBothQueues(t,
		"it ends when an object that was deleted, or that a selector leaves out, has passed",
		func(t *testing.T, queue QueueKind) {
			marked := false
			p := newFixture(t, Options{Queue: queue, Trace: Trace{Queue: &deltafifo.Trace{
				Queued: func(_ string, d deltafifo.Delta, _ deltafifo.Deltas, _ deltafifo.State) {
					marked = marked || d.Type == deltafifo.Bookmark
				},
			}}})
			p.run()
			gone := p.write("web-1", "red")
			p.delete("web-1")
			p.write("web-2", "red")
			assert.NoError(t, <-p.waitFor("web-1", gone), "the deletion came before the wait")
			written, err := p.server.Create("configmaps", `{"metadata":{"name":"web-3"}}`)
			require.NoError(t, err)
			result := p.waitFor("web-3", versionOf(t, written))
			require.Empty(t, result, "the informer does not know yet whether it belongs to it")
			assert.NoError(t, <-result, "a bookmark says that it does not")
			assert.Equal(t, queue == RealFIFO, marked, "the queue gets the version, too, if it takes it")
		})
	onBothQueues(t, "what has left the queue and is not in the cache yet is not taken for deleted",
		func(t *testing.T, queue QueueKind) {
			let := make(chan struct{})
			p := newFixture(t, Options{Queue: queue, WrapQueue: func(q Queue) Queue {
				return delayed{Queue: q, beforeProcess: func() { <-let }}
			}})
			p.run()
			defer p.stop()
			defer close(let)
			if queue == RealFIFO {
				let <- struct{}{} // an empty list is processed, too
			}
			synctest.Wait()
			result := p.waitFor("web-1", p.write("web-1", "red"))
			require.Empty(t, result, "the object is between queue and cache")
			let <- struct{}{}
			assert.NoError(t, <-result)
			assert.Equal(t, "red", p.cachedColor("web-1"))
		})
	law(t, "an older state in the cache is waited for, however far the cache is", func(t *testing.T) {
		p := newFixture(t, Options{Name: "widgets"})
		p.write("web-1", "red")
		p.run()
		version := p.write("web-2", "red")
		err := <-p.waitFor("web-1", version)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.EqualError(t, err, fmt.Sprintf("wait for default/web-1 of widgets at version %q, "+
			"everything is queued up to %q: context deadline exceeded", version, version))
	})
	law(t, "a version that is not a number is an error", func(t *testing.T) {
		p := newFixture(t, Options{})
		for _, run := range []func(){func() {}, p.run} { // before Run, and then
			run()
			for _, version := range []string{"", "abc", "-1", "1.5", "0x10"} {
				assert.ErrorContains(t, <-p.waitFor("web-1", version),
					fmt.Sprintf("resourceVersion %q is not a positive number", version))
			}
		}
	})
	law(t, "it ends with the informer, and what was reached counts all the same", func(t *testing.T) {
		p := newFixture(t, Options{})
		version := p.write("web-1", "red")
		p.run()
		result := p.waitFor("web-1", "1000000")
		require.Empty(t, result)
		p.stop()
		assert.ErrorIs(t, <-result, watchglass.ErrStopped)
		assert.NoError(t, p.WaitFor(t.Context(), "default/web-1", version))
	})
}

func (p *fixture) cachedColor(name string) string {
	w, _ := p.Lister().Namespace("default").Get(name)
	return w.Spec.Color
}

// elusive is an object that is replaced in the cache after its version was read.
type elusive struct {
	*thing
	then func()
}

func (e *elusive) GetResourceVersion() string {
	if e.then != nil {
		e.then()
	}
	return e.thing.GetResourceVersion()
}

func TestWaitForMissesNoChangeAfterItsLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSharedIndexInformer(Options{ListerWatcher: still{}})
		e := &elusive{thing: newThing("web-1", "1")}
		require.NoError(t, s.indexer.Add(e))
		e.then = func() {
			assert.NoError(t, s.indexer.Update(newThing("web-1", "2")))
			s.changes.happened()
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		assert.NoError(t, s.WaitFor(ctx, "web-1", "2"))
		assert.NoError(t, ctx.Err(), "only the last look has found it")
		cancel()       // what has been reached counts, although ctx has ended during the look
		for range 20 { // select chooses at random
			require.NoError(t, s.indexer.Update(e))
			assert.NoError(t, s.WaitFor(ctx, "web-1", "2"))
		}
	})
}

func TestEveryWaitHearsOfAChange(t *testing.T) {
	var c changes
	c.happened() // no call waits
	first, second := c.next(), c.next()
	c.happened()
	assert.True(t, isClosed(first) && isClosed(second))
	assert.False(t, isClosed(c.next()), "a new wait waits for the next change")
}
