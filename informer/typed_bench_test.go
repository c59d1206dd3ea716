package informer

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"example.com/watchglass"
	"example.com/watchglass/processor"
)

// BenchmarkHandler sends objects from the queue through the cache to one handler, once for each way
// to write it. The time is that of one notification.
func BenchmarkHandler(b *testing.B) {
	for name, handler := range map[string]func(done func()) processor.ResourceEventHandler{
		"untyped": func(done func()) processor.ResourceEventHandler {
			see := func(obj watchglass.Object) {
				if obj.(*thing).Name != "" {
					done()
				}
			}
			return processor.ResourceEventHandlerFuncs{
				AddFunc:    func(obj watchglass.Object, _ bool) { see(obj) },
				UpdateFunc: func(_, obj watchglass.Object) { see(obj) },
			}
		},
		"typed": func(done func()) processor.ResourceEventHandler {
			see := func(obj *thing) {
				if obj.Name != "" {
					done()
				}
			}
			return Handler[*thing]{
				Add:    func(obj *thing, _ bool) { see(obj) },
				Update: func(_, obj *thing) { see(obj) },
			}
		},
		"untyped-key": func(done func()) processor.ResourceEventHandler {
			see := func(obj watchglass.Object) {
				if key, err := watchglass.MetaNamespaceKeyFunc(obj); err == nil && key != "" {
					done()
				}
			}
			return processor.ResourceEventHandlerFuncs{
				AddFunc:    func(obj watchglass.Object, _ bool) { see(obj) },
				UpdateFunc: func(_, obj watchglass.Object) { see(obj) },
			}
		},
		"typed-key": func(done func()) processor.ResourceEventHandler {
			return OnKey[*thing](func(key string) {
				if key != "" {
					done()
				}
			})
		},
	} {
		b.Run("way="+name, func(b *testing.B) { notify(b, handler) })
	}
}

// notify runs an informer until b.N notifications have been delivered.
func notify(b *testing.B, handler func(done func()) processor.ResourceEventHandler) {
	var objs []watchglass.Object
	for i := range 1000 {
		objs = append(objs, newThing(fmt.Sprint("web-", i), "1"))
	}
	s := NewSharedIndexInformer(Options{ListerWatcher: still{}})
	ctx, stop := context.WithCancel(context.Background())
	var running, delivered sync.WaitGroup
	left := b.N
	delivered.Add(1)
	r, err := s.AddEventHandler(handler(func() {
		if left--; left == 0 {
			delivered.Done()
		}
	}), HandlerOptions{})
	if err != nil {
		b.Fatal(err)
	}
	running.Go(func() { _ = s.Run(ctx) })
	<-r.Synced()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if err := s.queue.Add(objs[i%len(objs)]); err != nil {
			b.Fatal(err)
		}
	}
	delivered.Wait()
	b.StopTimer()
	stop()
	running.Wait()
}
