package deltafifo

import (
	"log/slog"
	"time"
)

// A process func is slow if it takes longer than slowProcessing for each entry that it processes,
// or than slowBatch. That is logged if more than slowDepth entries wait behind these. The numbers
// are client-go's.
const (
	slowProcessing = 100 * time.Millisecond
	slowBatch      = time.Second
	slowDepth      = 10
)

// SlowLog logs slow process funcs. Both queues have one.
type SlowLog struct {
	Logger *slog.Logger // nil if nothing is logged
	Len    func() int   // how many entries are queued, with those that are being processed
}

// Timed runs process, which processes n entries, and returns its error. If it was slow, a line in
// the log says so, and what was processed. Reading the clock can cost more than queueing a delta,
// so Timed reads it only if enough is queued when process begins.
func (l *SlowLog) Timed(what slog.Attr, n int, process func() error) error {
	if l.Logger == nil || l.Len() <= slowDepth {
		return process()
	}
	start := time.Now()
	err := process()
	took, depth := time.Since(start), l.Len()-n
	if depth > slowDepth && took > min(time.Duration(n)*slowProcessing, slowBatch) {
		l.Logger.Warn("slow processing holds up the queue",
			what, "took", took, "depth", depth)
	}
	return err
}
