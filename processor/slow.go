package processor

import "time"

// A handler is called slow in the log when its calls take longer than slowCall, on average over a
// batch, while more than slowPending notifications wait for it. The numbers are client-go's.
const (
	slowCall    = 100 * time.Millisecond
	slowPending = 1024
)

// timed is deliver, and logs a slow handler. It measures only whole batches, and only when many
// notifications wait: reading the clock costs more than calling a small handler.
func (l *processorListener) timed(batch []Notification) bool {
	if l.pending.Load() <= slowPending {
		return l.deliver(batch)
	}
	began := time.Now()
	wanted := l.deliver(batch)
	per := time.Since(began) / time.Duration(len(batch))
	if per > slowCall {
		l.logger.Warn("slow handler", "handler", l.name, "took", per, "waiting", l.pending.Load())
	}
	return wanted
}
