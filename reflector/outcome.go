package reflector

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// facts describe how a state ended: everything that its outcome can depend on.
type facts struct {
	err      error         // nil: the state has succeeded
	latest   bool          // the state was part of a fetch of the latest state
	stuck    bool          // the last list, asked for at this version, returned it; see stuckAt
	events   int           // received from the stream
	elapsed  time.Duration // since the watch was asked for, or since its initial events; 0 for a list
	progress bool          // the recorded version is newer than the requested one: a higher number
	again    bool          // an earlier streaming list of this series has broken off
}

// shortWatch is the time below which a stream is suspected to be of no use.
const shortWatch = time.Second

// classify returns the outcome of a state, and the error that says why. The order of the cases
// matters: a version that the server has not reached is refused with 504 and Retry-After, as a busy
// server would refuse, but waiting does not help.
func classify(state State, f facts) (Outcome, error) {
	switch {
	case f.err == nil:
		return successes[state], nil
	case isOfStore(f.err): // even if it wraps an error of a server, which the store may have called
		return failed, f.err
	case IsExpired(f.err) && f.stuck && state >= openingWatch:
		return expiredAgain, f.err
	case IsExpired(f.err), IsTooLargeResourceVersion(f.err):
		if f.latest {
			return failed, f.err // there is no other version to ask for
		}
		return expired, f.err
	}
	switch state {
	case openingStream, openingWatch:
		return refusalOf(state, f.err), f.err
	case streaming, watching:
		return endOf(state, f)
	}
	return failed, f.err
}

// successes are the outcomes of states that end without an error. Watching always ends with one.
var successes = [...]Outcome{
	openingStream: opened, streaming: streamed, listing: listed, openingWatch: opened,
}

// refusalOf returns the outcome of a request for a stream that was not granted. With Retry-After
// the server says that it did not process the request. If there is no answer at all, nothing is
// known about the version. In both cases the same request can be sent again: a load balancer
// without a server behind it must not make all clients fetch everything when the server is back.
func refusalOf(state State, err error) Outcome {
	e, ok := errors.AsType[*StatusError](err)
	if isTooManyRequests(err) || ok && e.Code >= 500 && e.RetryAfter > 0 || isLost(err) ||
		errors.Is(err, ErrIdle) && state == openingWatch { // not for a stream: a list may help
		return busy
	}
	return failed
}

// endOf returns the outcome of a stream that is over. A watch that is over within a second is
// trusted only if it ended in an orderly way and brought a newer version: else the next one may end
// like it, and without a pause there could be thousands of them a second. A streaming list that
// breaks off is trusted once.
func endOf(state State, f facts) (Outcome, error) {
	short := f.elapsed < shortWatch
	switch {
	case isTooManyRequests(f.err):
		return busy, f.err
	case state == watching && errors.Is(f.err, ErrIdle):
		return ended, f.err
	case !isLost(f.err):
		return failed, f.err
	case short && f.events == 0:
		return failed, fmt.Errorf("%w: ended after %v without a single event: %w",
			ErrVeryShort, f.elapsed, f.err)
	case state == streaming && f.again:
		return busy, f.err
	case state == watching && short && !(f.progress && f.err == io.EOF):
		return busy, fmt.Errorf("ended after %v: %w", f.elapsed, f.err)
	case f.err == io.EOF: // an orderly end is no error; if a list was incomplete, f.err wraps io.EOF
		return ended, nil
	}
	return ended, f.err
}
