package reflector

import (
	"errors"
	"io"
	"time"
)

// facts are what a state has come to, with all that its outcome can depend on.
type facts struct {
	err      error         // nil: the state has done what it was for
	events   int           // that a stream has brought
	elapsed  time.Duration // of a stream; what a list takes does not count
	progress bool          // the recorded version is newer than the requested one: a higher number
	stuck    bool          // a list at the recorded version returned that version; see [memory]
	forgiven bool          // it is an in-stream internal error, and still within its time
}

// shortWatch is the time below which a stream is suspected to be of no use.
const shortWatch = time.Second

// classify decides what the facts mean. The order of the cases matters: a version from the future
// is refused with "504, try again later", which looks like a busy server but never gets better.
func classify(state State, f facts) Outcome {
	switch {
	case f.err == nil:
		return success(state)
	case isOfStore(f.err): // whatever it wraps: a store may ask servers of its own
		return Failed
	case IsExpired(f.err) && f.stuck && (state == OpeningWatch || state == Watching):
		return ExpiredAgain
	case IsExpired(f.err):
		return Expired
	case IsTooLargeResourceVersion(f.err):
		return TooLarge
	case state == Listing || state == ListingLatest:
		return Failed
	case errors.Is(f.err, ErrIdle):
		return Idle
	case errors.Is(f.err, ErrNoInitialEventsEnd) && fetches(state):
		return Unfinished
	case state == Watching && f.forgiven && f.elapsed < shortWatch && !f.progress:
		return CutShort // forgiven too: a new watch, but after a pause
	case state == Watching && f.forgiven:
		return Internal
	// A refusal with Retry-After says that the server did not look at the request, so the same
	// request can be sent again. In the middle of a stream only "too many requests" says that.
	case opens(state) && isBusy(f.err), reads(state) && IsTooManyRequests(f.err):
		return Busy
	case reads(state) && isLost(f.err):
		return endOf(f)
	}
	return Failed
}

// opens reports whether a state is the request for a stream.
func opens(s State) bool {
	return s == OpeningWatch || s == OpeningStream || s == OpeningLatestStream
}

// reads reports whether a state is the reading of a stream.
func reads(s State) bool { return s == Watching || s == Streaming || s == StreamingLatest }

// fetches reports whether a state is part of fetching the collection by a streaming list.
func fetches(s State) bool {
	return s == OpeningStream || s == OpeningLatestStream || s == Streaming || s == StreamingLatest
}

// success is the outcome of a state that has done what it was for. Watching never has.
func success(state State) Outcome {
	switch state {
	case Listing, ListingLatest:
		return Listed
	case Streaming, StreamingLatest:
		return Streamed
	}
	return Opened
}

// endOf decides whether a stream that is over was worth asking for. One that ends within a second
// and leaves the version where it was would be asked for again, as it was, hundreds of times a
// second.
func endOf(f facts) Outcome {
	short := f.elapsed < shortWatch
	switch {
	case short && f.events == 0:
		return VeryShort
	case short && (!f.progress || !errors.Is(f.err, io.EOF)):
		return CutShort
	}
	return Ended
}
