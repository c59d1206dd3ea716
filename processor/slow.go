package processor

import "time"

// A handler is called slow in the log when its calls take longer than slowCall, on average over a
// batch, while more than slowPending notifications wait for it. The numbers are client-go's.
const (
	slowCall    = 100 * time.Millisecond
	slowPending = 1024
)

// startTiming returns the time at which a batch begins, and the zero time if few notifications
// wait: reading the clock costs more than calling a small handler.
func (l *processorListener) startTiming() (began time.Time) {
	if l.pending.Load() > slowPending {
		began = time.Now()
	}
	return began
}

// logIfSlow logs a slow handler after a batch of calls.
func (l *processorListener) logIfSlow(began time.Time, calls int) {
	if began.IsZero() {
		return
	}
	if per := time.Since(began) / time.Duration(calls); per > slowCall {
		l.shared.Logger.Warn("slow handler",
			"handler", l.Name, "took", per, "waiting", l.pending.Load())
	}
}
