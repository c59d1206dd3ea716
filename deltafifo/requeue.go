package deltafifo

import (
	"errors"
	"fmt"
	"slices"
)

// ErrRequeue is what a process func returns, by value and possibly wrapped, to have its deltas put
// back at the end of the queue. Pop then returns Err, which may be nil.
//
// client-go had it until 0.32. It was removed because deltas that are put back have lost their
// place in the order, and must be dropped if newer ones are queued: see
// [DeltaFIFO.AddIfNotPresent].
type ErrRequeue struct {
	Err error // why; may be nil
}

// Error returns the reason.
func (e ErrRequeue) Error() string {
	if e.Err == nil {
		return "deltafifo: the process func asks to put its deltas back into the queue"
	}
	return e.Err.Error()
}

// Unwrap returns Err, for errors.Is and errors.As.
func (e ErrRequeue) Unwrap() error { return e.Err }

// AddIfNotPresent puts deltas that were popped back at the end of the queue. If their key is queued
// again, it drops them, because what is pending is newer. The queue keeps a copy. It does not
// transform the objects again. For [DeltaFIFO.HasSynced] it counts as an event.
//
// It fails if the newest object has no key, or if d is empty.
func (f *DeltaFIFO) AddIfNotPresent(d Deltas) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	key, err := f.KeyOfDeltas(d)
	if err != nil {
		return fmt.Errorf("deltafifo: add if not present: %w", err)
	}
	f.addIfNotPresent(key, d)
	return nil
}

// requeueIfAsked puts deltas back if the error of their process func asks for it, and returns the
// error for Pop to return. It never drops them: the lock was held while process ran, so no newer
// event of the key is queued.
func (f *DeltaFIFO) requeueIfAsked(key string, d Deltas, err error) error {
	requeue, asked := errors.AsType[ErrRequeue](err)
	if !asked {
		return err
	}
	f.addIfNotPresent(key, d)
	return requeue.Err
}

func (f *DeltaFIFO) addIfNotPresent(key string, d Deltas) {
	f.progress.event()
	if _, queued := f.items[key]; queued {
		return
	}
	f.items[key] = slices.Clone(d) // the consumer owns d, and the queue will append to its copy
	f.lineUp(key)
	if f.trace.Requeued != nil {
		f.trace.Requeued(key, d, f.state())
	}
}
