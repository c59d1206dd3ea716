package informer_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
)

// diary is a handler that records its calls.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// read returns the calls since the last read.
func (d *diary) read() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer func() { d.lines = nil }()
	return strings.Join(d.lines, ", ")
}

func (d *diary) OnAdd(obj watchglass.Object, isInInitialList bool) {
	d.note("add %s %s initial=%v", obj.GetName(), color(obj), isInInitialList)
}

func (d *diary) OnUpdate(old, obj watchglass.Object) {
	d.note("update %s %s→%s", obj.GetName(), color(old), color(obj))
}

func (d *diary) OnDelete(obj watchglass.Object) {
	if gone, ok := obj.(deltafifo.DeletedFinalStateUnknown); ok {
		d.note("delete %s %s?", gone.GetName(), color(gone.Obj))
		return
	}
	d.note("delete %s %s", obj.GetName(), color(obj))
}

func color(obj watchglass.Object) string { return obj.(*widget).Spec.Color }

func TestDelivery(t *testing.T) {
	inBubble(t, "what a relist adds is not part of the initial list", func(t *testing.T) {
		p := newPair(t, informer.Options{})
		d := &diary{}
		p.handle(d)
		p.create("web-1", "red")
		p.run()
		assert.Equal(t, "add web-1 red initial=true", d.read())
		p.missEvents(func() { p.create("web-2", "blue") })
		assert.Contains(t, d.read(), "add web-2 blue initial=false")
	})
	inBubble(t, "during a call, the cache is not older than the call", func(t *testing.T) {
		p := newPair(t, informer.Options{})
		inCache := func(obj watchglass.Object) watchglass.Object {
			held, _, err := p.informer.GetIndexer().GetByKey(obj.GetNamespace() + "/" + obj.GetName())
			assert.NoError(t, err)
			return held
		}
		p.handle(processor.ResourceEventHandlerFuncs{
			AddFunc:    func(obj watchglass.Object, _ bool) { assert.Same(t, obj, inCache(obj)) },
			UpdateFunc: func(_, obj watchglass.Object) { assert.Same(t, obj, inCache(obj)) },
			DeleteFunc: func(obj watchglass.Object) { assert.Nil(t, inCache(obj)) },
		})
		p.run()
		p.create("web-1", "red")
		p.update("web-1", "blue")
		p.delete("web-1")
	})
	inBubble(t, "cache and handlers get the object as it was transformed, once", func(t *testing.T) {
		calls := 0
		p := newPair(t, informer.Options{
			Transform: func(obj watchglass.Object) (watchglass.Object, error) {
				calls++
				obj.(*widget).Spec.Color += "ish"
				return obj, nil
			},
		})
		d := &diary{}
		p.handle(d)
		p.create("web-1", "red")
		p.run()
		p.update("web-1", "blue")
		assert.Equal(t, "add web-1 redish initial=true, update web-1 redish→blueish", d.read())
		assert.Equal(t, 2, calls)
	})
}

func TestStats(t *testing.T) {
	inBubble(t, "the numbers follow the objects", func(t *testing.T) {
		var failing atomic.Bool
		p := newPair(t, informer.Options{
			Transform: func(obj watchglass.Object) (watchglass.Object, error) {
				if failing.Load() {
					return nil, errors.New("failing")
				}
				return obj, nil
			},
		})
		assert.Equal(t, informer.Stats{}, p.informer.Stats(), "before Run")
		p.create("web-1", "red")
		p.run()
		assert.Equal(t, informer.Stats{
			Objects: 1, LastSyncResourceVersion: "2", LastSync: time.Now(),
		}, p.informer.Stats(), "after the first list")
		time.Sleep(time.Second)
		failing.Store(true)
		p.create("web-2", "red")
		assert.Equal(t, informer.Stats{
			Objects: 1, LostEvents: 1, LastSyncResourceVersion: "2",
			LastSync: time.Now().Add(-time.Second),
		}, p.informer.Stats(), "an event that the transform refuses is counted, and the version stays")
		failing.Store(false)
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Equal(t, 2, p.informer.Stats().Objects, "because a list follows, which brings the object")
		assert.Equal(t, "3", p.informer.LastSyncResourceVersion())
	})
	inBubble(t, "a transform may ask for the version, although the queue is locked", func(t *testing.T) {
		var p *pair
		var versions []string
		p = newPair(t, informer.Options{
			Transform: func(obj watchglass.Object) (watchglass.Object, error) {
				versions = append(versions, p.informer.LastSyncResourceVersion())
				return obj, nil
			},
		})
		p.create("web-1", "red")
		p.run()
		p.create("web-2", "red")
		assert.Equal(t, []string{"", "2"}, versions)
	})
}

// missEvents disconnects the informer, calls f, makes the server forget its history, and lets the
// informer connect again: it has to list.
func (p *pair) missEvents(f func()) {
	p.t.Helper()
	time.Sleep(2 * time.Second) // so that the watch is not called very short
	p.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: -1})
	synctest.Wait()
	f()
	p.server.Compact()
	p.server.Heal()
	time.Sleep(time.Minute)
	synctest.Wait()
}

func TestResync(t *testing.T) {
	inBubble(t, "a resync replays the cache, and needs no list", func(t *testing.T) {
		p := newPair(t, informer.Options{ResyncPeriod: time.Minute})
		d, never := &diary{}, &diary{}
		p.create("web-1", "red")
		p.handle(d)
		checked(t, p.informer, never, informer.HandlerOptions{ResyncPeriod: -1})
		p.run()
		d.read()
		never.read()
		p.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultStatus, Verb: "list", Count: -1})
		time.Sleep(61 * time.Second)
		synctest.Wait()
		assert.Equal(t, "update web-1 red→red", d.read(), "the handler with resyncs")
		assert.Empty(t, never.read(), "the handler without resyncs")
	})
	inBubble(t, "a handler can shorten the resync period before Run, not after", func(t *testing.T) {
		p := newPair(t, informer.Options{ResyncPeriod: time.Hour})
		early, late := &diary{}, &diary{}
		p.create("web-1", "red")
		checked(t, p.informer, early, informer.HandlerOptions{ResyncPeriod: time.Minute})
		p.run()
		checked(t, p.informer, late, informer.HandlerOptions{ResyncPeriod: time.Second})
		synctest.Wait()
		early.read()
		late.read()
		time.Sleep(61 * time.Second)
		synctest.Wait()
		assert.Equal(t, "update web-1 red→red", early.read())
		assert.LessOrEqual(t, strings.Count(late.read(), "update"), 1, "the check comes once a minute")
	})
}
