package informer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// This file is for programs that must not begin before something has been listed: a controller
// waits for its handlers with WaitForSync.

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
}

// WaitForSync waits until all have synced and returns nil. If ctx ends before, or if one of them
// ends without having synced, it returns an error that names all those which have not synced and
// says why it waits no longer:
//
//	not synced: ctl, audit: context deadline exceeded
//
// The error wraps the cause of ctx's end, or [ErrEnded]. WaitForSync does not poll.
func WaitForSync(ctx context.Context, all ...Syncer) error {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	var waiting sync.WaitGroup
	for _, s := range all {
		waiting.Go(func() {
			select {
			case <-s.Synced():
			case <-ctx.Done():
			case <-s.Ended():
				if !isClosed(s.Synced()) {
					giveUp(fmt.Errorf("%s %w", s.Name(), ErrEnded))
				}
			}
		})
	}
	waiting.Wait()
	var missing []string
	for _, s := range all { // look once more: what has synced counts even if ctx has ended
		if !isClosed(s.Synced()) {
			missing = append(missing, s.Name())
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("not synced: %s: %w", strings.Join(missing, ", "), context.Cause(ctx))
}

// Name returns [Options.Name].
func (s *SharedIndexInformer) Name() string { return s.options.Name }

// HasStarted reports whether Run has been called, whether or not it has returned.
func (s *SharedIndexInformer) HasStarted() bool { return s.started.Load() }

// Ended returns a channel that is closed when Run returns or panics. When Run returns, everything
// that it started has ended. The channel stays open for as long as Run is not called.
func (s *SharedIndexInformer) Ended() <-chan struct{} { return s.ended }

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}
