package deltafifo

import "example.com/watchglass"

// DeltaType says what happened to an object. It tells where the news came from, not what the
// consumer should do: the watch may say Added of an object that the store has long had, for
// instance when a new watch repeats it. Whether something is an add or an update is for the store
// to decide.
type DeltaType string

const (
	// Added is a new object, as the watch reports it.
	Added DeltaType = "Added"
	// Updated is a new state of an object, as the watch reports it.
	Updated DeltaType = "Updated"
	// Deleted is an object that is gone. The watch reported it, with the last state of the object;
	// or a list came back without it, and then the delta's object is a DeletedFinalStateUnknown.
	Deleted DeltaType = "Deleted"
	// Replaced is an object that was in a list. Nobody knows whether it is new, changed or the same.
	Replaced DeltaType = "Replaced"
	// Sync is a known object that a resync brings to mind again. Nothing has happened to it.
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
// or hands out an empty one.
type Deltas []Delta

// Oldest returns the first delta, nil if there is none. It points into d.
func (d Deltas) Oldest() *Delta {
	if len(d) == 0 {
		return nil
	}
	return &d[0]
}

// Newest returns the last delta, nil if there is none. It points into d.
func (d Deltas) Newest() *Delta {
	if len(d) == 0 {
		return nil
	}
	return &d[len(d)-1]
}
