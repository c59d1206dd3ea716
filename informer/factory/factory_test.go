package factory_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/factory"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
)

// widget is the object of these tests.
type widget struct {
	watchglass.ObjectMeta `json:"metadata"`
}

const widgetsPath = "/apis/workshop.example.dev/v1/widgets"

// fixture is a server and a factory of informers, in the bubble of a test.
type fixture struct {
	*factory.Factory
	server *fakeapi.Server
	result chan error // of Run
	run    func()
	stop   func() // ends Run and returns when it has returned
}

func newFixture(t *testing.T, options factory.Options) *fixture {
	r := &fixture{result: make(chan error, 1)}
	r.server = fakeapi.New(fakeapi.Options{})
	options.Collection = func(path string) client.Options {
		return client.Options{URL: fakeapi.URL + path, HTTPClient: r.server.Client()}
	}
	options.Informer.Reflector = reflector.Options{
		ListFirst: true, Backoff: reflector.Backoff{Jitter: -1},
	}
	r.Factory = factory.New(options)
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

func (r *fixture) widgets(t *testing.T) informer.Informer[*widget] {
	t.Helper()
	widgets, err := factory.Of[widget](r.Factory, widgetsPath)
	require.NoError(t, err)
	return widgets
}

// law runs a law in a bubble of its own, with the objects that the server has from the start.
func law(t *testing.T, name string, f func(t *testing.T, r *fixture)) {
	lawWith(t, name, factory.Options{}, f)
}

func lawWith(t *testing.T, name string, options factory.Options, f func(t *testing.T, r *fixture)) {
	story.Bubble(t, name, func(t *testing.T) {
		r := newFixture(t, options)
		for _, resource := range []string{"widgets", "configmaps"} {
			_, err := r.server.Create(resource, `{"metadata":{"name":"web-1"}}`)
			require.NoError(t, err)
		}
		f(t, r)
	})
}

func keysOf[T watchglass.Object](i informer.Informer[T]) []string {
	keys := i.GetIndexer().ListKeys()
	slices.Sort(keys)
	return keys
}

func TestFactory(t *testing.T) {
	law(t, "a collection has one informer and one list, however often asked for",
		func(t *testing.T, r *fixture) {
			var asking sync.WaitGroup
			first := r.widgets(t)
			for range 20 {
				asking.Go(func() { assert.Equal(t, first, r.widgets(t)) })
			}
			r.run()
			asking.Wait()
			other, err := factory.Of[widget](r.Factory, widgetsPath[1:]+"/")
			require.NoError(t, err)
			assert.Equal(t, first, other, "slashes at the ends of a path make no difference")
			assert.Equal(t, 1, r.server.Requests("list", ""))
			assert.Len(t, first.Lister().List(), 1)
		})
	law(t, "a namespace and another type are other collections", func(t *testing.T, r *fixture) {
		resource := client.Resource{
			Group: "workshop.example.dev", Version: "v1", Resource: "widgets",
		}
		_, err := r.server.Create("widgets", `{"metadata":{"name":"web","namespace":"shop"}}`)
		require.NoError(t, err)
		all, err := r.Dynamic(resource)
		require.NoError(t, err)
		resource.Namespace = "shop"
		shop, err := r.Dynamic(resource)
		require.NoError(t, err)
		widgets := r.widgets(t)
		r.run()
		assert.NoError(t, r.WaitForSync(t.Context()))
		assert.Equal(t, []string{"default/web-1", "shop/web"}, keysOf(all))
		assert.Equal(t, []string{"shop/web"}, keysOf(shop))
		assert.Equal(t, []string{"default/web-1", "shop/web"}, keysOf(widgets))
		assert.Equal(t, 3, r.server.Requests("list", ""))
	})
}

func TestFactoryRun(t *testing.T) {
	law(t, "what has not synced is named by its collection, with its last failure",
		func(t *testing.T, r *fixture) {
			r.server.Inject(fakeapi.Fault{
				Kind: fakeapi.FaultStatus, Code: 503, Resource: "widgets.workshop.example.dev", Count: -1,
			})
			r.widgets(t)
			_, err := r.Dynamic(client.Resource{Version: "v1", Resource: "configmaps"})
			require.NoError(t, err)
			r.run()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			assert.Regexp(t, `^not synced: widgets\.workshop\.example\.dev: 7 failures, the last: `+
				`widgets\.workshop\.example\.dev: listing: http://fakeapi`+widgetsPath+
				`: server says 503 .*: context deadline exceeded$`, r.WaitForSync(ctx).Error())
			r.server.Heal()
			assert.NoError(t, r.WaitForSync(t.Context()))
		})
	law(t, "Run starts and ends all; then caches can still be read", func(t *testing.T, r *fixture) {
		before := r.widgets(t)
		assert.False(t, before.HasStarted(), "asking starts nothing")
		r.run()
		after, err := r.Dynamic(client.Resource{Version: "v1", Resource: "configmaps"})
		require.NoError(t, err)
		synctest.Wait()
		assert.True(t, after.HasSynced(), "one asked for after Run is started, too")
		r.stop()
		assert.NoError(t, <-r.result)
		assert.True(t, before.IsStopped() && after.IsStopped())
		assert.Len(t, r.widgets(t).Lister().List(), 1)
		_, err = r.Dynamic(client.Resource{Version: "v1", Resource: "pods"})
		assert.ErrorIs(t, err, watchglass.ErrStopped)
		assert.EqualError(t, err, "informer of /api/v1/pods: factory: already stopped: Run has ended")
		assert.ErrorIs(t, r.Run(t.Context()), watchglass.ErrStarted, "a second Run")
	})
	law(t, "informers that a caller has run are errors, each of them", func(t *testing.T, r *fixture) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		maps, err := r.Dynamic(client.Resource{Version: "v1", Resource: "configmaps"})
		require.NoError(t, err)
		require.NoError(t, r.widgets(t).Run(ctx))
		require.NoError(t, maps.Run(ctx))
		r.run()
		r.stop()
		err = <-r.result
		assert.ErrorIs(t, err, watchglass.ErrStarted)
		assert.ErrorContains(t, err, "informer of "+r.widgets(t).Name()+":")
		assert.ErrorContains(t, err, "informer of configmaps:")
	})
	law(t, "asking while Run ends leaves nothing running", func(t *testing.T, r *fixture) {
		r.run()
		var asking sync.WaitGroup
		for i := range 50 {
			asking.Go(func() {
				s, err := r.Dynamic(client.Resource{Version: "v1", Resource: fmt.Sprint("r", i)})
				if err != nil {
					assert.ErrorIs(t, err, watchglass.ErrStopped)
					return
				}
				<-s.Ended()
			})
		}
		r.stop()
		asking.Wait()
	})
}

func TestOptions(t *testing.T) {
	lawWith(t, "all informers have the options, and Customize changes those of one collection",
		factory.Options{
			Informer: informer.Options{ResyncPeriod: time.Hour, Name: "shadowed"},
			Customize: func(path string, o *informer.Options) {
				if path == widgetsPath {
					o.ResyncPeriod = time.Minute
				} else {
					o.Name = "the configmaps"
				}
			},
		},
		func(t *testing.T, r *fixture) {
			widgets := r.widgets(t)
			maps, err := r.Dynamic(client.Resource{Version: "v1", Resource: "configmaps"})
			require.NoError(t, err)
			often, err := widgets.AddEventHandler(informer.Handler[*widget]{}, processor.HandlerOptions{})
			require.NoError(t, err)
			seldom, err := maps.AddEventHandler(informer.Handler[*watchglass.Unstructured]{},
				processor.HandlerOptions{})
			require.NoError(t, err)
			assert.Equal(t, time.Minute, often.ResyncPeriod())
			assert.Equal(t, time.Hour, seldom.ResyncPeriod())
			assert.Equal(t, "widgets.workshop.example.dev", widgets.Name())
			assert.Equal(t, "the configmaps", maps.Name())
			assert.Contains(t, widgets.GetIndexer().GetIndexers(), indexer.NamespaceIndex)
		})
	t.Run("what cannot be made is an error each time, until it can be made", func(t *testing.T) {
		url := "nowhere"
		f := factory.New(factory.Options{Collection: func(path string) client.Options {
			return client.Options{URL: url + path}
		}})
		for range 2 {
			_, err := factory.Of[widget](f, widgetsPath)
			assert.ErrorContains(t, err, "URL of the collection")
		}
		url = fakeapi.URL
		_, err := factory.Of[widget](f, widgetsPath)
		assert.NoError(t, err)
		for _, r := range []client.Resource{{Resource: "pods"}, {Version: "v1"}} {
			_, err := f.Dynamic(r)
			assert.ErrorContains(t, err, "want version and resource")
		}
	})
	t.Run("New without a Collection panics", func(t *testing.T) {
		assert.PanicsWithValue(t, "factory: Options.Collection is nil",
			func() { factory.New(factory.Options{}) })
	})
}
