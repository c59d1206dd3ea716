// Fails: TestTombstones/an empty list deletes everything, in the order of the keys
// range goes through the map, in a different order each time.

// Package missing is exercise 3.2 of the workshop: a list shows what exists. Who went missing?
package missing

import (
	"maps"
)

// A Tombstone stands for a deletion that was concluded from a list, because the watch did not show
// it.
type Tombstone struct {
	Key  string
	Last string // the last state that is known, such as "web-2@3"
}

// Tombstones returns a tombstone for each object that is queued or known and not in the list,
// sorted by key. A key that is queued and known gets one tombstone, with the queued state, which is
// the newer one.
//
// listed holds the keys of the list. queued holds the newest state of each key that waits in the
// queue, known the state of each key in the cache. Tombstones changes none of the three. (Where a
// deletion waits in the queue already, the tombstone is merged with it: exercise 3.1.)
func Tombstones(listed []string, queued, known map[string]string) []Tombstone {
	// All that is believed to exist. The queue is copied second, so that its states win: they are
	// on their way into the cache, and newer than what is there.
	last := map[string]string{}
	maps.Copy(last, known)
	maps.Copy(last, queued)
	for _, key := range listed {
		delete(last, key)
	}
	// A map has no order, and a program whose output changes from run to run is hard to test.
	var found []Tombstone
	for key := range last {
		found = append(found, Tombstone{key, last[key]})
	}
	return found
}
