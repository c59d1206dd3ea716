package informer

import (
	"context"
	"errors"
	"sync"

	"example.com/watchglass/deltafifo"
	"example.com/watchglass/reflector"
)

// controller is a reflector that fills a queue, and the process loop that empties it. The func
// process decides what happens to the deltas.
type controller struct {
	reflector *reflector.Reflector
	queue     Queue

	// process is called for each key that is popped, by one goroutine, under the queue's lock: the
	// reflector cannot add while it runs. It must not call the queue. (A RealFIFO pops batches, and
	// without the lock.)
	process deltafifo.PopProcessFunc
	// processed is called after each Pop, without the queue's lock, with the error of process.
	processed func(err error)
	// synced is called once, when all that the first list brought has been processed.
	synced func()
}

// run blocks until ctx ends and both goroutines, the watcher of the queue and the reflector, have
// ended. What is still in the queue then stays there, as in client-go.
func (c *controller) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // in case process panics; the comment of Run says why nothing is waited for then
	var started sync.WaitGroup
	started.Go(func() { c.reflector.Run(ctx) })
	started.Go(func() {
		select {
		case <-c.queue.Synced():
			c.synced()
		case <-ctx.Done():
		}
		<-ctx.Done()
		c.queue.Close() // wakes the Pop that the process loop waits in
	})
	c.processLoop(ctx)
	started.Wait()
}

// processLoop pops as the only consumer of the queue. Pop blocks until something is queued.
func (c *controller) processLoop(ctx context.Context) {
	pop := popper(c.queue, c.process)
	for ctx.Err() == nil {
		failed, closed := pop()
		if closed {
			return
		}
		c.processed(failed)
	}
}

// popper returns a func that pops once: a batch, if the queue has PopBatch. That func returns what
// went wrong, and whether the queue was closed and empty.
//
// The queue does not get the errors of process. They wrap what an IndexFunc returned, and that may
// be an error that means something to the queue: ErrRequeue would put the key back, forever.
func popper(q Queue, process deltafifo.PopProcessFunc) func() (failed error, closed bool) {
	var failed error
	note := func(d deltafifo.Deltas, isInInitialList bool) error {
		failed = process(d, isInInitialList)
		return nil
	}
	pop := func() error { _, err := q.Pop(note); return err }
	if batches, ok := q.(interface {
		PopBatch(process deltafifo.PopProcessFunc) error
	}); ok {
		pop = func() error { return batches.PopBatch(note) }
	}
	return func() (error, bool) {
		failed = nil // a queue of the caller's own may return without calling note
		err := pop()
		if errors.Is(err, deltafifo.ErrClosed) {
			return nil, true
		}
		return errors.Join(failed, err), false
	}
}
