package realfifo

import (
	"slices"

	"example.com/watchglass/deltafifo"
)

const (
	// MaxBatch is the largest number of deltas that PopBatch takes.
	MaxBatch = 1000
	// backPressure is how many deltas have to wait behind those that are processed for the producer
	// to be stopped.
	backPressure = 2 * MaxBatch
)

// Pop calls process with the first delta alone, and removes it from the queue. It returns the
// delta, which belongs to the consumer, and the error of process. It waits while the queue is
// empty. A closed queue can be popped until it is empty; then Pop returns [deltafifo.ErrClosed].
//
// An error of process puts nothing back: the delta would have lost its place in the order. A delta
// counts as processed when process has returned. A process func that panics has processed nothing,
// and the delta stays queued.
//
// Process must not call methods of the queue that take its lock. Usually such a call would return,
// but if so much is queued that the lock is held, it would wait forever. Len takes no lock.
func (f *RealFIFO) Pop(process deltafifo.PopProcessFunc) (popped deltafifo.Deltas, err error) {
	err = f.pop(1, func(d deltafifo.Deltas, isInInitialList bool) error {
		popped = slices.Clone(d)
		return process(popped, isInInitialList)
	})
	return popped, err
}

// PopBatch pops several deltas in a row: either one that is about the whole collection, or at
// most 1000 that are about single objects. The slice is valid until process returns.
//
// Unlike in client-go, a batch may have several deltas of one key, so process must apply the deltas
// in their order.
func (f *RealFIFO) PopBatch(process deltafifo.PopProcessFunc) error {
	return f.pop(MaxBatch, process)
}

func (f *RealFIFO) pop(most int, process deltafifo.PopProcessFunc) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.processing || f.backlog.len() == 0 {
		if f.closed && f.backlog.len() == 0 {
			return deltafifo.ErrClosed
		}
		f.changed.Wait()
	}
	batch := f.firstBatch(most)
	isInInitialList := !f.progress.HasSynced()
	if f.trace.Popped != nil {
		f.trace.Popped(batch, isInInitialList)
	}
	f.processing = true
	defer func() { // deferred, because process may panic
		f.processing = false
		f.changed.Broadcast()
	}()
	err := f.unlocked(len(batch), func() error { return process(batch, isInInitialList) })
	f.backlog.drop(len(batch))
	f.length.Add(int64(-len(batch)))
	f.progress.Processed()
	return err
}

// firstBatch returns the deltas at the front that may be processed together. There is at least one.
func (f *RealFIFO) firstBatch(most int) deltafifo.Deltas {
	front := f.backlog.front()
	n := 1
	if isBatchable(front[0]) {
		for n < min(most, len(front)) && isBatchable(front[n]) {
			n++
		}
	}
	return front[:n:n]
}

// unlocked runs process without the lock, so that the producer can go on. If too much is queued
// behind the n deltas that are being processed, it keeps the lock, so that the producer waits.
func (f *RealFIFO) unlocked(n int, process func() error) error {
	if f.backlog.len()-n < backPressure {
		f.mu.Unlock()
		defer f.mu.Lock()
	}
	return process()
}

// Close makes Pop and PopBatch return [deltafifo.ErrClosed] as soon as the queue is empty, also
// those that wait now. What is queued can still be popped, and more can still be queued. A second
// Close does nothing.
func (f *RealFIFO) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.changed.Broadcast()
}
