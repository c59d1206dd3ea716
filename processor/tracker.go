package processor

import (
	"sync"
	"sync/atomic"
)

// tracker finds out when a handler has been called with the initial list: when upstream has
// announced all of it and every announced add is over. A handler is called with one add after the
// other, so the tracker only counts them and need not know which ones are over. Upstream counts as
// one more: otherwise the count could be zero between two adds.
//
//	upstream:  newTracker   start(2) ────────── finished()
//	handler:                         finished() ──────────── finished() ▶ synced
//
// A tracker that has synced stays synced. All methods may be called from any goroutine.
type tracker struct {
	waiting atomic.Int64 // adds that are not over, and 1 for upstream
	once    sync.Once
	synced  chan struct{} // closed, once, when waiting is 0

	listener string
	onSynced func(listener string) // nil, or called once, just before synced is closed
}

// newTracker returns a tracker that waits for upstream and, so far, for no add.
func newTracker(listener string, onSynced func(string)) *tracker {
	t := &tracker{synced: make(chan struct{}), listener: listener, onSynced: onSynced}
	t.waiting.Store(1)
	return t
}

// start announces n more adds of the initial list.
func (t *tracker) start(n int) { t.waiting.Add(int64(n)) }

// finished says that one more call with an initial add is over, or that upstream has announced all.
func (t *tracker) finished() {
	if t.waiting.Add(-1) == 0 {
		t.once.Do(t.announce)
	}
}

// announce calls the trace first: otherwise a goroutine that waits for the channel could report
// what follows from it before that.
func (t *tracker) announce() {
	if t.onSynced != nil {
		t.onSynced(t.listener)
	}
	close(t.synced)
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}
