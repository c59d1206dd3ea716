// Fails: TestProcess/what the cache holds is updated
// The type says Added, so the handler is told of an add.

// Package process is exercise 6.1 of the workshop: from deltas to what a handler is told.
package process

// A Delta is one thing that happened to an object, as the queue hands it out.
type Delta struct {
	Type  string // Added, Updated, Replaced (it was in a list), Sync (a resync) or Deleted
	Key   string
	State string // the object, such as "web-1@3"
}

// A Notification is what a handler is told.
type Notification struct {
	Call     string // OnAdd, OnUpdate or OnDelete
	Old, New string // OnAdd has only New, OnDelete only Old
	// Resync says that nothing has changed: only handlers that asked for a resync are told.
	Resync bool
}

// Cache holds the state of each object under its key.
type Cache map[string]string

// Process brings the deltas of one key into the cache, oldest first, and returns what the handlers
// are told: one notification for each delta, in the same order.
//
// The cache decides whether something is an add or an update, and not the delta's type: an object
// that is in the cache is updated, any other is added. A deletion is told with the state of the
// delta, even if the cache does not hold the object. An update is a resync if old and new are the
// same state.
func (c Cache) Process(deltas []Delta) []Notification {
	var told []Notification
	for _, d := range deltas {
		old, known := c[d.Key]
		switch {
		case d.Type == "Deleted":
			delete(c, d.Key)
			told = append(told, Notification{Call: "OnDelete", Old: d.State})
		case known && d.Type != "Added":
			c[d.Key] = d.State
			told = append(told, Notification{"OnUpdate", old, d.State, old == d.State})
		default:
			c[d.Key] = d.State
			told = append(told, Notification{Call: "OnAdd", New: d.State})
		}
	}
	return told
}
