package informer

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
)

// This file is for programs that read their own writes: after a write, WaitForVersion waits until
// the cache shows it. Without it a controller that acts again before its last write has arrived
// decides on an old state, and creates a thing twice, say.

// WaitForVersion waits until the cache has reached a resourceVersion: everything up to it that the
// server tells of this collection is in the cache. Handlers may not have been told yet.
//
//	obj, err := update(…) // the answer holds the version of the write
//	err = pods.WaitForVersion(ctx, obj.ResourceVersion)
//	p, ok := pods.Lister().Get(key) // as written, or newer
//
// The version must come from the same server, and should come from the same collection: one of
// another collection may not be reached before the next bookmark, about a minute later. Versions
// are compared as [watchglass.CompareResourceVersion] does. One that is not a number is an error,
// whether the caller or the server says it. If the server goes back to older versions, as after its
// database was restored, that counts as not reached.
//
// WaitForVersion returns nil, the cause of ctx's end, or [ErrStopped] when the informer stops
// before the version was reached. Before Run it waits for Run. It may also wait for what else is
// queued at the moment of the call; if nothing is, it returns at once.
func (s *SharedIndexInformer) WaitForVersion(ctx context.Context, resourceVersion string) error {
	_, err := watchglass.CompareResourceVersion(resourceVersion, resourceVersion)
	if err != nil {
		return fmt.Errorf("wait for a version: %w", err)
	}
	w := s.versions.join(resourceVersion)
	defer s.versions.leave(w)
	s.versions.queued(s.LastSyncResourceVersion()) // which may be new enough already
	select {
	case err = <-w.result:
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-s.ended:
		err = ErrStopped
	}
	select {
	case err = <-w.result: // what was reached counts, though something has ended as well
	default:
	}
	if err != nil {
		return fmt.Errorf("wait until %s are at version %s, now at %q: %w",
			s.options.Name, resourceVersion, s.LastSyncResourceVersion(), err)
	}
	return nil
}

// versionWaits are the calls that wait for a version. A version passes two points on its way, and a
// call waits for one after the other:
//
//	reflector ──▶ queue ──▶ process loop ──▶ cache
//	          queued()            popped()
//
// When the version is queued, everything up to it is in the queue or has left it. The queue is
// first in, first out, key by key. So the cache has reached the version when as many keys have been
// popped as are in the queue at that moment, or when the queue is empty.
//
// As long as no call waits, both points cost one atomic load.
type versionWaits struct {
	queue interface{ Len() int } // counts a key until it has been processed
	batch int                    // at most so many leave the queue at a time

	// waiting is the number of waits. It is raised before the wait looks at the last version that
	// the reflector has recorded, and the reflector records a version before it calls queued. So
	// either the wait sees the version, or queued sees the wait.
	waiting atomic.Int64

	mu     sync.Mutex
	waits  []*versionWait // guarded by mu
	counts int            // how many keys were popped while there was a wait; guarded by mu
}

// A versionWait is one call that waits. Its fields but result are guarded by the mutex.
type versionWait struct {
	version string
	// until is the count at which the keys that were queued with the version have been processed;
	// -1 before the version is queued.
	until  int
	result chan error // with room for one
}

// join begins a wait for a version, which is a number.
func (v *versionWaits) join(version string) *versionWait {
	w := &versionWait{version: version, until: -1, result: make(chan error, 1)}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waits = append(v.waits, w)
	v.waiting.Add(1)
	return w
}

// leave ends a wait, which may have ended already.
func (v *versionWaits) leave(w *versionWait) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if at := slices.Index(v.waits, w); at >= 0 {
		v.end(at, nil)
	}
}

// end is called with mu held.
func (v *versionWaits) end(at int, err error) {
	v.waits[at].result <- err
	v.waits = slices.Delete(v.waits, at, at+1)
	v.waiting.Add(-1)
}

// queued is called when everything up to a version is in the queue or has left it. Version "" is
// that of a reflector without a list so far.
//
// A key that has left the queue may not have been counted by popped yet. It would then be counted
// in the place of one that is still queued. So until is a batch too many: one key of a DeltaFIFO.
// If no further keys come to make up for that, the queue becomes empty, which is noticed too.
func (v *versionWaits) queued(version string) {
	if v.waiting.Load() == 0 || version == "" {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	n := v.queue.Len()
	for i := len(v.waits) - 1; i >= 0; i-- {
		w := v.waits[i]
		switch order, err := watchglass.CompareResourceVersion(version, w.version); {
		case err != nil:
			v.end(i, fmt.Errorf("the server's %w", err))
		case w.until >= 0 || order < 0:
		case n == 0:
			v.end(i, nil)
		default:
			w.until = v.counts + n + v.batch
		}
	}
}

// popped is called by the process loop after n keys have been processed and have left the queue.
func (v *versionWaits) popped(n int) {
	if v.waiting.Load() == 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.counts += n
	empty := v.queue.Len() == 0
	for i := len(v.waits) - 1; i >= 0; i-- {
		if w := v.waits[i]; w.until >= 0 && (empty || w.until <= v.counts) {
			v.end(i, nil)
		}
	}
}

// versionedStore is the queue for a reflector, which tells it of versions.
type versionedStore struct {
	reflector.Store
	versions *versionWaits
}

// UpdateResourceVersion implements [reflector.ResourceVersionUpdater]. A RealFIFO wants to be told,
// too, and queues the version, so it comes first.
func (s versionedStore) UpdateResourceVersion(version string) {
	if queue, ok := s.Store.(reflector.ResourceVersionUpdater); ok {
		queue.UpdateResourceVersion(version)
	}
	s.versions.queued(version)
}
