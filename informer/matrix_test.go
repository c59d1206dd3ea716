package informer

import (
	"context"
	"errors"
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
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// A funcOfYours is a func that the informer calls and that its user has written. The package doc
// says which methods it must not call.
type funcOfYours struct {
	name    string
	mustNot []string
}

var funcsOfYours = []funcOfYours{
	{"OnAdd", nil},
	{"OnUpdate", nil},
	{"OnDelete", nil},
	{"OnPanic", nil},
	{"OnProcessError", nil},
	{"WatchErrorHandler", nil},
	{"Transform", nil},
	{"Trace.Reflector", nil},
	{"Trace.DeltaFIFO", nil},
	{"Trace.RealFIFO", nil},
	{"Trace.Processor.Delivered", nil},
	{"KeyFunc", []string{"AddEventHandler"}},
	{"Trace.Indexer", []string{"AddEventHandler"}},
	{"Trace.Processor.Distributed", handlerMethods},
	{"Trace.Processor.ListenerAdded", handlerMethods},
	{"IndexFunc", append(cacheMethods, handlerMethods...)},
	{"IndexFunc of AddIndexers", append(cacheMethods, handlerMethods...)},
}

var (
	handlerMethods = []string{"AddEventHandler", "RemoveEventHandler", "ShutDownEventHandler"}
	cacheMethods   = []string{"AddIndexers", "Stats", "GetIndexer().List"}
)

// matrix is an informer all of whose funcs of yours begin with a call of the method call.
type matrix struct {
	*SharedIndexInformer
	queue QueueKind
	idle  *processor.Registration // of a handler that is there to be removed

	from     string // the func of yours that calls the method
	method   func(*matrix)
	once     sync.Once
	called   bool
	returned bool
}

var methods = map[string]func(*matrix){
	"AddEventHandler": func(m *matrix) {
		_, _ = m.AddEventHandler(processor.ResourceEventHandlerFuncs{}, HandlerOptions{})
	},
	"RemoveEventHandler":   func(m *matrix) { _ = m.RemoveEventHandler(m.idle) },
	"ShutDownEventHandler": func(m *matrix) { _ = m.ShutDownEventHandler(context.Background(), m.idle) },
	"AddIndexers": func(m *matrix) {
		_ = m.AddIndexers(indexer.Indexers{"more": indexer.MetaNamespaceIndexFunc})
	},
	"Stats":      func(m *matrix) { m.Stats() },
	"HasSynced":  func(m *matrix) { m.HasSynced() },
	"IsStopped":  func(m *matrix) { m.IsStopped() },
	"HasStarted": func(m *matrix) { m.HasStarted(); m.Ended(); m.Name() },
	"WaitForVersion": func(m *matrix) { // with a ctx that has ended: these funcs must not wait
		ended, end := context.WithCancel(context.Background())
		end()
		_ = m.WaitForVersion(ended, "1000")
	},
	"LastSyncResourceVersion": func(m *matrix) { m.LastSyncResourceVersion() },
	"GetIndexer().List":       func(m *matrix) { m.GetIndexer().List() },
	"Run":                     func(m *matrix) { _ = m.Run(context.Background()) },
	"Registration.Pending":    func(m *matrix) { m.idle.Pending(); m.idle.HasSynced(); m.idle.Dropped() },
}

// call is called by each func of yours. The first call by m.from while the informer runs calls the
// method.
func (m *matrix) call(from string) {
	if from == m.from && m.started.Load() {
		m.once.Do(func() {
			m.called = true
			m.method(m)
			m.returned = true
		})
	}
}

// TestWhatMayBeCalledFromWhere lets each func of yours call each method that the package doc does
// not forbid. No call may hang, and the informer must go on and must still be able to stop.
func TestWhatMayBeCalledFromWhere(t *testing.T) {
	for name, queue := range map[string]QueueKind{"DeltaFIFO": DeltaFIFO, "RealFIFO": RealFIFO} {
		t.Run(name, func(t *testing.T) { playMatrix(t, queue) })
	}
}

// traceOfTheOther is the func of yours that an informer never calls, because its queue is the
// other.
var traceOfTheOther = map[QueueKind]string{
	DeltaFIFO: "Trace.RealFIFO", RealFIFO: "Trace.DeltaFIFO",
}

func playMatrix(t *testing.T, queue QueueKind) {
	for _, from := range funcsOfYours {
		for method, call := range methods {
			if slices.Contains(from.mustNot, method) || from.name == traceOfTheOther[queue] {
				continue
			}
			// A goroutine that waits for a mutex stops the clock of a bubble: this one is outside.
			watchdog := time.AfterFunc(20*time.Second, func() {
				panic(fmt.Sprintf("broken promise: %s may call %s, but hangs", from.name, method))
			})
			synctest.Test(t, func(t *testing.T) {
				m := &matrix{queue: queue, from: from.name, method: call}
				m.play(t)
				assert.True(t, m.called, "%s was never called", from.name)
				assert.True(t, m.returned, "%s in %s has not returned", method, from.name)
			})
			watchdog.Stop()
		}
	}
}

// play lets everything happen that an informer calls a func for.
func (m *matrix) play(t *testing.T) {
	m.SharedIndexInformer = NewSharedIndexInformer(m.options())
	idle, err := m.AddEventHandler(processor.ResourceEventHandlerFuncs{}, HandlerOptions{Name: "idle"})
	require.NoError(t, err)
	m.idle = idle
	_, err = m.AddEventHandler(processor.ResourceEventHandlerFuncs{
		AddFunc: func(obj watchglass.Object, _ bool) {
			m.call("OnAdd")
			if obj.GetName() == "panics" {
				panic("no")
			}
		},
		UpdateFunc: func(_, _ watchglass.Object) { m.call("OnUpdate") },
		DeleteFunc: func(watchglass.Object) { m.call("OnDelete") },
	}, HandlerOptions{})
	require.NoError(t, err)
	stop := start(t, m.SharedIndexInformer)
	time.Sleep(time.Minute)
	added{}.join(t, m.SharedIndexInformer)
	_ = m.AddIndexers(indexer.Indexers{"late": func(_ watchglass.Object) ([]string, error) {
		m.call("IndexFunc of AddIndexers")
		return nil, nil
	}})
	synctest.Wait()
	stop()
	assert.True(t, m.HasSynced(), "the informer goes on after the call")
}

// options is a collection whose first list fails and whose second list brings an add, an update, a
// deletion, an object that panics and an object that is refused.
func (m *matrix) options() Options {
	return Options{
		Queue: m.queue,
		ListerWatcher: &moving{fails: errors.New("no list"), lists: []still{
			{newThing("web-1", "1"), newThing("web-2", "1"), newThing("panics", "1")},
			{newThing("web-1", "2"), newThing("refused", "1"), newThing("panics", "1")},
		}},
		KeyFunc: func(obj watchglass.Object) (string, error) {
			m.call("KeyFunc")
			return watchglass.MetaNamespaceKeyFunc(obj)
		},
		Transform: func(obj watchglass.Object) (watchglass.Object, error) {
			m.call("Transform")
			return obj, nil
		},
		Indexers: indexer.Indexers{
			"picky": func(obj watchglass.Object) ([]string, error) {
				m.call("IndexFunc")
				if obj.GetName() == "refused" {
					return nil, errors.New("refused")
				}
				return nil, nil
			},
		},
		WatchErrorHandler: func(error) { m.call("WatchErrorHandler") },
		OnProcessError:    func(error) { m.call("OnProcessError") },
		OnPanic:           func(string, processor.Notification, any) { m.call("OnPanic") },
		Trace: Trace{
			Reflector: &reflector.Trace{
				Listing: func(reflector.ListOptions) { m.call("Trace.Reflector") },
			},
			DeltaFIFO: &deltafifo.Trace{
				Popped: func(string, deltafifo.Deltas, bool) { m.call("Trace.DeltaFIFO") },
			},
			RealFIFO: &realfifo.Trace{
				Popped: func(deltafifo.Deltas, bool) { m.call("Trace.RealFIFO") },
			},
			Indexer: &indexer.Trace{
				Added:    func(string, watchglass.Object) { m.call("Trace.Indexer") },
				Replaced: func(int, string) { m.call("Trace.Indexer") },
			},
			Processor: &processor.Trace{
				Distributed: func([]processor.Notification, bool) {
					m.call("Trace.Processor.Distributed")
				},
				Delivered: func(handler string, _ processor.Notification) {
					if handler != "idle" { // its own call must not wait until it has ended
						m.call("Trace.Processor.Delivered")
					}
				},
				ListenerAdded: func(string, int) {
					m.call("Trace.Processor.ListenerAdded")
				},
			},
		},
	}
}
