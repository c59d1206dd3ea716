// Fails: TestSince/a client gets what came after its version
// slices.DeleteFunc is one line. It deletes in the array that the server keeps.

// Package since is exercise 1.1 of the workshop: what a watch from version N is sent.
package since

import (
	"errors"
	"slices"
)

// An Event is one change of a collection. Its version is the resourceVersion that the change made.
type Event struct {
	Version int
	What    string // for example "web-1 ADDED"
}

// ErrExpired is the answer to a client whose version is too old: status 410. It has to list.
var ErrExpired = errors.New("410 Expired: too old resource version")

// Since returns the events to send to a client that has seen everything up to version n, and asks
// for a watch from there: those after n, in their order. There may be none.
//
// history holds the events that the server remembers, oldest first; their versions grow, but not by
// one each time, because other collections make versions, too. It has forgotten all events up to
// and including version compacted. If it can't know that it has all events after n, the error is
// ErrExpired. Since does not change history, because other clients are served from it, too.
func Since(history []Event, compacted, n int) ([]Event, error) {
	// At n == compacted nothing is missing: what was forgotten, the client has seen.
	if n < compacted {
		return nil, ErrExpired
	}
	return slices.DeleteFunc(history, func(e Event) bool { return e.Version <= n }), nil
}
