package informer_test

import (
	"bytes"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
)

// findings is what a detector has reported.
type findings struct {
	mu  sync.Mutex
	all []*informer.MutationError
}

func (f *findings) add(err *informer.MutationError) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, err)
}

// read returns what was reported since the last read.
func (f *findings) read() []*informer.MutationError {
	synctest.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	defer func() { f.all = nil }()
	return f.all
}

// one returns the only thing that was reported.
func (f *findings) one(t *testing.T) *informer.MutationError {
	t.Helper()
	all := f.read()
	require.Len(t, all, 1, "reported since the last look")
	return all[0]
}

// watched returns a pair whose detector reports to the findings.
func watched(t *testing.T, period time.Duration, options informer.Options) (*pair, *findings) {
	f := &findings{}
	options.MutationDetector = &informer.MutationDetector{Period: period, OnMutation: f.add}
	return newPair(t, options), f
}

// noFindings is a detector for tests in which no object may be changed. It compares seldom: after
// each call of a handler, and before an object leaves the cache, it does so anyway.
func noFindings(t testing.TB) *informer.MutationDetector {
	return &informer.MutationDetector{
		Period:     10 * time.Minute,
		OnMutation: func(err *informer.MutationError) { t.Error(err) },
	}
}

// painter returns a handler that changes the objects of the cache, which no handler may do.
func painter(color string) processor.ResourceEventHandlerFuncs {
	return processor.ResourceEventHandlerFuncs{AddFunc: func(obj watchglass.Object, _ bool) {
		obj.(*widget).Spec.Color = color
	}}
}

func TestMutationDetector(t *testing.T) {
	const never = 1000 * time.Hour
	handle := func(p *pair, name string, h processor.ResourceEventHandler) {
		checked(p.t, p.informer, h, informer.HandlerOptions{Name: name})
	}
	inBubble(t, "a handler that sets a label is found, by name, with path and values",
		func(t *testing.T) {
			p, f := watched(t, never, informer.Options{})
			handle(p, "labeller", processor.ResourceEventHandlerFuncs{
				AddFunc: func(obj watchglass.Object, _ bool) {
					obj.(*widget).Labels = map[string]string{"app.kubernetes.io/name": "web"}
				},
			})
			p.run()
			p.create("web-1", "red")
			found := f.one(t)
			assert.Equal(t, "default/web-1", found.Key)
			assert.NotEmpty(t, found.ResourceVersion)
			assert.Equal(t, "labeller", found.Handler)
			assert.Equal(t, []string{"labeller"}, found.Told)
			assert.Equal(t, []informer.Change{
				{Path: "metadata.labels", From: "", To: `{"app.kubernetes.io/name":"web"}`},
			}, found.Changes)
			p.update("web-1", "blue")
			assert.Empty(t, f.read(), "it is reported once")
		})
	inBubble(t, "an unchanged cache is quiet", func(t *testing.T) {
		p, f := watched(t, time.Second, informer.Options{ResyncPeriod: time.Minute})
		p.handle(&diary{})
		p.create("web-1", "red")
		p.create("web-2", "red")
		p.run()
		p.update("web-1", "blue")
		p.missEvents(func() {
			p.delete("web-2")
			p.update("web-1", "green")
		})
		p.handle(&diary{}) // joins late
		p.delete("web-1")
		time.Sleep(5 * time.Minute)
		p.stop()
		assert.Empty(t, f.read())
	})
	inBubble(t, "all handlers that had a call are named, and the one after whose call it was found",
		func(t *testing.T) {
			p, f := watched(t, never, informer.Options{})
			handle(p, "reader", &diary{})
			p.run()
			p.create("web-1", "red")
			handle(p, "painter", painter("blue"))
			found := f.one(t)
			assert.Equal(t, []string{"reader", "painter"}, found.Told)
			assert.Equal(t, "painter", found.Handler)
		})
	inBubble(t, "a reader that changes an object is found by the next comparison", func(t *testing.T) {
		p, f := watched(t, time.Minute, informer.Options{})
		p.run()
		p.create("web-1", "red")
		time.Sleep(90 * time.Second) // it was compared once
		p.cached("web-1").Spec.Color = "blue"
		p.create("web-2", "red") // so that the write happens before the comparison
		assert.Empty(t, f.read(), "nothing is compared yet")
		time.Sleep(time.Minute)
		found := f.one(t)
		assert.Equal(t, []informer.Change{{Path: "spec.color", From: `"red"`, To: `"blue"`}},
			found.Changes)
		assert.Empty(t, found.Handler)
		assert.Empty(t, found.Told)
		assert.Equal(t, 2*time.Minute, found.Found.Sub(found.Since), "how long it was in the cache")
		assert.Equal(t, time.Minute, found.Found.Sub(found.Intact), "since it was last unchanged")
		time.Sleep(time.Hour)
		assert.Empty(t, f.read(), "it is reported once")
		p.cached("web-1").Spec.Color = "red"
		p.create("web-3", "red")
		time.Sleep(time.Minute)
		assert.Len(t, f.one(t).Changes, 1, "to change it back is another change")
	})
	inBubble(t, "an object is compared before it leaves the cache", func(t *testing.T) {
		p, f := watched(t, never, informer.Options{})
		p.run()
		p.create("web-1", "red")
		p.cached("web-1").Spec.Color = "blue"
		p.update("web-1", "green")
		assert.Equal(t, `"blue"`, f.one(t).Changes[0].To, "an update takes its place")
		p.cached("web-1").Spec.Color = "yellow"
		p.delete("web-1")
		assert.Equal(t, `"yellow"`, f.one(t).Changes[0].To, "it is deleted")
		p.create("web-2", "red")
		p.cached("web-2").Spec.Color = "blue"
		p.missEvents(func() { p.delete("web-2") })
		assert.Equal(t, `"blue"`, f.one(t).Changes[0].To, "a relist finds it deleted")
	})
	inBubble(t, "the cache is compared when Run ends", func(t *testing.T) {
		p, f := watched(t, never, informer.Options{
			OnPanic: func(string, processor.Notification, any) {},
		})
		handle(p, "shaky", processor.ResourceEventHandlerFuncs{
			AddFunc: func(obj watchglass.Object, _ bool) {
				obj.(*widget).Spec.Color = "blue"
				panic("and gone")
			},
		})
		p.run()
		p.create("web-1", "red")
		assert.Empty(t, f.read(), "nothing is compared after a call that panics")
		p.stop()
		assert.Equal(t, []string{"shaky"}, f.one(t).Told)
	})
	inBubble(t, "what is found while Run ends is reported before it returns", func(t *testing.T) {
		p, f := watched(t, never, informer.Options{})
		checked(t, p.informer, processor.ResourceEventHandlerFuncs{
			AddFunc: func(obj watchglass.Object, _ bool) {
				time.Sleep(time.Hour)
				obj.(*widget).Spec.Color = "blue"
			},
		}, informer.HandlerOptions{Drain: true})
		p.run()
		p.create("web-1", "red")
		p.create("web-2", "red")
		p.stop()
		assert.Len(t, f.read(), 2)
	})
	inBubble(t, "without OnMutation it is logged", func(t *testing.T) {
		var log bytes.Buffer
		p := newPair(t, informer.Options{
			Name:             "widgets",
			Logger:           slog.New(slog.NewTextHandler(&log, nil)),
			MutationDetector: &informer.MutationDetector{},
		})
		handle(p, "painter", painter("blue"))
		p.run()
		p.create("web-1", "red")
		p.stop()
		assert.Contains(t, log.String(), `msg="cached object was changed" of=widgets`)
		assert.Contains(t, log.String(), `spec.color: \"red\" → \"blue\"`)
	})
	inBubble(t, "OnMutation may call the informer", func(t *testing.T) {
		var p *pair
		calls := 0
		p = newPair(t, informer.Options{MutationDetector: &informer.MutationDetector{
			OnMutation: func(*informer.MutationError) {
				calls++
				_, err := p.informer.AddEventHandler(&diary{}, informer.HandlerOptions{})
				assert.NoError(t, err)
			},
		}})
		handle(p, "painter", painter("blue"))
		p.run()
		p.create("web-1", "red")
		assert.Equal(t, 1, calls)
	})
	inBubble(t, "the caller's trace is called as without a detector", func(t *testing.T) {
		var calls []string
		p, _ := watched(t, never, informer.Options{Trace: informer.Trace{Processor: &processor.Trace{
			ListenerAdded: func(string, int) { calls = append(calls, "added") },
			Distributed:   func([]processor.Notification, bool) { calls = append(calls, "distributed") },
			Delivering:    func(string, processor.Notification) { calls = append(calls, "delivering") },
			Delivered:     func(string, processor.Notification) { calls = append(calls, "delivered") },
		}}})
		p.handle(&diary{})
		p.run()
		p.create("web-1", "red")
		assert.Equal(t, []string{"added", "distributed", "delivering", "delivered"}, calls)
	})
}

// cached returns the object that the cache holds, and not a copy, when no goroutine reads it.
func (p *pair) cached(name string) *widget {
	p.t.Helper()
	synctest.Wait()
	obj, exists, err := p.informer.GetIndexer().GetByKey("default/" + name)
	require.NoError(p.t, err)
	require.True(p.t, exists)
	return obj.(*widget)
}
