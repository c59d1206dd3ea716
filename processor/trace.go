package processor

import "example.com/watchglass"

// Trace is a set of optional funcs that a [SharedProcessor] calls as it works, in the manner of
// net/http/httptrace.
//
// The funcs of the first group run under the processor's lock, in the goroutine that each comment
// names: they must be quick and must not call the processor. Those of the second group run in the
// goroutine of one handler and delay only this handler. For different handlers they run at the same
// time.
type Trace struct {
	// Distributed: a batch was accepted for these handlers: for all or, if isSync, for those that
	// are due for a resync. In the goroutine that gathers or flushes, before any Pending of this
	// batch.
	Distributed func(batch []Notification, isSync bool, listeners []string)
	// Pending: a handler is given a batch, with which depth notifications wait for it; highWater is
	// the most that ever waited. In the goroutine that gathers, flushes or adds the handler, before
	// any Delivering of this batch.
	Pending func(listener string, depth, highWater int)
	// ListenerAdded: a handler was registered, with these initial objects. In the goroutine of
	// AddListener, before anything reaches the handler.
	ListenerAdded func(listener string, initial []watchglass.Object)
	// ListenerRemoved: a handler was removed, by RemoveListener or at the end of Run, in the
	// goroutine of that call. The handler gets nothing newer. Its current call may still be running,
	// and a handler with Drain still gets what waits.
	ListenerRemoved func(listener string)

	// Ring: a batch has come into the ring of a handler or has left it, or all of them have. Now the
	// ring holds so many batches, and has slots for so many. In the goroutine of its pop, which is
	// another one than that of the calls. (Before Run, in the goroutine of Pending or
	// ListenerRemoved, under the processor's lock.)
	Ring func(listener string, batches, slots int)
	// Delivering: a handler is about to be called.
	Delivering func(listener string, n Notification)
	// Delivered: the call has returned, and it was the handler's call number delivered. It is not
	// called if the handler panicked.
	Delivered func(listener string, n Notification, delivered int)
	// Synced: the registration has synced, but the channel that says so is not closed yet. After
	// the last call with an initial object or, if upstream syncs later, in the goroutine of
	// UpstreamSynced, under the processor's lock. (Without initial objects it may be that of
	// AddListener.)
	Synced func(listener string)
	// ListenerEnded: the last call has returned and no other will follow. This many notifications
	// were dropped. (If a handler is removed before Run, it ends in the goroutine that removes it,
	// under the processor's lock.)
	ListenerEnded func(listener string, dropped int)
}
