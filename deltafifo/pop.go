package deltafifo

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// PopProcessFunc deals with what happened to one object. isInInitialList says that the object came
// with the first list, or that its deletion was found by it.
type PopProcessFunc func(d Deltas, isInInitialList bool) error

// ErrClosed says that a queue is closed and empty: there will be nothing more to pop.
var ErrClosed = errors.New("deltafifo: queue is closed and empty")

const (
	// slowDepth and slowProcessing say when a process func is worth a line in the log: while it
	// runs the producer stands still, which matters when there is a queue behind it.
	slowDepth      = 10
	slowProcessing = 100 * time.Millisecond
)

// Pop takes the first key out of the queue and calls process with all its deltas, then returns
// these and the error of process. It waits while the queue is empty. When the queue is closed it
// goes on until nothing is left and then returns [ErrClosed].
//
// The deltas are gone from the queue whatever process returns, unless it asks for them to be put
// back with [ErrRequeue]. They belong to the consumer.
//
// The lock is held while process runs. So Replace and Resync always find each object either in the
// queue or in the consumer's state, never between them; the price is that a slow process func
// stops the producer, and with it the watch, and that one which calls the queue hangs. Where both
// are slow, hand the work over and return.
//
// A key counts as processed when process has returned, and not when it was taken: who waits for
// [DeltaFIFO.Synced] finds the whole initial list in the store. A process func that panics counts
// too, or the panic would also cost us the sync.
func (f *DeltaFIFO) Pop(process PopProcessFunc) (Deltas, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key, deltas := f.next()
	if deltas == nil {
		return nil, ErrClosed
	}
	isInInitialList := !f.hasSynced()
	defer f.countDown()
	if f.trace.Popped != nil {
		f.trace.Popped(key, deltas, isInInitialList)
	}
	err := f.timed(key, func() error { return process(deltas, isInInitialList) })
	return deltas, f.requeueIfAsked(key, deltas, err)
}

// next waits for a key and takes it out with its deltas. It returns nil if the queue is closed and
// empty.
func (f *DeltaFIFO) next() (string, Deltas) {
	for {
		for f.queue.len() == 0 {
			if f.closed {
				return "", nil
			}
			f.arrived.Wait()
		}
		key := f.queue.pop()
		f.length.Add(-1)
		if deltas, ok := f.items[key]; ok {
			delete(f.items, key)
			f.giveBack()
			return key, deltas
		}
		// It can't happen, for items and queue hold the same keys. But if it ever did, an empty
		// Deltas would crash the consumer, and the sync would wait for a key that never comes.
		f.log.Error("deltafifo: a queued key has no deltas, skipping it", "key", key)
		f.countDown()
	}
}

// giveBack starts with a new map when the old one has held many keys and is empty. A map never
// shrinks by itself, so one list would be paid for as long as the queue lives.
func (f *DeltaFIFO) giveBack() {
	if len(f.items) == 0 && f.mostItems >= manyItems {
		f.items, f.mostItems = map[string]Deltas{}, 0
	}
}

// manyItems is for how many keys a map is worth giving back.
const manyItems = 1024

// timed runs process, and logs if it was slow while others waited. The clock is read only if that
// could be logged.
func (f *DeltaFIFO) timed(key string, process func() error) error {
	depth := f.queue.len()
	if depth <= slowDepth || !f.log.Enabled(context.Background(), slog.LevelWarn) {
		return process()
	}
	start := time.Now()
	err := process()
	if took := time.Since(start); took > slowProcessing {
		f.log.Warn("deltafifo: slow processing holds up the queue",
			"key", key, "took", took, "depth", depth)
	}
	return err
}

// Close lets every Pop return that waits now or later, once the queue is empty. What is queued can
// still be popped, and more can still be queued. It waits for a running process func. Closing twice
// is closing once.
func (f *DeltaFIFO) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.arrived.Broadcast()
}

// IsClosed says whether Close has been called.
func (f *DeltaFIFO) IsClosed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}
