package processor

import "time"

// panicPause is how long a handler rests after a panic that was reported to Options.OnPanic.
// Otherwise a handler that panics every time would keep a CPU core busy.
const panicPause = time.Second

// run calls the handler, one notification at a time.
//
// Nothing here is deferred: deferred calls also run when a panic is about to crash the program, and
// they would report that the handler has ended or has synced.
func (l *processorListener) run() {
	for batch := range l.nextCh {
		if !l.timed(batch) {
			break
		}
	}
	for range l.nextCh { // wait until pop has ended, too
	}
	l.end()
}

// deliver calls the handler for each notification of a batch. It returns false as soon as the rest
// is not wanted any more. It checks before every call, not before every batch: a removed handler
// must not be called a hundred times more.
func (l *processorListener) deliver(batch []Notification) bool {
	for i := range batch {
		if l.unwanted() {
			return false
		}
		l.pending.Add(-1)
		returned := l.call(&batch[i])
		if batch[i].IsInInitialList {
			// After a panic, too: one bad object must not keep the registration from ever being
			// synced (kubernetes/kubernetes#129024).
			l.tracker.Finished()
		}
		if !returned {
			l.pause()
		}
	}
	return true
}

func (l *processorListener) unwanted() bool { return !l.drain && isClosed(l.removed) }

// call makes one call and reports whether it returned. If the handler panics, the program crashes
// with the handler's own stack, unless there is an OnPanic.
func (l *processorListener) call(n *Notification) (returned bool) {
	if l.onPanic != nil {
		defer func() {
			if recovered := recover(); recovered != nil {
				l.onPanic(l.name, *n, recovered)
			}
		}()
	}
	if l.trace.Delivering != nil {
		l.trace.Delivering(l.name, *n)
	}
	n.callOn(l.handler)
	l.delivered.Add(1)
	if l.trace.Delivered != nil {
		l.trace.Delivered(l.name, *n)
	}
	return true
}

// pause waits for a second, or until the handler is removed.
func (l *processorListener) pause() {
	select {
	case <-time.After(panicPause):
	case <-l.removed:
	}
}
