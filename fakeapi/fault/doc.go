// Package fault makes the server fail: faults, the set of those that are armed, and a sink
// that corrupts the frames of a watch.
//
// Smallest use:
//
//	var set fault.Set
//	set.Arm(fault.Fault{Kind: fault.Status, Verb: "list", Code: 429})
//	…
//	if hit := set.Trigger(fault.Target{Verb: "list"}, fault.AtRequest); hit != nil {
//		wire.Fail(w, r, hit.Status())
//	}
//
// # What it promises
//
// Faults take effect in the order in which they were armed, as often as their Count says. While
// none is armed, asking costs one atomic load. Check finds faults that would never take effect.
//
// # What it does not promise
//
// It breaks nothing by itself: connections, requests and waiting are the caller's.
package fault
