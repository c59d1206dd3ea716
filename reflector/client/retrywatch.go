package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/cluster"
)

// A Watcher opens watches. A [Client] is one.
type Watcher interface {
	Watch(ctx context.Context, opts reflector.ListOptions) (reflector.Watch, error)
}

const (
	// restartPause is the least time between the starts of two watches: a server that ends each
	// watch immediately is asked once a second.
	restartPause = time.Second
	// watchTimeout is how long, at least, the server is asked to let a watch last. As in the
	// reflector, the actual time is random between it and its double.
	watchTimeout = 5 * time.Minute
	// watchGrace is how much longer the client waits for the end of a watch. If it passes, the
	// connection is dead.
	watchGrace = 30 * time.Second
)

// RetryWatch returns the events that follow a version, across reconnects. It is for programs that
// need the next change of an object that they know already: wait until this Pod is ready, follow
// this Job to its end. After a list:
//
//	for event, err := range client.RetryWatch(ctx, pods, list.ResourceVersion) {
//		if err != nil {
//			return err // events may be missing from here on: list again
//		}
//		…
//	}
//
// The loop body gets each event once, in the order of the server. A lost connection, the end of a
// stream, and a refusal that may pass (408, 429 and all 5xx) lead to the next watch, from the
// version of the last event that the loop body has seen. It starts at least a second after the one
// before, or later if the server asks for that. Bookmarks only move the version.
//
// A server that answers each watch from a version that is too old with 200 and nothing, instead of
// 410, keeps the loop asking, once a second, for as long as ctx lasts: its answers are those of a
// collection in which nothing happens. A program that cannot wait that long gives ctx a deadline,
// and lists again after it.
//
// The loop ends after its first error, or without an error when ctx has ended. An error means that
// events may be missing: the version is too old (410, in answer to the request or in the stream),
// the server refuses the client, the client's token or certificate cannot be read, or the server
// sent something that cannot be used. resourceVersion must be that of a list or an object; "" and
// "0" would begin with events of unknown order.
//
// The next event is taken from the watch when the loop body has returned. When the body leaves the
// loop, the watch is closed.
//
// It is no replacement for a reflector, because a watch from a version says what changed and not
// what is there. When the server compacts that version, only another list can show what was created
// and changed in the meantime, and only a comparison with what was known before finds the
// deletions. The reflector lists, and the queue compares. A program that asks "what is there now?"
// needs a cache.
//
// In client-go this is a RetryWatcher. After a 410 in answer to the request, that one tries again
// forever, and gets a 410 each time. In Watchglass the 410 ends the loop.
func RetryWatch(
	ctx context.Context, w Watcher, resourceVersion string,
) iter.Seq2[reflector.Event, error] {
	return func(yield func(reflector.Event, error) bool) {
		if resourceVersion == "" || resourceVersion == "0" {
			yield(reflector.Event{}, fmt.Errorf("watch from resourceVersion %q: want the version "+
				"of a list or of an object", resourceVersion))
			return
		}
		r := retryWatch{watcher: w, version: resourceVersion, yield: yield}
		for ctx.Err() == nil {
			next := time.Now().Add(restartPause)
			err := r.once(ctx)
			switch {
			case r.left:
				return
			case final(err):
				yield(reflector.Event{}, err)
				return
			}
			if asked := time.Now().Add(reflector.SuggestsClientDelay(err)); asked.After(next) {
				next = asked
			}
			sleepUntil(ctx, next)
		}
	}
}

// A retryWatch is the state of one loop over [RetryWatch].
type retryWatch struct {
	watcher Watcher
	version string // of the last event that the loop body has seen, or of a bookmark after it
	yield   func(reflector.Event, error) bool
	left    bool // the loop body has left the loop
}

// once opens a watch and passes its events on until it ends. It returns the reason.
func (r *retryWatch) once(ctx context.Context) error {
	timeout := watchTimeout + rand.N(watchTimeout)
	ctx, cancel := context.WithTimeout(ctx, timeout+watchGrace)
	defer cancel()
	watch, err := r.watcher.Watch(ctx, reflector.ListOptions{
		ResourceVersion:     r.version,
		AllowWatchBookmarks: true,
		TimeoutSeconds:      int64(timeout / time.Second),
	})
	if err == nil && watchglass.IsNil(watch) {
		err = &reflector.DecodeError{What: "watch", Err: errors.New("the Watcher returned nil")}
	}
	if err != nil {
		return err
	}
	defer watch.Close()
	for {
		event, err := watch.Next()
		unusable, _ := event.Object.(*watchglass.Unusable)
		switch {
		case err != nil:
			return err
		case unusable != nil:
			return &reflector.ObjectError{Type: event.Type, Err: unusable}
		case event.ResourceVersion == "": // the next watch could not begin after it
			return &reflector.ObjectError{Type: event.Type,
				Err: errors.New("its object has no metadata.resourceVersion")}
		}
		if event.Type != reflector.Bookmark && !r.yield(event, nil) {
			r.left = true
			return nil
		}
		r.version = event.ResourceVersion
	}
}

// final reports whether err ends the loop: another watch from the same version would end in the
// same way, or events would be missing.
func final(err error) bool {
	if refused, ok := errors.AsType[*reflector.StatusError](err); ok {
		code := refused.Code // 0 in an ERROR event that gives none
		passes := code == 0 || code == http.StatusRequestTimeout ||
			code == http.StatusTooManyRequests || code >= 500
		return reflector.IsExpired(err) || !passes
	}
	_, garbage := errors.AsType[*reflector.DecodeError](err)
	_, unusable := errors.AsType[*reflector.ObjectError](err)
	_, tooLarge := errors.AsType[*reflector.TooLargeError](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, local := errors.AsType[*cluster.CredentialsError](err)
	return garbage || unusable || tooLarge || untrusted || local
}

// sleepUntil waits until the time at, or until ctx ends.
func sleepUntil(ctx context.Context, at time.Time) {
	select {
	case <-time.After(time.Until(at)):
	case <-ctx.Done():
	}
}
