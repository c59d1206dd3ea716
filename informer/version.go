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
// the cache shows it. Without it, a controller that acts again before its last write has arrived
// decides on an old state, and may for example create an object twice.

// WaitForVersion waits until the cache has reached a resourceVersion: everything up to it that the
// server sends for this collection is in the cache. Handlers may not have been called yet.
//
//	obj, err := update(…) // the answer holds the version of the write
//	err = pods.WaitForVersion(ctx, obj.ResourceVersion)
//	p, ok := pods.Lister().Get(key) // as written, or newer
//
// The version must come from the same server, and should come from the same collection: the version
// of a write to another collection may be reached only with the next bookmark, about a minute
// later. Versions are compared as [watchglass.CompareResourceVersion] does. A version that is not a
// number is an error, from the caller or from the server. If the server goes back to older
// versions, as after its database was restored, that counts as not reached.
//
// WaitForVersion returns nil when the version is reached. Its error wraps the cause of ctx's end,
// or [ErrStopped] if the informer has stopped before. Before Run it waits for Run. It may also wait
// for other keys that are queued when it is called. If the version is reached and nothing is
// queued, it returns immediately.
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
	case err = <-w.result: // a version that was reached counts, even if something has ended as well
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

// queued is called when everything up to a version is in the queue or has left it. The version is
// "" if the reflector has no list so far.
//
// A key may have left the queue without having been counted by popped yet. Its count must not take
// the place of a key that is still queued, so until has a batch in addition: one key with a
// DeltaFIFO. If no further keys come, the count does not reach until, but the queue becomes empty,
// and that ends the wait, too.
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

// versionedStore is the store of the reflector: the queue, and the waits, which need the versions.
type versionedStore struct {
	reflector.Store
	versions *versionWaits
}

// UpdateResourceVersion is called by the reflector with each version that it has recorded. A
// RealFIFO has this method, too, and queues the version, so it is called first.
func (s versionedStore) UpdateResourceVersion(version string) {
	if queue, ok := s.Store.(reflector.ResourceVersionUpdater); ok {
		queue.UpdateResourceVersion(version)
	}
	s.versions.queued(version)
}
