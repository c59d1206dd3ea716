package informer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"example.com/watchglass"
)

// This file is for programs that wait: with WaitForSync until something has been listed, and with
// WaitFor until the cache shows a write of their own. Without that, a controller that acts again
// before its last write has arrived decides on an old state, and may create an object twice.

// ErrEnded is wrapped in the error of [WaitForSync] if a [Syncer] has ended without having synced.
var ErrEnded = errors.New("ended before it had synced")

// A Syncer syncs at some time, or ends before that. A [SharedIndexInformer] has synced when its
// cache holds the first list. A [processor.Registration] has synced when its handler has been
// called with the first list.
type Syncer interface {
	// Name says in errors what has not synced.
	Name() string
	// Synced returns a channel that is closed once it has synced.
	Synced() <-chan struct{}
	// Ended returns a channel that is closed when it has ended and can no longer sync.
	Ended() <-chan struct{}
	// Err returns why it has not synced so far; nil if nothing has failed, so that it only needs time.
	Err() error
}

// WaitForSync waits until all have synced and returns nil. If ctx ends before, or if one of them
// ends without having synced, it returns an error that names all those which have not synced, with
// their Err, and says why it waits no longer:
//
//	not synced: pods, ctl: 7 failures, the last: pods: listing: http://…/pods: server says 404
//	NotFound: …: context deadline exceeded
//
// The error wraps each Err and the cause of ctx's end, or [ErrEnded]. WaitForSync does not poll. It
// panics if a Syncer is nil, as the registration is that comes with an error.
func WaitForSync(ctx context.Context, all ...Syncer) error {
	for i, s := range all {
		if watchglass.IsNil(s) {
			panic(fmt.Sprintf("informer: WaitForSync: the Syncer at index %d is nil (%T)", i, s))
		}
	}
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	var waiting sync.WaitGroup
	for _, s := range all {
		synced, ended := s.Synced(), s.Ended() // not in the goroutine: a panic there ends the program
		waiting.Go(func() {
			select {
			case <-synced:
			case <-ctx.Done():
			case <-ended:
				if !isClosed(synced) {
					giveUp(fmt.Errorf("%s %w", s.Name(), ErrEnded))
				}
			}
		})
	}
	waiting.Wait()
	return notSynced(all, context.Cause(ctx))
}

// notSynced looks once more: what has synced counts even if its wait was cut short by the cause. An
// informer and its handlers have the same Err, which is given once.
func notSynced(all []Syncer, cause error) error {
	var names, seen []string
	why := cause
	for _, s := range slices.Backward(all) {
		if isClosed(s.Synced()) {
			continue
		}
		names = append(names, s.Name())
		if err := s.Err(); err != nil && !slices.Contains(seen, err.Error()) {
			seen = append(seen, err.Error())
			why = after(err, why)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Reverse(names)
	return fmt.Errorf("not synced: %s: %w", strings.Join(names, ", "), why)
}

// after returns the error that ended a wait, behind the failure that may be why it took so long.
func after(failure, end error) error {
	if failure == nil {
		return end
	}
	return fmt.Errorf("%w: %w", failure, end)
}

// Name returns [Options.Name].
func (s *SharedIndexInformer) Name() string { return s.options.Name }

// HasStarted reports whether Run has been called, whether or not it has returned.
func (s *SharedIndexInformer) HasStarted() bool { return s.started.Load() }

// Ended returns a channel that is closed when Run returns or panics. When Run returns, everything
// that it started has ended. The channel stays open for as long as Run is not called.
func (s *SharedIndexInformer) Ended() <-chan struct{} { return s.ended }

// WaitFor waits until the cache holds the object under a key at a resourceVersion or a newer one.
// Handlers may not have been called with it yet.
//
//	obj, err := update(…) // the answer holds the version of the write
//	err = pods.WaitFor(ctx, key, obj.ResourceVersion)
//	p, ok := pods.Lister().Get(key) // as written, or newer
//
// If the object is not in the cache, WaitFor also returns when the cache has caught up: everything
// that the server has sent up to the version is in it, and the queue is empty. Then the object was
// deleted since, or the informer's selectors leave it out. Give ctx a deadline: the watch may be
// down, and a version that no write of this object had may never come.
//
// WaitFor cannot wait for a deletion: its answer has no version, and the answer to an update that
// removes the last finalizer has the one before. The next reconcile may still find the object.
//
// WaitFor returns nil when it has found that. Its error wraps the informer's Err and the cause of
// ctx's end, or [watchglass.ErrStopped] if the informer has stopped before; a version that is not a
// number is an error, too: see [watchglass.CompareResourceVersion]. Before Run it waits for Run.
func (s *SharedIndexInformer) WaitFor(ctx context.Context, key, resourceVersion string) error {
	var end error // after it, a last look: what has been reached counts
	for {
		changed := s.changes.next() // before the look: a change after it closes this channel
		shown, err := s.shows(key, resourceVersion)
		if shown {
			return nil
		}
		if err = cmp.Or(err, end); err != nil {
			err = after(s.Err(), err)
			return fmt.Errorf("wait for %s of %s at version %q, everything is queued up to %q: %w",
				key, s.options.Name, resourceVersion, s.LastSyncResourceVersion(), err)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			end = context.Cause(ctx)
		case <-s.ended:
			end = watchglass.ErrStopped
		}
	}
}

// shows reports whether the cache holds a key at a version or a newer one, or not at all although
// it has caught up. The order of the three reads matters: what was queued with the version is in
// the cache when the queue is empty after that, because a key counts until it has been processed.
func (s *SharedIndexInformer) shows(key, version string) (bool, error) {
	queued, err := atLeast(s.LastSyncResourceVersion(), version)
	caughtUp := queued && s.queue.Len() == 0
	held, ok, _ := s.indexer.GetByKey(key) // the error is always nil
	if err != nil || !ok {
		return caughtUp, err
	}
	return atLeast(held.GetResourceVersion(), version)
}

// atLeast is false for the version "" of a reflector that has no list so far.
func atLeast(have, want string) (bool, error) {
	order, err := watchglass.CompareResourceVersion(cmp.Or(have, want), want)
	return err == nil && have != "" && order >= 0, err
}

// changes tells the calls that wait that something has changed. As long as no call waits, a change
// costs one atomic swap.
type changes struct{ waited atomic.Pointer[chan struct{}] }

// next returns a channel that is closed by the next change.
func (c *changes) next() <-chan struct{} {
	next := make(chan struct{})
	for !c.waited.CompareAndSwap(nil, &next) {
		if others := c.waited.Load(); others != nil {
			return *others
		}
	}
	return next
}

func (c *changes) happened() {
	if waited := c.waited.Swap(nil); waited != nil {
		close(*waited)
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
