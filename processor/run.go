package processor

import "time"

// panicPause is how long a handler rests after a panic that was reported to Options.OnPanic.
// Otherwise a handler that panics every time would keep a CPU core busy.
const panicPause = time.Second

// run calls the handler, one notification at a time. It asks before each call whether the handler
// was removed in the meantime.
//
// Nothing here is deferred: deferred calls also run when a panic is about to crash the program, and
// they would report that the handler has ended or has synced.
func (l *processorListener) run() {
	for b := range l.nextCh { // until pop has ended
		for i := range b.list {
			if !l.unwanted() {
				l.deliver(&b.list[i])
			}
		}
	}
	l.end()
}

func (l *processorListener) unwanted() bool { return !l.Drain && isClosed(l.removed) }

func (l *processorListener) deliver(n *Notification) {
	l.pending.Add(-1)
	returned := l.call(n)
	if n.IsInInitialList {
		// After a panic, too: one bad object must not keep the registration from ever being synced
		// (kubernetes/kubernetes#129024).
		l.tracker.finished()
	}
	if !returned {
		l.pause()
	}
}

// call calls the handler and reports whether it returned. If it panics, the program crashes with
// the handler's own stack, unless there is an OnPanic.
func (l *processorListener) call(n *Notification) (returned bool) {
	if onPanic := l.shared.OnPanic; onPanic != nil {
		defer func() {
			if recovered := recover(); recovered != nil {
				onPanic(l.Name, *n, recovered)
			}
		}()
	}
	if l.shared.Trace.Delivering != nil {
		l.shared.Trace.Delivering(l.Name, *n)
	}
	n.callOn(l.handler)
	delivered := l.delivered.Add(1)
	if l.shared.Trace.Delivered != nil {
		l.shared.Trace.Delivered(l.Name, *n, int(delivered))
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
