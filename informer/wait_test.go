package informer_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
)

// waiting starts a WaitForSync and returns where its error will be.
func waiting(ctx context.Context, all ...informer.Syncer) <-chan error {
	result := make(chan error, 1)
	go func() { result <- informer.WaitForSync(ctx, all...) }()
	synctest.Wait()
	return result
}

func isOpen[T any](t *testing.T, result <-chan T) {
	t.Helper()
	select {
	case v := <-result:
		require.Fail(t, "the wait has ended too early", "with %v", v)
	default:
	}
}

func TestWaitForSync(t *testing.T) {
	inBubble(t, "it waits for the informer and for the handler's first list", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		r.create("web-1", "red")
		busy := make(chan struct{})
		ctl := checked(t, r.informer, informer.Handler[*widget]{
			Add: func(*widget, bool) { <-busy },
		}, informer.HandlerOptions{Name: "ctl"})
		cache, all := waiting(t.Context(), r.widgets), waiting(t.Context(), r.widgets, ctl)
		isOpen(t, cache)
		r.run()
		assert.NoError(t, <-cache, "the cache has synced")
		isOpen(t, all)
		close(busy)
		assert.NoError(t, <-all)
	})
	inBubble(t, "it names what is missing, and only that", func(t *testing.T) {
		r, other := newTypedRig(t, informer.Options{}), newTypedRig(t, informer.Options{Name: "others"})
		r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
		ctl := checked(t, r.informer, informer.Handler[*widget]{}, informer.HandlerOptions{Name: "ctl"})
		audit := checked(t, r.informer, informer.Handler[*widget]{}, informer.HandlerOptions{Name: "audit"})
		r.run()
		other.run()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := informer.WaitForSync(ctx, ctl, other.widgets, audit)
		assert.EqualError(t, err, "not synced: ctl, audit: context deadline exceeded")
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
	inBubble(t, "it ends when one ends, however long another would take", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{Name: "widgets"})
		slow := newTypedRig(t, informer.Options{Name: "slow"}) // never run
		r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
		ctl := checked(t, r.informer, informer.Handler[*widget]{}, informer.HandlerOptions{Name: "ctl"})
		r.run()
		result := waiting(context.Background(), slow.widgets, ctl)
		alone := waiting(context.Background(), r.widgets)
		isOpen(t, result)
		r.stop()
		synctest.Wait()
		err := <-result
		assert.EqualError(t, err, "not synced: slow, ctl: ctl ended before it had synced")
		assert.ErrorIs(t, err, informer.ErrEnded)
		assert.ErrorIs(t, <-alone, informer.ErrEnded, "an informer that has stopped")
	})
	inBubble(t, "a handler that is removed before it has synced ends the wait", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		ctl := checked(t, r.informer, informer.Handler[*widget]{}, informer.HandlerOptions{Name: "ctl"})
		result := waiting(context.Background(), ctl)
		assert.NoError(t, r.widgets.RemoveEventHandler(ctl))
		assert.ErrorIs(t, <-result, informer.ErrEnded)
	})
	inBubble(t, "what has synced counts, though it or the context has ended", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		ctl := checked(t, r.informer, informer.Handler[*widget]{}, informer.HandlerOptions{})
		r.run()
		r.stop()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range 20 { // select chooses at random
			assert.NoError(t, informer.WaitForSync(ctx, r.widgets, ctl))
			assert.NoError(t, informer.WaitForSync(t.Context(), r.widgets, ctl))
		}
	})
	inBubble(t, "one that has synced and ended does not end the wait for another",
		func(t *testing.T) {
			r, other := newTypedRig(t, informer.Options{}), newTypedRig(t, informer.Options{})
			r.run()
			r.stop()
			all := slices.Repeat([]informer.Syncer{r.widgets}, 20) // select chooses at random
			result := waiting(t.Context(), append(all, other.widgets)...)
			isOpen(t, result)
			other.run()
			assert.NoError(t, <-result)
		})
	inBubble(t, "a program's own Syncer is waited for like the others", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		workers := &firstPass{make(chan struct{}), make(chan struct{})}
		result := waiting(t.Context(), r.widgets, workers)
		r.run()
		isOpen(t, result)
		close(workers.synced)
		assert.NoError(t, <-result)
		workers = &firstPass{make(chan struct{}), make(chan struct{})}
		close(workers.ended)
		assert.EqualError(t, informer.WaitForSync(t.Context(), r.widgets, workers),
			"not synced: workers: workers ended before it had synced")
	})
	inBubble(t, "to wait for nothing takes no time", func(t *testing.T) {
		assert.NoError(t, informer.WaitForSync(t.Context()))
	})
}

// firstPass is a Syncer of a controller: its workers have reconciled all of the first list.
type firstPass struct{ synced, ended chan struct{} }

func (p *firstPass) Name() string            { return "workers" }
func (p *firstPass) Synced() <-chan struct{} { return p.synced }
func (p *firstPass) Ended() <-chan struct{}  { return p.ended }

func TestHasStartedAndEnded(t *testing.T) {
	inBubble(t, "HasStarted and Ended follow Run", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		assert.False(t, r.widgets.HasStarted(), "before Run")
		isOpen(t, r.widgets.Ended())
		var handlers sync.WaitGroup
		handlers.Add(1)
		busy := make(chan struct{})
		checked(t, r.informer, informer.Handler[*widget]{
			Add: func(*widget, bool) { <-busy; handlers.Done() },
		}, informer.HandlerOptions{})
		r.create("web-1", "red")
		r.run()
		assert.True(t, r.widgets.HasStarted(), "during Run")
		go r.stop()
		synctest.Wait()
		isOpen(t, r.widgets.Ended()) // the handler's call has not returned
		close(busy)
		<-r.widgets.Ended()
		handlers.Wait()
		assert.True(t, r.widgets.HasStarted(), "after Run")
		assert.ErrorIs(t, r.widgets.Run(t.Context()), informer.ErrStarted)
	})
}
