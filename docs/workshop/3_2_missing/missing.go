// Package missing is exercise 3.2 of the workshop: a list shows what exists. Who went missing?
package missing

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
	panic("TODO")
}
