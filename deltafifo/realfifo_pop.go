package deltafifo

import "slices"

// maxBatch is the largest number of deltas that PopBatch takes.
const maxBatch = 1000

// Pop calls process with the first delta alone, and removes it from the queue. It returns the
// delta, which belongs to the consumer, and the error of process. It waits while the queue is
// empty. A closed queue can be popped until it is empty; then Pop returns [ErrClosed].
//
// An error of process puts nothing back: the delta would have lost its place in the order. A delta
// counts as processed when process has returned. A process func that panics has processed nothing,
// and the delta stays queued.
//
// The lock is free while process runs: the producer goes on, and process may call every method but
// Pop and PopBatch, which would wait for it forever.
func (f *RealFIFO) Pop(process PopProcessFunc) (popped Deltas, err error) {
	err = f.pop(1, func(d Deltas, isInInitialList bool) error {
		popped = slices.Clone(d)
		return process(popped, isInInitialList)
	})
	return popped, err
}

// PopBatch pops several deltas in a row: either one that is about the whole collection, or at
// most 1000 that are about single objects, each about another one. A delta for an object that the
// batch holds already begins the next batch: if one batch had two states of an object, a reader of
// the cache would never see the first. The slice is valid until process returns.
func (f *RealFIFO) PopBatch(process PopProcessFunc) error {
	return f.pop(maxBatch, process)
}

func (f *RealFIFO) pop(most int, process PopProcessFunc) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.processing || len(f.queue) == 0 {
		if f.closed && len(f.queue) == 0 {
			return ErrClosed
		}
		f.changed.Wait()
	}
	batch := f.firstBatch(most)
	isInInitialList := !f.progress.hasSynced()
	if f.trace.Popped != nil {
		f.trace.Popped("", batch, isInInitialList, f.state())
	}
	f.processing = true
	defer func() { // deferred, because process may panic
		f.processing = false
		f.changed.Broadcast()
	}()
	err := f.unlocked(func() error { return process(batch, isInInitialList) })
	f.drop(len(batch))
	synced := f.progress.processed()
	if f.trace.Processed != nil {
		f.trace.Processed("", f.state())
	}
	if synced {
		f.progress.announce()
	}
	return err
}

// firstBatch returns the deltas at the front that may be processed together. There is at least one.
// Producers only append, so the consumer may read them without the lock.
func (f *RealFIFO) firstBatch(most int) Deltas {
	n := 0
	if most = min(most, len(f.queue)); most > 1 {
		for n < most && f.joins(f.queue[n]) {
			n++
		}
		clear(f.batchHas) // it would keep the names alive
	}
	n = max(n, 1)
	return f.queue[:n:n]
}

// joins says whether d may be in one batch with those in batchHas, and adds it to them. It may not
// if it is about the whole collection, nor if the batch has a delta for its object.
func (f *RealFIFO) joins(d Delta) bool {
	if !isBatchable(d) {
		return false
	}
	before := len(f.batchHas)
	f.batchHas[objectName{d.Object.GetNamespace(), d.Object.GetName()}] = struct{}{}
	return len(f.batchHas) > before // and not looked up first, which would cost as much again
}

// unlocked runs process without the lock, so that the producer can go on.
func (f *RealFIFO) unlocked(process func() error) error {
	f.mu.Unlock()
	defer f.mu.Lock()
	return process()
}

// drop removes n deltas from the front. It clears their slots, because otherwise the array would
// keep the objects alive until append makes a new one. An empty queue gives its array back.
func (f *RealFIFO) drop(n int) {
	clear(f.queue[:n])
	if f.queue = f.queue[n:]; len(f.queue) == 0 {
		f.queue = nil
	}
	f.length.Add(int64(-n))
}

// Close makes Pop and PopBatch return [ErrClosed] as soon as the queue is empty, also
// those that wait now. What is queued can still be popped, and more can still be queued. A second
// Close does nothing.
func (f *RealFIFO) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.changed.Broadcast()
}
