package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// A round does one kind of work for many objects. What it passes to timed is what counts.
type round func(objects []watchglass.Object, timed func(work func()))

var rounds = []struct {
	what string
	round
}{
	{"DeltaFIFO: add and pop", func(objects []watchglass.Object, timed func(func())) {
		addAndPop(deltafifo.New(deltafifo.Options{}), objects, timed)
	}},
	{"DeltaFIFO: a list, and pop all", listAndPop},
	{"RealFIFO: add and pop", func(objects []watchglass.Object, timed func(func())) {
		addAndPop(realfifo.New(realfifo.Options{}), objects, timed)
	}},
	{"indexer: add, one index", addToIndexer},
	{"indexer: update, same value", updateIndexer},
	{"processor: initial adds of a late handler", joinLate},
	{"informer: a list, to cache and handler", wholeList},
}

// A cost is what one object costs in a round.
type cost struct{ ns, allocs, bytes float64 }

// measure repeats a round with size objects, at least three times and until enough time was
// measured. The time is that of the quickest one, because any disturbance makes a round longer.
func (r round) measure(size int, enough time.Duration) (c cost) {
	objects, total, times := objectsOf(size), time.Duration(0), 0.0
	for c.ns = math.Inf(1); total < enough || times < 3; times++ {
		var before, after runtime.MemStats
		r(objects, func(work func()) {
			runtime.GC()
			runtime.ReadMemStats(&before)
			began := time.Now()
			work()
			took := time.Since(began)
			runtime.ReadMemStats(&after)
			total += took
			c.ns = min(c.ns, float64(took.Nanoseconds())/float64(size))
			c.bytes += float64(after.TotalAlloc - before.TotalAlloc)
			c.allocs += float64(after.Mallocs - before.Mallocs)
		})
	}
	c.bytes /= times * float64(size)
	c.allocs /= times * float64(size)
	return c
}

func objectsOf(n int) []watchglass.Object {
	objects := make([]watchglass.Object, n)
	for i := range objects {
		objects[i] = &watchglass.ObjectMeta{Namespace: fmt.Sprintf("ns-%d", i%100),
			Name: fmt.Sprintf("web-%d", i), ResourceVersion: "1"}
	}
	return objects
}

type queue interface {
	Add(watchglass.Object) error
	Pop(deltafifo.PopProcessFunc) (deltafifo.Deltas, error)
}

func addAndPop(q queue, objects []watchglass.Object, timed func(func())) {
	timed(func() {
		for _, obj := range objects {
			_ = q.Add(obj)
		}
		popAll(q, objects)
	})
}

func popAll(q queue, objects []watchglass.Object) {
	for range objects {
		_, _ = q.Pop(func(deltafifo.Deltas, bool) error { return nil })
	}
}

func listAndPop(objects []watchglass.Object, timed func(func())) {
	q := deltafifo.New(deltafifo.Options{})
	timed(func() {
		_ = q.Replace(objects, "1")
		popAll(q, objects)
	})
}

func newIndexer() *indexer.Indexer {
	return indexer.New(indexer.Options{
		Indexers: indexer.Indexers{"namespace": indexer.MetaNamespaceIndexFunc},
	})
}

func addToIndexer(objects []watchglass.Object, timed func(func())) {
	ix := newIndexer()
	timed(func() {
		for _, obj := range objects {
			_ = ix.Add(obj)
		}
	})
}

func updateIndexer(objects []watchglass.Object, timed func(func())) {
	ix := newIndexer()
	for _, obj := range objects {
		_ = ix.Add(obj)
	}
	newer := objectsOf(len(objects))
	timed(func() {
		for _, obj := range newer {
			_ = ix.Update(obj)
		}
	})
}

// counter counts calls, and closes all at the last one.
type counter struct {
	left int
	all  chan struct{}
}

func newCounter(n int) *counter { return &counter{n, make(chan struct{})} }

func (c *counter) OnAdd(watchglass.Object, bool) {
	if c.left--; c.left == 0 {
		close(c.all)
	}
}
func (c *counter) OnUpdate(_, _ watchglass.Object) {}
func (c *counter) OnDelete(watchglass.Object)      {}

func joinLate(objects []watchglass.Object, timed func(func())) {
	p := processor.New(processor.Options{})
	running(p.Run, func() {
		late := newCounter(len(objects))
		timed(func() {
			_, _ = p.AddListener(late, processor.ListenerOptions{}, objects)
			<-late.all
		})
	})
}

func wholeList(objects []watchglass.Object, timed func(func())) {
	handler := newCounter(len(objects))
	inf := informer.NewSharedIndexInformer(informer.Options{
		ListerWatcher: memory(objects),
		Indexers:      indexer.Indexers{"namespace": indexer.MetaNamespaceIndexFunc},
		Reflector:     reflector.Options{ListFirst: true},
	})
	_, _ = inf.AddEventHandler(handler, informer.HandlerOptions{})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	timed(func() {
		running.Go(func() { _ = inf.Run(ctx) })
		<-handler.all
	})
	cancel()
	running.Wait()
}

// running calls do while run runs.
func running(run func(context.Context), do func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	wait.Go(func() { run(ctx) })
	do()
	cancel()
	wait.Wait()
}

// memory is a ListerWatcher without HTTP: it has one list, and a watch without events.
type memory []watchglass.Object

func (m memory) List(context.Context, reflector.ListOptions) (*reflector.List, error) {
	return &reflector.List{Items: m, ResourceVersion: "1"}, nil
}

func (m memory) Watch(ctx context.Context, _ reflector.ListOptions) (reflector.Watch, error) {
	return silent{ctx}, nil
}

type silent struct{ ctx context.Context }

func (s silent) Next() (reflector.Event, error) {
	<-s.ctx.Done()
	return reflector.Event{}, s.ctx.Err()
}
func (s silent) Close() error { return nil }
