package informer

import (
	"fmt"

	"example.com/watchglass/deltafifo"
	"example.com/watchglass/reflector"
)

// Queue is the queue between the reflector, which fills it as its store, and the process loop,
// which empties it. A deltafifo.DeltaFIFO is one, a deltafifo.RealFIFO another.
//
// If a queue also has a method PopBatch(deltafifo.PopProcessFunc) error, the process loop calls
// that instead of Pop, so that many deltas can be processed in one go.
type Queue interface {
	reflector.Store
	// Pop waits for what comes first and calls process with it. It returns deltafifo.ErrClosed when
	// the queue is closed and empty. Any other error is reported like the errors of process, and Pop
	// is called again.
	Pop(process deltafifo.PopProcessFunc) (deltafifo.Deltas, error)
	// Len returns how much is queued. It takes no lock: process may call it.
	Len() int
	// Synced returns a channel that is closed when all of the first list has been processed.
	Synced() <-chan struct{}
	// Close makes a Pop that waits return.
	Close()
}

// QueueKind chooses the queue of an informer.
type QueueKind int

const (
	// DeltaFIFO is the queue of keys that client-go's informers had before Kubernetes 1.33.
	DeltaFIFO QueueKind = iota
	// RealFIFO is the ordered queue that they have had since; see [deltafifo.RealFIFO].
	// With it, the notifications of different objects come in the order in which the server sent the
	// events. A list reaches the cache in one step: a handler that is called with one of its objects
	// finds all of them there. And the cache always holds the state at one version.
	RealFIFO
)

// String returns the name of the constant.
func (k QueueKind) String() string {
	if k != DeltaFIFO && k != RealFIFO {
		return fmt.Sprintf("QueueKind(%d)", int(k))
	}
	return [...]string{"DeltaFIFO", "RealFIFO"}[k]
}

// newQueue returns the queue that the options choose, wrapped as they say, and the func that
// applies its deltas to the cache. It panics if WrapQueue returns nil.
func newQueue(o Options, c *cache) (queue Queue, process deltafifo.PopProcessFunc) {
	if o.Queue == RealFIFO {
		process = c.processBatch
		queue = deltafifo.NewRealFIFO(deltafifo.RealFIFOOptions{
			Transform: o.Transform,
			Trace:     o.Trace.Queue,
		})
	} else {
		process = c.processDeltas
		queue = deltafifo.New(deltafifo.Options{
			KnownObjects: c.indexer,
			Transform:    o.Transform,
			Trace:        o.Trace.Queue,
		})
	}
	if o.WrapQueue != nil {
		queue = o.WrapQueue(queue)
	}
	if queue == nil {
		panic("informer: Options.WrapQueue returned nil")
	}
	return queue, process
}

// versionedStore is the store of the reflector: the queue, and the calls that wait for a version
// after which nothing more is processed, as that of a bookmark.
type versionedStore struct {
	reflector.Store
	changes *changes
}

// UpdateResourceVersion is called by the reflector with each version that it has recorded. A
// RealFIFO has this method, too, and queues the version.
func (s versionedStore) UpdateResourceVersion(version string) {
	if queue, ok := s.Store.(reflector.ResourceVersionUpdater); ok {
		queue.UpdateResourceVersion(version)
	}
	s.changes.happened()
}
