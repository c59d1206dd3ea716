package reflector

import "time"

// Trace is a set of funcs that are told what a [Reflector] does, in the order in which it does it.
// Any of them may be nil, which costs a comparison.
//
// What was read is told before the store gets it. The funcs are called by the goroutine of Run,
// which waits meanwhile; only Resynced, and Failed for a resync that failed, are called by the
// goroutine of the resync timer, possibly at the same time. They must not block.
type Trace struct {
	// Transition says that a state is over: what came of it, and what is next. err is nil where
	// nothing went wrong.
	Transition func(t Transition, err error)
	// BackingOff says that the pause which a transition asked for begins.
	BackingOff func(delay time.Duration)

	// Listing says that a request of a list is about to be sent: once per page.
	Listing func(opts ListOptions)
	// Listed says that a whole list has been read, by LIST or by a streaming list, and that the
	// store gets it now; paged says that it came in pages.
	Listed func(items int, resourceVersion string, paged bool)
	// Compared says that the consistency check of a streaming list is over; see
	// [Options.CheckConsistency]. err is nil where both were the same.
	Compared func(resourceVersion string, err error)

	// Opening says that a request for a watch is about to be sent.
	Opening func(opts ListOptions)
	// Opened says that the server has agreed to it.
	Opened func(opts ListOptions)
	// Event says that an event has been read, bookmarks included, and that the store gets it now.
	Event func(e Event)
	// Skipped says that an event cannot be used.
	Skipped func(err *ObjectError)
	// StoreRefused says that the store returned an error for an event.
	StoreRefused func(err *StoreError)
	// VersionWentBack says that an event was older than the one before it, as far as numbers tell.
	// The reflector goes on with the older version: the server knows best.
	VersionWentBack func(from, to string)
	// Ended says that a watch is over: after how many events and how long, and by which error
	// (io.EOF: by an orderly end). Initial events count; once they are complete, the time begins
	// anew.
	Ended func(events int, elapsed time.Duration, err error)

	// Resynced says that the store has resynced.
	Resynced func(err error)
	// Failed is told every error, whatever comes of it, as is [Options.WatchErrorHandler].
	Failed func(err error)
}
