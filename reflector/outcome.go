package reflector

import (
	"errors"
	"io"
	"time"
)

// facts describe how a state ended: everything that its outcome can depend on.
type facts struct {
	err      error         // nil: the state has succeeded
	events   int           // received from the stream
	elapsed  time.Duration // since the watch was asked for, or since its initial events; 0 for a list
	progress bool          // the recorded version is newer than the requested one: a higher number
	stuck    bool          // the last list, asked for at this version, returned it; see [memory]
	forgiven bool          // err is a 500 in a stream, within Options.MaxInternalErrorRetry
}

// shortWatch is the time below which a stream is suspected to be of no use.
const shortWatch = time.Second

// classify returns the outcome of a state. The order of the cases matters: a version that the
// server has not reached is refused with 504 and Retry-After, as a busy server would refuse, but
// waiting does not help.
func classify(state State, f facts) Outcome {
	switch {
	case f.err == nil:
		return success(state)
	case isOfStore(f.err): // even if it wraps an error of a server, which the store may have called
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
		return CutShort // a new watch here too, but after a pause
	case state == Watching && f.forgiven:
		return Internal
	// A refusal with Retry-After means that the server did not process the request, so the same
	// request can be sent again. Inside a stream only "too many requests" means that.
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

// success is the outcome of a state that ended without an error. Watching always ends with one.
func success(state State) Outcome {
	switch state {
	case Listing, ListingLatest:
		return Listed
	case Streaming, StreamingLatest:
		return Streamed
	}
	return Opened
}

// endOf is the outcome of a stream that is over. After a stream that ended within a second without
// a newer version, the next request would be the same. Without a pause there could be hundreds of
// them a second.
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
