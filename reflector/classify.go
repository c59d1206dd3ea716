package reflector

import (
	"errors"
	"io"
	"time"
)

// result is what a state has come to, with all that the decision what it means can depend on.
type result struct {
	err     error         // nil: it has done what it was for
	events  int           // that a stream has brought
	elapsed time.Duration // from the request for a stream to its end; 0 for a list
	stuck   bool          // the version is what a list at that version returned; see [memory]
	forgive bool          // an internal error would be within its time
}

// shortWatch is the time below which a watch is suspected to have been of no use.
const shortWatch = time.Second

// classify sorts a result into an outcome. An outcome for which [Table] has no row in that state
// counts as Failed.
//
// The order of the cases is part of the rule. A version from the future is refused with "504, try
// again later", which looks like a busy server and never gets better; a reason of our own for
// ending a stream comes with whatever the connection made of it.
func classify(state State, res result) Outcome {
	err := res.err
	stream := state == Watching || state == Streaming
	switch {
	case err == nil:
		return success(state)
	case errors.Is(err, ErrIdle):
		return Idle
	case errors.Is(err, ErrNoInitialEventsEnd):
		return Unfinished
	case IsExpired(err) && res.stuck:
		return ExpiredAgain
	case IsExpired(err):
		return Expired
	case IsTooLargeResourceVersion(err):
		return TooLarge
	case stream && isInternal(err) && res.forgive:
		return Internal
	// A refusal with Retry-After says that the request was not looked at, so it can be repeated. In
	// the middle of a stream it may mean anything, but for "too many requests".
	case stream && isTooManyRequests(err), !stream && isBusy(err):
		return Busy
	case stream && isLost(err):
		return endOf(res)
	}
	return Failed
}

// success is what it means that a state has done what it was for. Watching never has.
func success(state State) Outcome {
	switch state {
	case Listing, ListingLatest:
		return Listed
	case Streaming:
		return Streamed
	}
	return Opened
}

// endOf decides whether a stream that is over was worth asking for.
func endOf(res result) Outcome {
	short := res.elapsed < shortWatch
	switch {
	case short && res.events == 0:
		return VeryShort
	case short && !errors.Is(res.err, io.EOF):
		return CutShort
	}
	return Ended
}

// isTooManyRequests reports whether the server is there, but wants less of us.
func isTooManyRequests(err error) bool {
	e, ok := errors.AsType[*StatusError](err)
	return ok && e.Code == 429
}

// isLost reports whether err is about the connection: it is gone, in whatever way, and a new one
// can go on where it ended. Everything else is about what came over it.
func isLost(err error) bool {
	_, refused := errors.AsType[*StatusError](err)
	_, garbage := errors.AsType[*DecodeError](err)
	_, tooLarge := errors.AsType[*TooLargeError](err)
	_, store := errors.AsType[*StoreError](err)
	_, resync := errors.AsType[*ResyncError](err)
	return !refused && !garbage && !tooLarge && !store && !resync
}
