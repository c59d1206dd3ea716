// Package desk bounds the memory of requests that compute at the same time.
//
// Smallest use:
//
//	var d = desk.New(128 << 20)
//	leave, err := d.Enter(ctx, object.Weight(body)) // waits until there is room
//	if err != nil {
//		return err // ctx is done
//	}
//	defer leave()
//	tree, err := object.DecodeTree(body)
//
// A decoded document may take seventy times the memory of its bytes, so that a few requests
// with bodies of a few megabytes could take all memory of the machine. A request says what it
// is about to take, and waits for its turn.
//
// # What it promises
//
// The weights of those at the desk are never together above its room, where a weight of more
// than three quarters of the room counts as three quarters.
//
// Requests enter in the order in which they came, in one of two lines: small ones (a 64th of
// the room at most) have a quarter of the room for themselves, and never wait for a large one.
// Large ones have the rest; one that is larger than that is alone in it.
//
// A request whose context is done gives its place back.
//
// While a request of 64 MiB or more is at any desk of the process, the heap may grow by less
// garbage than usual (debug.SetGCPercent).
//
// # What it does not promise
//
// It measures nothing: a wrong weight is a wrong bound. A request must not wait for anything
// but the processor while it is at the desk, above all not for a place at the same desk, for a
// client, or for a lock whose holder may be waiting for the desk. Then nothing can deadlock:
// those at the desk always finish. The room for the bodies of requests is a second
// desk, which a request enters first.
package desk
