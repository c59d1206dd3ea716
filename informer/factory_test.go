package informer_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
)

// factoryRig is a server and a factory of informers, in the bubble of a test.
type factoryRig struct {
	*informer.Factory
	server *fakeapi.Server
	lists  atomic.Int64 // that the server has got
	result chan error   // of Run
	run    func()
	stop   func() // ends Run and returns when it has returned
}

func newFactoryRig(t *testing.T, options informer.FactoryOptions) *factoryRig {
	r := &factoryRig{result: make(chan error, 1)}
	r.server = fakeapi.New(fakeapi.Options{Trace: &fakeapi.Trace{
		Request: func(q fakeapi.Request) {
			if q.Verb == "list" {
				r.lists.Add(1)
			}
		},
	}})
	options.Collection = func(path string) wire.ClientOptions {
		collection := collectionAt(r.server, path)
		if path == widgetsPath {
			collection.Kind, collection.APIVersion = "Widget", "workshop.example.dev/v1"
		}
		return collection
	}
	options.Informer.Queue = queueOfPairs
	options.Informer.Reflector = reflector.Options{
		ListFirst: true, Backoff: reflector.Backoff{Jitter: -1},
	}
	r.Factory = informer.NewFactory(options)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	r.run = func() {
		running.Go(func() { r.result <- r.Run(ctx) })
		synctest.Wait()
	}
	r.stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(func() {
		r.stop()
		r.server.Close()
	})
	return r
}

func (r *factoryRig) widgets(t *testing.T) informer.Informer[*widget] {
	t.Helper()
	widgets, err := informer.Of[widget](r.Factory, widgetsPath)
	require.NoError(t, err)
	return widgets
}

func TestFactory(t *testing.T) {
	inBubble(t, "a collection has one informer, one list and one watch, however often asked for",
		func(t *testing.T) {
			r := newFactoryRig(t, informer.FactoryOptions{})
			_, err := r.server.Create("widgets", newWidget("web-1", "red"))
			require.NoError(t, err)
			var asking sync.WaitGroup
			var same sync.Map
			for range 20 {
				asking.Go(func() { same.Store(r.widgets(t), true) })
			}
			asking.Wait()
			r.run()
			for range 20 {
				asking.Go(func() { same.Store(r.widgets(t), true) })
			}
			asking.Wait()
			synctest.Wait()
			informers := 0
			same.Range(func(any, any) bool { informers++; return true })
			assert.Equal(t, 1, informers, "informers")
			assert.EqualValues(t, 1, r.lists.Load(), "lists")
			assert.Len(t, r.widgets(t).Lister().List(), 1)
		})
	inBubble(t, "slashes at the ends of a path make no difference", func(t *testing.T) {
		r := newFactoryRig(t, informer.FactoryOptions{})
		other, err := informer.Of[widget](r.Factory, widgetsPath[1:]+"/")
		require.NoError(t, err)
		assert.Equal(t, r.widgets(t), other)
	})
	inBubble(t, "a namespace and another type are other collections", func(t *testing.T) {
		r := newFactoryRig(t, informer.FactoryOptions{})
		resource := informer.Resource{
			Group: "workshop.example.dev", Version: "v1", Resource: "widgets",
		}
		for _, namespace := range []string{"shop", "bank"} {
			_, err := r.server.Create("widgets", fmt.Sprintf(
				`{"metadata":{"name":"web","namespace":%q}}`, namespace))
			require.NoError(t, err)
		}
		all, err := r.Dynamic(resource)
		require.NoError(t, err)
		resource.Namespace = "shop"
		shop, err := r.Dynamic(resource)
		require.NoError(t, err)
		widgets := r.widgets(t)
		r.run()
		assert.NoError(t, r.WaitForSync(t.Context()))
		assert.Equal(t, []string{"bank/web", "shop/web"}, keysOf(all.Lister().List()))
		assert.Equal(t, []string{"shop/web"}, keysOf(shop.Lister().List()))
		assert.Equal(t, []string{"bank/web", "shop/web"}, keysOf(widgets.Lister().List()))
		assert.EqualValues(t, 3, r.lists.Load(), "lists")
	})
	inBubble(t, "informers asked for before and after Run are run", func(t *testing.T) {
		r := newFactoryRig(t, informer.FactoryOptions{})
		_, err := r.server.Create("widgets", newWidget("web-1", "red"))
		require.NoError(t, err)
		before := r.widgets(t)
		var l told
		checked(t, before.SharedIndexInformer, l.handler(nil), informer.HandlerOptions{})
		assert.False(t, before.HasStarted(), "asking starts nothing")
		r.run()
		after, err := r.Dynamic(informer.Resource{Version: "v1", Resource: "configmaps"})
		require.NoError(t, err)
		synctest.Wait()
		assert.True(t, after.HasSynced())
		assert.Equal(t, []string{"add web-1 red initial=true"}, l.take())
		r.stop()
		assert.NoError(t, <-r.result)
		assert.True(t, before.IsStopped() && after.IsStopped())
	})
	inBubble(t, "Run returns when every handler's last call has", func(t *testing.T) {
		r := newFactoryRig(t, informer.FactoryOptions{})
		_, err := r.server.Create("widgets", newWidget("web-1", "red"))
		require.NoError(t, err)
		busy := make(chan struct{})
		checked(t, r.widgets(t).SharedIndexInformer, informer.Handler[*widget]{
			Add: func(*widget, bool) { <-busy },
		}, informer.HandlerOptions{})
		r.run()
		go r.stop()
		synctest.Wait()
		isOpen(t, r.result)
		close(busy)
		assert.NoError(t, <-r.result)
	})
}

func TestFactoryEnds(t *testing.T) {
	inBubble(t, "after Run nothing is started, and caches can still be read", func(t *testing.T) {
		r := newFactoryRig(t, informer.FactoryOptions{})
		_, err := r.server.Create("widgets", newWidget("web-1", "red"))
		require.NoError(t, err)
		r.widgets(t)
		r.run()
		r.stop()
		assert.Len(t, r.widgets(t).Lister().List(), 1)
		_, err = r.Dynamic(informer.Resource{Version: "v1", Resource: "pods"})
		assert.ErrorIs(t, err, informer.ErrStopped)
		assert.EqualError(t, err, "informer of /api/v1/pods: factory: informer has stopped")
		assert.ErrorIs(t, r.Run(t.Context()), informer.ErrStarted, "a second Run")
	})
	inBubble(t, "an informer that a caller has run is reported as an error", func(t *testing.T) {
		r := newFactoryRig(t, informer.FactoryOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, r.widgets(t).Run(ctx))
		r.run()
		r.stop()
		err := <-r.result
		assert.ErrorIs(t, err, informer.ErrStarted)
		assert.ErrorContains(t, err, "informer of "+widgetsPath)
	})
	inBubble(t, "with a context that has ended, Run returns immediately", func(t *testing.T) {
		r := newFactoryRig(t, informer.FactoryOptions{})
		r.widgets(t)
		r.stop()
		r.run()
		assert.NoError(t, <-r.result)
	})
	inBubble(t, "asking while Run ends leaves nothing running", func(t *testing.T) {
		r := newFactoryRig(t, informer.FactoryOptions{})
		r.run()
		var asking sync.WaitGroup
		for i := range 50 {
			asking.Go(func() {
				s, err := r.Dynamic(informer.Resource{Version: "v1", Resource: fmt.Sprint("r", i)})
				if err != nil {
					assert.ErrorIs(t, err, informer.ErrStopped)
					return
				}
				<-s.Ended()
			})
		}
		r.stop()
		asking.Wait()
	})
}

func TestFactoryWaitForSync(t *testing.T) {
	inBubble(t, "what has not synced is named by its path", func(t *testing.T) {
		r := newFactoryRig(t, informer.FactoryOptions{})
		r.server.Inject(fakeapi.Fault{
			Kind: fakeapi.FaultStatus, Code: 503, Resource: "widgets.workshop.example.dev", Count: -1,
		})
		r.widgets(t)
		_, err := r.Dynamic(informer.Resource{Version: "v1", Resource: "configmaps"})
		require.NoError(t, err)
		r.run()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		assert.EqualError(t, r.WaitForSync(ctx),
			"not synced: "+widgetsPath+": context deadline exceeded")
		r.server.Heal()
		assert.NoError(t, r.WaitForSync(t.Context()))
	})
}
