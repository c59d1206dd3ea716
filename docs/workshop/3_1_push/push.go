// Package push is exercise 3.1 of the workshop: a queue with one entry for each key.
package push

// A Delta is one thing that happened to an object.
type Delta struct {
	Type  string // Added, Updated or Deleted
	State string // the object, such as "web-1@3"; in a tombstone, the last state that was seen
	// Tombstone says that no event has reported the deletion, so State may be out of date.
	Tombstone bool
}

// A Queue holds, for each key that waits, what happened to its object since the consumer last took
// it.
type Queue struct {
	Keys  []string           // the order in which they will be popped, each once
	Items map[string][]Delta // a key is here if and only if it is in Keys; oldest delta first
}

// Push adds a delta under key. A key that is not queued goes to the end of the queue; one that is
// queued keeps its place.
//
// Two deletions in a row become one. If the older one is a tombstone, the newer one stays (also of
// two tombstones); otherwise the older one stays. Nothing else is ever merged. Items has been made
// already.
func (q *Queue) Push(key string, d Delta) {
	panic("TODO")
}
