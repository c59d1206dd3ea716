package main

import (
	"context"
	"sync"

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
		Indexers: byNamespace, Reflector: reflector.Options{ListFirst: true}})
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
