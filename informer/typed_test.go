package informer

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector/client"
)

// told records the calls of a typed handler, in words.
type told struct{ lines []string }

func (l *told) handler(filter func(*widget) bool) Handler[*widget] {
	note := func(format string, args ...any) {
		l.lines = append(l.lines, fmt.Sprintf(format, args...))
	}
	return Handler[*widget]{
		Filter: filter,
		Add: func(w *widget, initial bool) {
			note("add %s %s initial=%v", w.Name, w.Spec.Color, initial)
		},
		Update: func(before, now *widget) {
			note("update %s %s to %s", now.Name, before.Spec.Color, now.Spec.Color)
		},
		Delete: func(d Deletion[*widget]) {
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
	slices.Sort(lines) // a list may bring objects in any order
	return lines
}

func isRed(w *widget) bool { return w.Spec.Color == "red" }

func TestTypedHandler(t *testing.T) {
	law(t, "a filtered handler is called as if only what passes existed", func(t *testing.T) {
		p := newFixture(t, Options{})
		var l told
		p.handle(l.handler(isRed))
		p.write("web-1", "red")
		p.write("web-2", "blue")
		p.run()
		assert.Equal(t, []string{"add web-1 red initial=true"}, l.take(), "of the first list")
		p.write("web-2", "red")
		assert.Equal(t, []string{"add web-2 red initial=false"}, l.take(),
			"an object that begins to pass is an add")
		_, err := p.server.Patch("widgets", "default", "web-2", `{"metadata":{"labels":{"a":"b"}}}`)
		require.NoError(t, err)
		p.write("web-2", "green")
		assert.Equal(t, []string{
			"delete default/web-2 red concluded=false", "update web-2 red to red",
		}, l.take(), "one that no longer passes is a deletion of its last state that passed")
		p.write("web-2", "blue")
		p.delete("web-2")
		assert.Empty(t, l.take(), "one that passes neither before nor after makes no call")
		p.delete("web-1")
		assert.Equal(t, []string{"delete default/web-1 red concluded=false"}, l.take())
	})
	onBothQueues(t, "a deletion found by a list has a last state, which the filter gets",
		func(t *testing.T, queue QueueKind) {
			p := newFixture(t, Options{Queue: queue})
			var all, red told
			p.write("web-1", "red")
			p.write("web-2", "blue")
			p.run()
			p.handle(all.handler(nil))
			p.handle(red.handler(isRed))
			all.take()
			red.take()
			p.missEvents(func() { p.delete("web-1"); p.delete("web-2") })
			assert.Equal(t, []string{
				"delete default/web-1 red concluded=true", "delete default/web-2 blue concluded=true",
			}, all.take())
			assert.Equal(t, []string{"delete default/web-1 red concluded=true"}, red.take())
		})
	t.Run("a deletion without a last state is passed on, whatever the filter", func(t *testing.T) {
		var l told
		l.handler(isRed).OnDelete(deltafifo.DeletedFinalStateUnknown{Key: "default/web-1"})
		assert.Equal(t, []string{"delete default/web-1 unknown concluded=true"}, l.lines)
	})
	t.Run("what a handler is called with passes its selector and its filter", func(t *testing.T) {
		var l told
		h := l.handler(isRed)
		h.Selector = SelectorFromMap(map[string]string{"app": "web"})
		h.OnAdd(newWidget("web-1", "red"), false)
		for _, color := range []string{"red", "blue"} {
			w := newWidget("web-2", color)
			w.Labels = map[string]string{"app": "web"}
			h.OnAdd(w, false)
		}
		assert.Equal(t, []string{"add web-2 red initial=false"}, l.lines)
	})
}

func TestOnKey(t *testing.T) {
	law(t, "each add, update and deletion that passes the filter makes a call with the key",
		func(t *testing.T) {
			p := newFixture(t, Options{})
			var all, red []string
			_, err := p.AddEventHandler(OnKey[*widget](func(k string) { all = append(all, k) }),
				processor.HandlerOptions{})
			require.NoError(t, err)
			h := OnKey[*widget](func(k string) { red = append(red, k) })
			h.Filter = isRed
			_, err = p.AddEventHandler(h, processor.HandlerOptions{})
			require.NoError(t, err)
			p.run()
			p.write("web-1", "red")
			p.write("web-1", "blue")
			p.write("web-1", "green")
			p.delete("web-1")
			assert.Equal(t, slices.Repeat([]string{"default/web-1"}, 4), all)
			assert.Equal(t, slices.Repeat([]string{"default/web-1"}, 2), red,
				"the object begins to pass, and no longer passes")
		})
	t.Run("OnKeys is called with the keys of an object, of old and new, and of the last state",
		func(t *testing.T) {
			var keys []string
			h := OnKeys(func(w *widget) []string { return []string{"all", w.Spec.Color} },
				func(k string) { keys = append(keys, k) })
			red, blue := newWidget("web-1", "red"), newWidget("web-1", "blue")
			h.OnAdd(red, true)
			h.OnUpdate(red, blue)
			h.OnDelete(blue)
			assert.Equal(t, []string{"all", "red", "all", "blue", "red", "all", "blue"}, keys)
			h.OnDelete(deltafifo.DeletedFinalStateUnknown{Key: "web-1"})
			assert.Len(t, keys, 7, "a deletion without a last state makes no call")
		})
}

func TestFor(t *testing.T) {
	collection := client.Options{URL: "http://host/api/v1/pods"}
	t.Run("a URL that is none is an error, and a ListerWatcher a panic", func(t *testing.T) {
		_, err := For[widget](client.Options{URL: "/api/v1/pods"}, Options{})
		assert.ErrorContains(t, err, `want http(s)://host/path, have "/api/v1/pods"`)
		assert.PanicsWithValue(t,
			"informer: Options.ListerWatcher is set: For makes it of the client's options",
			func() { _, _ = For[widget](collection, Options{ListerWatcher: still{}}) })
	})
	t.Run("the index by namespace is there unless the indices are given", func(t *testing.T) {
		plain, err := For[widget](collection, Options{})
		require.NoError(t, err)
		assert.Contains(t, plain.GetIndexer().GetIndexers(), indexer.NamespaceIndex)
		bare, err := For[widget](collection, Options{Indexers: indexer.Indexers{}})
		require.NoError(t, err)
		assert.Empty(t, bare.GetIndexer().GetIndexers())
	})
	for _, made := range []watchglass.Object{nil, &watchglass.ObjectMeta{}} {
		law(t, fmt.Sprintf("a transform that makes a %T is refused", made), func(t *testing.T) {
			var failed error
			p := newFixture(t, Options{
				Transform:         func(watchglass.Object) (watchglass.Object, error) { return made, nil },
				WatchErrorHandler: func(err error) { failed = err },
			})
			p.write("web-1", "red")
			p.run()
			assert.ErrorContains(t, failed, fmt.Sprintf("made a %T of a *informer.widget", made))
		})
	}
}
