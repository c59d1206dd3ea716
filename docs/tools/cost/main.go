// Cost measures what one object costs among many, and prints the table of appendix B.
//
//	make cost
//
// takes some minutes. Machines differ and are noisy. So of several rounds the quickest counts, and
// no times are shown, only how they grow with the number of objects within one run.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

func main() { program.Main("cost", run) }

var sizes = []int{1_000, 10_000, 100_000, 1_000_000}

const heading = "| what happens to one object, among | 1,000 | 10,000 | 100,000 | 1,000,000 " +
	"| allocations | bytes |\n|---|--:|--:|--:|--:|--:|--:|\n"

// run prints the table, each row as soon as it is known.
func run(_ context.Context, args []string, stdout io.Writer) error {
	err := program.Parse(flag.NewFlagSet("cost", flag.ContinueOnError), args,
		"Measures for some minutes, and prints the table of docs/b-cost.md.", stdout)
	if err != nil {
		return err
	}
	_, _ = io.WriteString(stdout, heading)
	for _, r := range rounds {
		line := "| " + r.what + " |"
		var first, c cost
		for _, size := range sizes {
			c = r.measure(size, time.Second)
			first = cmp.Or(first, c)
			line += fmt.Sprintf(" %.1f× |", c.ns/first.ns)
		}
		_, _ = fmt.Fprintf(stdout, "%s %.1f | %.0f |\n", line, c.allocs, c.bytes)
	}
	return nil
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

// A round does one kind of work for many objects. What it passes to timed is what counts.
type round func(objects []watchglass.Object, timed func(work func()))

var rounds = []struct {
	what string
	round
}{
	{"DeltaFIFO: add and pop", func(objects []watchglass.Object, timed func(func())) {
		addAndPop(deltafifo.New(deltafifo.Options{}), objects, timed)
	}},
	{"DeltaFIFO: a list, and pop all", func(objects []watchglass.Object, timed func(func())) {
		q := deltafifo.New(deltafifo.Options{})
		timed(func() {
			_ = q.Replace(objects, "1")
			popAll(q, objects)
		})
	}},
	{"RealFIFO: add and pop", func(objects []watchglass.Object, timed func(func())) {
		addAndPop(realfifo.New(realfifo.Options{}), objects, timed)
	}},
	{"indexer: add, one index", func(objects []watchglass.Object, timed func(func())) {
		ix := indexer.New(indexer.Options{Indexers: byNamespace})
		timed(func() { addAll(ix.Add, objects) })
	}},
	{"indexer: update, same value", func(objects []watchglass.Object, timed func(func())) {
		ix := indexer.New(indexer.Options{Indexers: byNamespace})
		addAll(ix.Add, objects)
		newer := objectsOf(len(objects))
		timed(func() { addAll(ix.Update, newer) })
	}},
	{"processor: initial adds of a late handler", joinLate},
	{"informer: a list, to cache and handler", wholeList},
}

var byNamespace = indexer.Indexers{"namespace": indexer.MetaNamespaceIndexFunc}

func addAll(add func(watchglass.Object) error, objects []watchglass.Object) {
	for _, obj := range objects {
		_ = add(obj)
	}
}

type queue interface {
	Add(watchglass.Object) error
	Pop(deltafifo.PopProcessFunc) (deltafifo.Deltas, error)
}

func addAndPop(q queue, objects []watchglass.Object, timed func(func())) {
	timed(func() {
		addAll(q.Add, objects)
		popAll(q, objects)
	})
}

func popAll(q queue, objects []watchglass.Object) {
	for range objects {
		_, _ = q.Pop(func(deltafifo.Deltas, bool) error { return nil })
	}
}

func joinLate(objects []watchglass.Object, timed func(func())) {
	p := processor.New(processor.Options{})
	stop := start(p.Run)
	defer stop()
	late, all := countdown(len(objects))
	timed(func() {
		_, _ = p.AddListener(late, processor.ListenerOptions{}, objects)
		<-all
	})
}

func wholeList(objects []watchglass.Object, timed func(func())) {
	inf := informer.NewSharedIndexInformer(informer.Options{ListerWatcher: memory(objects),
		Indexers: byNamespace, Reflector: reflector.Config{ListFirst: true}})
	handler, all := countdown(len(objects))
	_, _ = inf.AddEventHandler(handler, informer.HandlerOptions{})
	stop := func() {}
	timed(func() {
		stop = start(func(ctx context.Context) { _ = inf.Run(ctx) })
		<-all
	})
	stop()
}

// countdown returns a handler that closes all when it has been told of n objects.
func countdown(n int) (handler processor.ResourceEventHandlerFuncs, all chan struct{}) {
	all = make(chan struct{})
	handler.AddFunc = func(watchglass.Object, bool) {
		if n--; n == 0 {
			close(all)
		}
	}
	return handler, all
}

// start lets run run, and returns a func that ends it and waits for it.
func start(run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { run(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
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
