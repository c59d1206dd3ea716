package deltafifo

import "example.com/watchglass"

// DeltaType says what happened to an object, as the producer sees it. It does not say what the
// consumer should do: a watch may report an object as Added although it is stored already, for
// instance when a new watch repeats it. The consumer's cache decides whether a delta is an add or
// an update.
type DeltaType string

const (
	// Added is a new object, as the watch reports it.
	Added DeltaType = "Added"
	// Updated is a new state of an object, as the watch reports it.
	Updated DeltaType = "Updated"
	// Deleted is an object that no longer exists. Either the watch reported the deletion, with the
	// last state of the object, or a list did not contain the object. Then the delta's object is a
	// DeletedFinalStateUnknown.
	Deleted DeltaType = "Deleted"
	// Replaced is an object that was in a list. It may be new, changed or the same.
	Replaced DeltaType = "Replaced"
	// Sync is a known object that a resync queues again. Nothing has happened to it.
	Sync DeltaType = "Sync"
)

// Delta is one thing that happened to an object.
type Delta struct {
	Type DeltaType
	// Object is the state after it happened; for Deleted the last state before, or a
	// DeletedFinalStateUnknown.
	Object watchglass.Object
}

// String returns the type and the version of the object: "Updated@17", "Deleted@unknown" for a
// tombstone. It is what stories and logs print.
func (d Delta) String() string {
	switch obj := d.Object.(type) {
	case nil:
		return string(d.Type) + "@none"
	case DeletedFinalStateUnknown:
		return string(d.Type) + "@unknown"
	default:
		return string(d.Type) + "@" + obj.GetResourceVersion()
	}
}

// Deltas is what happened to one object since it was last popped, oldest first. A queue never holds
// or returns Deltas that are empty.
type Deltas []Delta

// Newest returns the last delta, nil if there is none. It points into d.
func (d Deltas) Newest() *Delta {
	if len(d) == 0 {
		return nil
	}
	return &d[len(d)-1]
}
