package reflector

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestClassify(t *testing.T) {
	refused := fmt.Errorf("dial: %w", syscall.ECONNREFUSED)
	reset := fmt.Errorf("read: %w", syscall.ECONNRESET)
	expired := &StatusError{Code: 410, Reason: "Expired"}
	tooMany := &StatusError{Code: 429, RetryAfter: time.Second}
	internal := &StatusError{Code: 500, Reason: "InternalError"}
	unavailable := &StatusError{Code: 503, RetryAfter: time.Second}
	tooLarge := &StatusError{Code: 504, Reason: "Timeout", RetryAfter: time.Second,
		Details: StatusDetails{Causes: []StatusCause{{Reason: "ResourceVersionTooLarge"}}}}
	halfFrame := &DecodeError{What: "watch event", Err: io.ErrUnexpectedEOF}

	for _, c := range []struct {
		says  string
		state State
		f     facts
		want  Outcome
	}{
		{"a list without an error", Listing, facts{}, Listed},
		{"a list of the latest state without an error", Listing, facts{latest: true}, Listed},
		{"a watch that is granted", OpeningWatch, facts{}, Opened},
		{"a stream that is granted", OpeningStream, facts{}, Opened},
		{"initial events that are complete", Streaming, facts{}, Streamed},

		{"410 of a list", Listing, facts{err: expired}, Expired},
		{"410 without a reason, as an HTTP response may be", Listing,
			facts{err: &StatusError{Code: 410}}, Expired},
		{"the reason without a code, as an ERROR event may be", Watching,
			facts{err: &StatusError{Reason: "Gone"}}, Expired},
		{"410 of a watch", OpeningWatch, facts{err: expired}, Expired},
		{"410 in a stream", Watching, facts{err: expired}, Expired},
		{"410 after a list at that version has returned that version", Watching,
			facts{err: expired, stuck: true}, ExpiredAgain},
		{"504 with its cause, even with Retry-After", Listing, facts{err: tooLarge}, Expired},
		{"504 is not a busy server", OpeningStream, facts{err: tooLarge}, Expired},
		{"504 in a streaming list", Streaming, facts{err: tooLarge}, Expired},

		{"nothing listens", OpeningWatch, facts{err: refused}, Busy},
		{"429 of a watch", OpeningWatch, facts{err: tooMany}, Busy},
		{"429 of a stream", OpeningStream, facts{err: tooMany}, Busy},
		{"429 in a stream", Watching, facts{err: tooMany}, Busy},
		{"503 with Retry-After of a watch", OpeningWatch, facts{err: unavailable}, Busy},
		{"500 with Retry-After of a watch", OpeningWatch,
			facts{err: &StatusError{Code: 500, RetryAfter: 1}}, Busy},
		{"499 with Retry-After of a watch", OpeningWatch,
			facts{err: &StatusError{Code: 499, RetryAfter: 1}}, Failed},
		{"503 without Retry-After of a watch", OpeningWatch,
			facts{err: &StatusError{Code: 503}}, Failed},
		{"503 in a stream, even with Retry-After", Watching, facts{err: unavailable}, Failed},
		{"403", OpeningWatch, facts{err: &StatusError{Code: 403}}, Failed},

		{"500 in a stream", Watching, facts{err: internal}, Failed},
		{"500 that is forgiven in a stream that lasted a second", Watching,
			facts{err: internal, forgiven: true, elapsed: time.Second}, Ended},
		{"500 that is forgiven in a stream that brought a newer version", Watching,
			facts{err: internal, forgiven: true, events: 1, progress: true}, Ended},
		{"500 that is forgiven within a second and without a newer version", Watching,
			facts{err: internal, forgiven: true, elapsed: 999 * time.Millisecond}, Busy},
		{"500 of a watch", OpeningWatch, facts{err: internal, forgiven: true}, Failed},

		{"an orderly end after a second", Watching, facts{err: io.EOF, elapsed: time.Second},
			Ended},
		{"an orderly end within a second, after a newer version", Watching,
			facts{err: io.EOF, events: 1, progress: true}, Ended},
		{"an orderly end within a second, after events but no newer version", Watching,
			facts{err: io.EOF, events: 1}, Busy},
		{"an orderly end after a second without a newer version", Watching,
			facts{err: io.EOF, events: 1, elapsed: time.Second}, Ended},
		{"an orderly end within a second and without an event", Watching,
			facts{err: io.EOF, elapsed: 999 * time.Millisecond}, Failed},
		{"a reset after a second", Watching, facts{err: reset, elapsed: time.Second}, Ended},
		{"a reset within a second, after a newer version", Watching,
			facts{err: reset, events: 1, progress: true}, Busy},
		{"half a frame within a second, after an event", Watching,
			facts{err: io.ErrUnexpectedEOF, events: 1}, Busy},
		{"a reset within a second and without an event", Watching, facts{err: reset}, Failed},
		{"an orderly end before the initial events are complete", Streaming,
			facts{err: fmt.Errorf("early: %w", io.EOF), events: 1, elapsed: time.Second}, Ended},
		{"a closed connection", Watching, facts{err: net.ErrClosed, elapsed: time.Hour}, Ended},
		{"a frame that cannot be decoded, even if the error wraps an end of the connection", Watching,
			facts{err: halfFrame, events: 1, elapsed: time.Hour}, Failed},
		{"a frame too large", Watching, facts{err: &TooLargeError{}, events: 1}, Failed},
		{"an unreadable list", Listing, facts{err: halfFrame}, Failed},
		{"silence", Watching, facts{err: fmt.Errorf("x: %w", ErrIdle), elapsed: time.Hour}, Ended},
		{"silence before the answer", OpeningWatch, facts{err: ErrIdle}, Busy},
		{"initial events without an end", Streaming, facts{err: ErrNoInitialEventsEnd},
			Failed},
		{"a store that does not resync", Watching, facts{err: ErrResync, elapsed: time.Hour},
			Failed},
		{"a store that refuses an event", Watching,
			facts{err: &StoreError{Err: io.EOF}, events: 1}, Failed},
		{"a store whose own server says 410", Watching,
			facts{err: &StoreError{Err: &StatusError{Code: 410}}, events: 1}, Failed},
		{"a store whose own server says 410 to a list", Listing,
			facts{err: &StoreError{Err: &StatusError{Code: 410}}}, Failed},
		{"anything else of a list", Listing, facts{err: errors.New("?")}, Failed},
	} {
		assert.Equal(t, c.want, outcomeOf(c.state, c.f), "%v: %s", c.state, c.says)
	}
}

func outcomeOf(state State, f facts) Outcome {
	on, _ := classify(state, f)
	return on
}
