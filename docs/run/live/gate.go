package main

import (
	"sync"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/informer"
)

// gatedQueue is a queue with valve V2 before Pop.
//
// It cannot stand around the process func: Pop holds the lock of the queue while that runs, so a
// valve there would stop the reflector, and no delta could pile up. It cannot simply stand before
// Pop either: the process loop usually sleeps inside of it, and the first key would slip through.
// So the process loop waits here until something is queued, then at the valve, and then it pops.
type gatedQueue struct {
	informer.Queue
	valve   *valve
	arrived chan struct{} // has room for one: something was queued since it was emptied
	closed  chan struct{}
	once    sync.Once
}

// gate returns the queue with the valve in front. The wrapper of a RealFIFO has the two methods
// more that the informer looks for.
func gate(q informer.Queue, v *valve) (informer.Queue, *gatedQueue) {
	g := &gatedQueue{Queue: q, valve: v, arrived: make(chan struct{}, 1),
		closed: make(chan struct{})}
	if ordered, ok := q.(*realfifo.RealFIFO); ok {
		return &gatedRealFIFO{g, ordered}, g
	}
	return g, g
}

// await returns when something is queued and the valve is open, or false when the queue is closed:
// what is still queued then stays there, as without a valve.
func (g *gatedQueue) await() bool {
	for g.Len() == 0 {
		select {
		case <-g.arrived:
		case <-g.closed:
			return false
		}
	}
	return g.valve.pass(g.closed, "the process loop")
}

// queued wakes a process loop that waits for something to be queued.
func (g *gatedQueue) queued(err error) error {
	select {
	case g.arrived <- struct{}{}:
	default: // it will be woken already
	}
	return err
}

func (g *gatedQueue) Add(obj watchglass.Object) error    { return g.queued(g.Queue.Add(obj)) }
func (g *gatedQueue) Update(obj watchglass.Object) error { return g.queued(g.Queue.Update(obj)) }
func (g *gatedQueue) Delete(obj watchglass.Object) error { return g.queued(g.Queue.Delete(obj)) }
func (g *gatedQueue) Resync() error                      { return g.queued(g.Queue.Resync()) }

func (g *gatedQueue) Replace(list []watchglass.Object, resourceVersion string) error {
	return g.queued(g.Queue.Replace(list, resourceVersion))
}

func (g *gatedQueue) Pop(process deltafifo.PopProcessFunc) (deltafifo.Deltas, error) {
	if !g.await() {
		return nil, deltafifo.ErrClosed
	}
	return g.Queue.Pop(process)
}

func (g *gatedQueue) Close() {
	g.once.Do(func() { close(g.closed) })
	g.Queue.Close()
}

// gatedRealFIFO is a gatedQueue that pops batches and takes versions of bookmarks.
type gatedRealFIFO struct {
	*gatedQueue
	ordered *realfifo.RealFIFO
}

func (g *gatedRealFIFO) PopBatch(process deltafifo.PopProcessFunc) error {
	if !g.await() {
		return deltafifo.ErrClosed
	}
	return g.ordered.PopBatch(process)
}

func (g *gatedRealFIFO) UpdateResourceVersion(resourceVersion string) {
	g.ordered.UpdateResourceVersion(resourceVersion)
	_ = g.queued(nil)
}
