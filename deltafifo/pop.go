package deltafifo

import "errors"

// PopProcessFunc processes the deltas of one object; of a [RealFIFO], those of several.
// isInInitialList says that the object was in the first list, or that the first list showed its
// deletion.
type PopProcessFunc func(d Deltas, isInInitialList bool) error

// ErrClosed says that a queue is closed and empty. Pop returns it instead of waiting.
var ErrClosed = errors.New("deltafifo: queue is closed and empty")

// Pop calls process with all deltas of the first key and removes the key from the queue. It returns
// the deltas and the error of process. It waits while the queue is empty. A closed queue can be
// popped until it is empty; then Pop returns [ErrClosed].
//
// An error of process puts nothing back: only [ErrRequeue] does. The deltas belong to the consumer.
//
// The lock is held while process runs. So Replace and Resync always find each object either in the
// queue or in the consumer's cache, never between them. The price is that a slow process func stops
// the producer, and with it the watch, and that a process func waits forever if it calls a method
// of the queue that takes the lock. A consumer that has slow work, or has to call the queue, leaves
// that to another goroutine and returns.
//
// A key counts as processed when process has returned, not when it was taken: a goroutine that
// waits for [DeltaFIFO.Synced] finds the whole initial list in the store. A process func that
// panics has processed nothing: key and deltas stay queued, and a program that is about to crash
// does not report that it has synced.
func (f *DeltaFIFO) Pop(process PopProcessFunc) (Deltas, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue) == 0 {
		if f.closed {
			return nil, ErrClosed
		}
		f.arrived.Wait()
	}
	key := f.queue[0]
	deltas, isInInitialList := f.items[key], !f.progress.hasSynced()
	if f.trace.Popped != nil {
		f.trace.Popped(key, deltas, isInInitialList, f.state())
	}
	err := process(deltas, isInInitialList)
	f.removeFirst()
	synced := f.progress.processed()
	if f.trace.Processed != nil {
		f.trace.Processed(key, f.state())
	}
	err = f.requeueIfAsked(key, deltas, err)
	if synced {
		f.progress.announce()
	}
	return deltas, err
}

// removeFirst removes the first key and its deltas. When the array of the queue is full, append
// copies the keys that are left to a new one. The slot of the last key is used again: otherwise a
// queue that is always short would allocate with every event.
//
// An empty queue that has held many keys gets a new map and a new array. A map never shrinks by
// itself, so one long list would take memory for as long as the queue lives.
func (f *DeltaFIFO) removeFirst() {
	delete(f.items, f.queue[0])
	f.length.Add(-1)
	switch {
	case len(f.queue) > 1:
		f.queue = f.queue[1:]
	case f.mostItems < manyItems:
		f.queue = f.queue[:0]
	default:
		f.items, f.queue, f.mostItems = map[string]Deltas{}, nil, 0
	}
}

// manyItems is how many keys a queue must have held before, when it is empty, it gives memory back.
const manyItems = 1024

// Close makes Pop return [ErrClosed] as soon as the queue is empty, also every Pop that waits now.
// What is queued can still be popped, and more can still be queued. Close waits for a running
// process func. A second Close does nothing.
func (f *DeltaFIFO) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.arrived.Broadcast()
}
