package reflector

import "time"

// Trace is a set of funcs that a [Reflector] calls at each of its steps, in their order. Any of
// them may be nil. [New] copies it.
//
// Listed and Event are called before the store gets what was read. The funcs are called by the
// goroutine of Run, which waits meanwhile; only Failed for a resync that failed is called by the
// goroutine of the resync timer, possibly at the same time. They must not block.
type Trace struct {
	// Transition says that a state is over: with which outcome, and what is next. err says why; it
	// is nil if nothing went wrong.
	Transition func(t Transition, err error)
	// BackingOff says that the pause which a transition asked for begins.
	BackingOff func(delay time.Duration)

	// Listing says that a request of a list is about to be sent: once per page.
	Listing func(opts ListOptions)
	// Listed says that a whole list has been read, by LIST or by a streaming list, and that the
	// store gets it now; paged says that it came in pages.
	Listed func(items int, resourceVersion string, paged bool)

	// Opening says that a request for a watch is about to be sent.
	Opening func(opts ListOptions)
	// Opened says that the server has granted the watch.
	Opened func(opts ListOptions)
	// Event says that an event has been read, bookmarks included, and that the store gets it now.
	Event func(e Event)
	// Recorded says that the store has been given everything up to this version: after a list, an
	// event or a bookmark, even if it is the version of before.
	Recorded func(resourceVersion string)
	// VersionWentBack says that an event or a list was older than what came before it, if both
	// versions are numbers. The reflector records the older version: the server's word decides.
	VersionWentBack func(from, to string)
	// Ended says that a watch is over: after how many events, how long it lasted, and by which
	// error (io.EOF: in an orderly way). Initial events are counted, but elapsed begins when they
	// are complete.
	Ended func(events int, elapsed time.Duration, err error)

	// Failed is called with every error, before [Config.WatchErrorHandler].
	Failed func(err error)
}
