package processor

import (
	"sync"
	"sync/atomic"
)

// SingleFileTracker finds out when a consumer has processed the initial list: when upstream has
// announced all of it and every announced item is finished. It is for consumers that process items
// one after the other, so it only counts them and need not know which ones are finished.
//
//	upstream:  Start(2) ─────────── UpstreamHasSynced()
//	consumer:            Finished() ─────────────────── Finished() ▶ synced
//
// A tracker that has synced stays synced. All methods may be called from any goroutine. Upstream
// must call Start before the consumer can get the items, and UpstreamHasSynced after the last
// Start. Otherwise the count may be zero for a moment between two items, and the tracker would take
// that for the end.
type SingleFileTracker struct {
	waiting  atomic.Int64 // items started and not finished; never negative
	upstream atomic.Bool  // whether upstream has announced everything

	once   sync.Once
	synced chan struct{} // closed, once, when waiting is 0 and upstream is true
}

// NewSingleFileTracker returns a tracker that waits for upstream and, so far, for no item.
func NewSingleFileTracker() *SingleFileTracker {
	return &SingleFileTracker{synced: make(chan struct{})}
}

// Start announces n more items of the initial list.
func (t *SingleFileTracker) Start(n int) { t.waiting.Add(int64(n)) }

// Finished says that one more item has been processed. It panics if no item was left: then the
// caller counts wrongly, and HasSynced could not be trusted.
func (t *SingleFileTracker) Finished() {
	waiting := t.waiting.Add(-1)
	if waiting < 0 {
		panic("processor: SingleFileTracker.Finished called more often than items were started")
	}
	t.closeIf(waiting == 0 && t.upstream.Load())
}

// UpstreamHasSynced says that no further item of the initial list will be started.
func (t *SingleFileTracker) UpstreamHasSynced() {
	// Set first, count later; Finished counts first and looks later. The later of the two calls
	// sees both.
	t.upstream.Store(true)
	t.closeIf(t.waiting.Load() == 0)
}

// HasSynced reports whether the initial list has been announced and finished.
func (t *SingleFileTracker) HasSynced() bool { return isClosed(t.synced) }

// Synced returns a channel that is closed when HasSynced becomes true.
func (t *SingleFileTracker) Synced() <-chan struct{} { return t.synced }

func (t *SingleFileTracker) closeIf(synced bool) {
	if synced {
		t.once.Do(func() { close(t.synced) })
	}
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}
