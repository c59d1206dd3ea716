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
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// caller is an informer whose funcs of its user call methods of the informer.
type caller struct {
	*SharedIndexInformer
	mu     sync.Mutex
	called []string
}

// everything calls every method, as the func of that name does for the first time while the
// informer runs.
func (c *caller) everything(from string) {
	if !c.first(from) {
		return
	}
	r, err := c.AddEventHandler(processor.ResourceEventHandlerFuncs{}, processor.HandlerOptions{})
	if err == nil {
		_ = c.RemoveEventHandler(r)
		_ = c.ShutDownEventHandler(atItsEnd(), r)
	}
	_ = c.AddIndexers(indexer.Indexers{from: indexer.MetaNamespaceIndexFunc})
	_ = c.WaitFor(atItsEnd(), "web-1", "1000") // these funcs must not wait
	c.Stats()
	c.GetIndexer().List()
	_ = c.Run(context.Background())
}

// lockFree calls the methods that every func may call.
func (c *caller) lockFree(from string) {
	if !c.first(from) {
		return
	}
	_, _, _ = c.HasStarted(), c.HasSynced(), c.IsStopped()
	_, _, _, _ = c.Synced(), c.Ended(), c.Name(), c.LastSyncResourceVersion()
}

func (c *caller) first(from string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.HasStarted() || slices.Contains(c.called, from) {
		return false
	}
	c.called = append(c.called, from)
	return true
}

// atItsEnd returns a context that has ended.
func atItsEnd() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// play runs an informer whose first list fails and whose second list brings an add, an update, a
// deletion, an object that panics and an object that is refused. No call may hang: a goroutine that
// waits for a mutex stops the clock of a bubble, so the timer is outside.
func (c *caller) play(t *testing.T, o Options) {
	watchdog := time.AfterFunc(2*time.Minute, func() {
		panic(fmt.Sprintf("a call hangs; so far %v have called", c.called))
	})
	defer watchdog.Stop()
	synctest.Test(t, func(t *testing.T) {
		o.ListerWatcher = &moving{fails: errors.New("no list"), lists: []still{
			{newThing("web-1", "1"), newThing("web-2", "1"), newThing("panics", "1")},
			{newThing("web-1", "2"), newThing("refused", "1"), newThing("panics", "1")},
		}}
		c.SharedIndexInformer = NewSharedIndexInformer(o)
		_, err := c.AddEventHandler(processor.ResourceEventHandlerFuncs{
			AddFunc: func(obj watchglass.Object, _ bool) {
				c.everything("OnAdd")
				if obj.GetName() == "panics" {
					panic("no")
				}
			},
			UpdateFunc: func(_, _ watchglass.Object) { c.everything("OnUpdate") },
			DeleteFunc: func(watchglass.Object) { c.everything("OnDelete") },
		}, processor.HandlerOptions{})
		require.NoError(t, err)
		stop := start(t, c)
		time.Sleep(time.Minute)
		synctest.Wait()
		stop()
		assert.True(t, c.HasSynced(), "the informer goes on after the calls")
	})
}

// The laws of the package doc's last section: index funcs and the traces of indexer and processor
// call what takes no lock, and all others call everything.
func TestWhatMayBeCalledFromWhere(t *testing.T) {
	for queue, name := range map[QueueKind]string{DeltaFIFO: "DeltaFIFO", RealFIFO: "RealFIFO"} {
		t.Run("no call hangs, "+name, func(t *testing.T) {
			c := &caller{}
			c.play(t, Options{
				Queue: queue,
				Transform: func(obj watchglass.Object) (watchglass.Object, error) {
					c.everything("Transform")
					return obj, nil
				},
				Indexers: indexer.Indexers{"picky": func(obj watchglass.Object) ([]string, error) {
					c.lockFree("IndexFunc")
					if obj.GetName() == "refused" {
						return nil, errors.New("refused")
					}
					return nil, nil
				}},
				WatchErrorHandler: func(error) { c.everything("WatchErrorHandler") },
				OnProcessError:    func(error) { c.everything("OnProcessError") },
				OnPanic:           func(string, processor.Notification, any) { c.everything("OnPanic") },
				Trace: Trace{
					Reflector: &reflector.Trace{
						Listing: func(reflector.ListOptions) { c.everything("reflector") },
					},
					Queue: &deltafifo.Trace{
						Popped: func(string, deltafifo.Deltas, bool, deltafifo.State) {
							c.everything("queue")
						},
					},
					Indexer: &indexer.Trace{
						Added:    func(string, watchglass.Object) { c.lockFree("indexer") },
						Replaced: func([]watchglass.Object, string) { c.lockFree("indexer") },
					},
					Processor: &processor.Trace{
						Distributed: func([]processor.Notification, bool, []string) { c.lockFree("processor") },
					},
				},
			})
			assert.ElementsMatch(t, []string{"OnAdd", "OnUpdate", "OnDelete", "Transform", "reflector",
				"WatchErrorHandler", "OnProcessError", "OnPanic", "queue", "IndexFunc", "indexer",
				"processor"}, c.called)
		})
	}
}
