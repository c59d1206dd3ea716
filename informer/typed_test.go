package informer_test

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
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/contract"
	"example.com/watchglass/informer/selector"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
)

// widgetsPath is where a server has all widgets.
const widgetsPath = "/apis/workshop.example.dev/v1/widgets"

func collectionAt(server *fakeapi.Server, path string) wire.ClientOptions {
	return wire.ClientOptions{URL: fakeapi.URL + path, HTTPClient: server.Client()}
}

// typedRig is a server and a typed informer of its widgets, in the bubble of a test.
type typedRig struct {
	*pair
	widgets informer.Informer[*widget]
}

func newTypedRig(t *testing.T, options informer.Options) *typedRig {
	server := fakeapi.New(fakeapi.Options{})
	options.Queue = queueOfPairs
	options.Reflector.ListFirst = true
	options.Reflector.Backoff.Jitter = -1
	widgets, err := informer.For[widget](collectionAt(server, widgetsPath), options)
	require.NoError(t, err)
	p := &pair{t: t, server: server, informer: widgets.SharedIndexInformer}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	p.run = func() {
		running.Go(func() { _ = widgets.Run(ctx) })
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
	return &typedRig{p, widgets}
}

// told records the calls of a typed handler, in words.
type told struct{ lines []string }

func (l *told) handler(filter func(*widget) bool) informer.Handler[*widget] {
	note := func(format string, args ...any) {
		l.lines = append(l.lines, fmt.Sprintf(format, args...))
	}
	return informer.Handler[*widget]{
		Filter: filter,
		Add: func(w *widget, initial bool) {
			note("add %s %s initial=%v", w.Name, w.Spec.Color, initial)
		},
		Update: func(before, now *widget) {
			note("update %s %s to %s", now.Name, before.Spec.Color, now.Spec.Color)
		},
		Delete: func(d informer.Deletion[*widget]) {
			color := "unknown"
			if d.Last != nil {
				color = d.Last.Spec.Color
			}
			note("delete %s %s concluded=%v", d.Key, color, d.FinalStateUnknown)
		},
	}
}

func (l *told) take() []string {
	lines := l.lines
	l.lines = nil
	return lines
}

func isRed(w *widget) bool { return w.Spec.Color == "red" }

func TestTypedHandler(t *testing.T) {
	inBubble(t, "a filtered handler is called as if only what passes existed", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		var l told
		checked(t, r.informer, l.handler(isRed), informer.HandlerOptions{})
		r.create("web-1", "red")
		r.create("web-2", "blue")
		r.run()
		assert.Equal(t, []string{"add web-1 red initial=true"}, l.take(), "of the first list")
		r.update("web-2", "red")
		assert.Equal(t, []string{"add web-2 red initial=false"}, l.take(),
			"an object that begins to pass is an add")
		_, err := r.server.Patch("widgets", "default", "web-2", `{"metadata":{"labels":{"a":"b"}}}`)
		require.NoError(t, err)
		synctest.Wait()
		assert.Equal(t, []string{"update web-2 red to red"}, l.take(),
			"a change that passes is an update")
		r.update("web-2", "green")
		assert.Equal(t, []string{"delete default/web-2 red concluded=false"}, l.take(),
			"an object that no longer passes is a deletion of its last state that passed")
		r.update("web-2", "blue")
		r.delete("web-2")
		assert.Empty(t, l.take(), "an object that passes neither before nor after makes no call")
		r.delete("web-1")
		assert.Equal(t, []string{"delete default/web-1 red concluded=false"}, l.take())
	})
	inBubble(t, "a deletion found by a list has a last state, which the filter gets",
		func(t *testing.T) {
			r := newTypedRig(t, informer.Options{})
			var all, red told
			checked(t, r.informer, all.handler(nil), informer.HandlerOptions{})
			checked(t, r.informer, red.handler(isRed), informer.HandlerOptions{})
			r.create("web-1", "red")
			r.create("web-2", "blue")
			r.run()
			all.take()
			red.take()
			r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
			r.server.DropWatches()
			synctest.Wait()
			r.delete("web-1")
			r.delete("web-2")
			r.server.Compact()
			r.server.Heal()
			time.Sleep(time.Hour)
			synctest.Wait()
			lines := all.take()
			slices.Sort(lines)
			assert.Equal(t, []string{
				"delete default/web-1 red concluded=true", "delete default/web-2 blue concluded=true",
			}, lines)
			assert.Equal(t, []string{"delete default/web-1 red concluded=true"}, red.take())
		})
	t.Run("a deletion without a last state is passed on, whatever the filter", func(t *testing.T) {
		var l told
		l.handler(isRed).OnDelete(deltafifo.DeletedFinalStateUnknown{Key: "default/web-1"})
		assert.Equal(t, []string{"delete default/web-1 unknown concluded=true"}, l.lines)
	})
	t.Run("a handler without funcs ignores everything", func(t *testing.T) {
		h := informer.Handler[*widget]{}
		h.OnAdd(newWidget("web-1", "red"), true)
		h.OnUpdate(newWidget("web-1", "red"), newWidget("web-1", "blue"))
		h.OnDelete(newWidget("web-1", "blue"))
		h.OnDelete(deltafifo.DeletedFinalStateUnknown{Key: "default/web-1"})
	})
}

func TestOnKey(t *testing.T) {
	inBubble(t, "each add, update and deletion that passes the filter makes a call with the key",
		func(t *testing.T) {
			r := newTypedRig(t, informer.Options{})
			var all, red []string
			r.run()
			checked(t, r.informer, informer.OnKey[*widget](func(k string) { all = append(all, k) }),
				informer.HandlerOptions{})
			h := informer.OnKey[*widget](func(k string) { red = append(red, k) })
			h.Filter = isRed
			checked(t, r.informer, h, informer.HandlerOptions{})
			r.create("web-1", "red")
			r.update("web-1", "blue")
			r.update("web-1", "green")
			r.delete("web-1")
			assert.Equal(t, slices.Repeat([]string{"default/web-1"}, 4), all)
			assert.Equal(t, slices.Repeat([]string{"default/web-1"}, 2), red,
				"the object begins to pass, and no longer passes")
		})
	inBubble(t, "keys are those of the informer's KeyFunc", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{KeyFunc: func(obj watchglass.Object) (string, error) {
			return "w:" + obj.GetName(), nil
		}})
		var keys []string
		_, err := r.widgets.Handle(informer.OnKey[*widget](func(k string) { keys = append(keys, k) }),
			informer.HandlerOptions{})
		require.NoError(t, err)
		r.create("web-1", "red")
		r.run()
		r.update("web-1", "blue")
		r.delete("web-1")
		assert.Equal(t, []string{"w:web-1", "w:web-1", "w:web-1"}, keys)
		_, ok := r.widgets.Lister().Get("w:web-1")
		assert.False(t, ok)
	})
}

func TestOnKeys(t *testing.T) {
	inBubble(t, "it is called with the keys of an object, of old and new, and of the last state",
		func(t *testing.T) {
			r := newTypedRig(t, informer.Options{})
			var keys []string
			ownersOf := func(w *widget) []string { return []string{"all", w.Spec.Color} }
			checked(t, r.informer, informer.OnKeys(ownersOf, func(k string) { keys = append(keys, k) }),
				informer.HandlerOptions{})
			r.create("web-1", "red")
			r.run()
			r.update("web-1", "blue")
			r.delete("web-1")
			assert.Equal(t, []string{"all", "red", "all", "blue", "red", "all", "blue"}, keys)
		})
	t.Run("a deletion without a last state makes no call", func(t *testing.T) {
		h := informer.OnKeys(func(w *widget) []string { return []string{w.Name} },
			func(k string) { t.Error(k) })
		h.OnDelete(deltafifo.DeletedFinalStateUnknown{Key: "default/web-1"})
	})
}

func TestHandlerSelector(t *testing.T) {
	t.Run("a handler is called for what passes the selector and the filter", func(t *testing.T) {
		var l told
		h := l.handler(isRed)
		h.Selector = selector.FromMap(map[string]string{"app": "web"})
		for _, w := range []*widget{
			newWidget("web-1", "red"), newWidget("web-2", "red"), newWidget("web-3", "blue"),
		} {
			if w.Name != "web-1" {
				w.Labels = map[string]string{"app": "web"}
			}
			h.OnAdd(w, false)
		}
		assert.Equal(t, []string{"add web-2 red initial=false"}, l.take())
	})
}

func TestFor(t *testing.T) {
	collection := wire.ClientOptions{URL: "http://host/api/v1/pods"}
	for _, c := range []struct {
		law, want  string
		collection wire.ClientOptions
		options    informer.Options
	}{
		{"a URL that is not absolute is refused", `want http(s)://host/path, have "/api/v1/pods"`,
			wire.ClientOptions{URL: "/api/v1/pods"}, informer.Options{}},
		{"a second ListerWatcher is refused", "Options.ListerWatcher is set",
			collection, informer.Options{ListerWatcher: new(wire.Client)}},
		{"what the informer sets is refused", "Options.Reflector.Name is set",
			collection, informer.Options{Reflector: reflector.Options{Name: "mine"}}},
	} {
		t.Run(c.law, func(t *testing.T) {
			_, err := informer.For[widget](c.collection, c.options)
			assert.ErrorContains(t, err, c.want)
		})
	}
	t.Run("the index by namespace is there unless the indices are given", func(t *testing.T) {
		plain, err := informer.For[widget](collection, informer.Options{})
		require.NoError(t, err)
		assert.Contains(t, plain.GetIndexer().GetIndexers(), indexer.NamespaceIndex)
		bare, err := informer.For[widget](collection, informer.Options{Indexers: indexer.Indexers{}})
		require.NoError(t, err)
		assert.Empty(t, bare.GetIndexer().GetIndexers())
	})
	inBubble(t, "an object whose type the transform has changed is refused, with an error",
		func(t *testing.T) {
			var failed error
			r := newTypedRig(t, informer.Options{
				Transform: func(obj watchglass.Object) (watchglass.Object, error) {
					if obj.GetName() == "web-2" {
						return &watchglass.ObjectMeta{Name: "web-2", Namespace: "default"}, nil
					}
					return obj, nil
				},
				WatchErrorHandler: func(err error) { failed = err },
			})
			var l told
			checked(t, r.informer, l.handler(nil), informer.HandlerOptions{})
			r.create("web-1", "red")
			r.run()
			r.create("web-2", "red")
			assert.Equal(t, []string{"add web-1 red initial=true"}, l.take())
			assert.ErrorContains(t, failed, "made a *watchglass.ObjectMeta of a *informer_test.widget")
		})
}

func TestEffectiveResync(t *testing.T) {
	s := informer.NewSharedIndexInformer(informer.Options{
		ListerWatcher: new(wire.Client), ResyncPeriod: time.Minute,
	})
	for _, c := range []struct{ asked, gets time.Duration }{
		{0, time.Minute}, {-1, 0}, {time.Hour, time.Hour}, {time.Millisecond, time.Second},
	} {
		h := contract.New(nil, s.GetIndexer())
		r, err := s.AddEventHandler(h, informer.HandlerOptions{ResyncPeriod: c.asked})
		require.NoError(t, err)
		assert.Equal(t, c.gets, r.ResyncPeriod(), "a handler that asks for %v", c.asked)
	}
}
