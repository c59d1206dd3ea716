package reflector

import "time"

// Trace is a set of functions that a [Reflector] calls as it works, each of which may be nil. They
// are for whoever wants to watch: stories, the tour, a gauge. Nothing depends on them.
//
// They are called in the order in which things happen, from the goroutine of Run, which waits
// meanwhile; only Resynced, and Failed for a resync that failed, come from the goroutine of the
// resync timer, possibly at the same time. They must not block.
type Trace struct {
	// Transition is called when a step of the machine is over: what came of it, and what is next.
	// err is nil where nothing went wrong.
	Transition func(t Transition, err error)
	// BackingOff is called before the pause that a transition asked for.
	BackingOff func(delay time.Duration)

	// Listing is called before each request of a list, so once per page.
	Listing func(opts ListOptions)
	// Listed is called when the store has taken in a whole list; paged says that it came in pages.
	Listed func(items int, resourceVersion string, paged bool)

	// Opening is called before each request of a watch.
	Opening func(opts ListOptions)
	// Opened is called when the server has agreed to it.
	Opened func(opts ListOptions)
	// Event is called for each event, bookmarks included, before the store gets it.
	Event func(e Event)
	// Skipped is called for an event that cannot be used.
	Skipped func(err *ObjectError)
	// StoreRefused is called when the store returned an error for an event, which is lost with it.
	StoreRefused func(err *StoreError)
	// VersionWentBack is called when an event is older than the one before it, as far as numbers
	// tell. The reflector goes on with the older version: the server knows best.
	VersionWentBack func(from, to string)
	// Ended is called when a watch is over: after how many events and how long, and by which error
	// (io.EOF: by an orderly end).
	Ended func(events int, elapsed time.Duration, err error)

	// Resynced is called after each Resync of the store.
	Resynced func(err error)
	// Failed is called for every error, whatever comes of it, as is [Options.WatchErrorHandler].
	Failed func(err error)
}

// The methods below spare the callers the two questions: is there a trace, and does it want this?

func (t *Trace) transition(tr Transition, err error) {
	if t != nil && t.Transition != nil {
		t.Transition(tr, err)
	}
}

func (t *Trace) backingOff(delay time.Duration) {
	if t != nil && t.BackingOff != nil {
		t.BackingOff(delay)
	}
}

func (t *Trace) listing(opts ListOptions) {
	if t != nil && t.Listing != nil {
		t.Listing(opts)
	}
}

func (t *Trace) listed(items int, resourceVersion string, paged bool) {
	if t != nil && t.Listed != nil {
		t.Listed(items, resourceVersion, paged)
	}
}

func (t *Trace) opening(opts ListOptions) {
	if t != nil && t.Opening != nil {
		t.Opening(opts)
	}
}

func (t *Trace) opened(opts ListOptions) {
	if t != nil && t.Opened != nil {
		t.Opened(opts)
	}
}

func (t *Trace) event(e Event) {
	if t != nil && t.Event != nil {
		t.Event(e)
	}
}

func (t *Trace) skipped(err *ObjectError) {
	if t != nil && t.Skipped != nil {
		t.Skipped(err)
	}
}

func (t *Trace) storeRefused(err *StoreError) {
	if t != nil && t.StoreRefused != nil {
		t.StoreRefused(err)
	}
}

func (t *Trace) versionWentBack(from, to string) {
	if t != nil && t.VersionWentBack != nil {
		t.VersionWentBack(from, to)
	}
}

func (t *Trace) ended(events int, elapsed time.Duration, err error) {
	if t != nil && t.Ended != nil {
		t.Ended(events, elapsed, err)
	}
}

func (t *Trace) resynced(err error) {
	if t != nil && t.Resynced != nil {
		t.Resynced(err)
	}
}

func (t *Trace) failed(err error) {
	if t != nil && t.Failed != nil {
		t.Failed(err)
	}
}
