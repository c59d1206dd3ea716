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
		Causes: []StatusCause{{Reason: "ResourceVersionTooLarge"}}}
	halfFrame := &DecodeError{What: "watch event", Err: io.ErrUnexpectedEOF}

	for _, c := range []struct {
		says  string
		state State
		res   result
		want  Outcome
	}{
		{"a list that succeeded is listed", Listing, result{}, Listed},
		{"the latest too", ListingLatest, result{}, Listed},
		{"a watch that succeeded is open", OpeningWatch, result{}, Opened},
		{"a stream too", OpeningStream, result{}, Opened},
		{"initial events that are complete are streamed", Streaming, result{}, Streamed},

		{"410 of a list", Listing, result{err: expired}, Expired},
		{"410 without a reason, as in HTTP alone", Listing, result{err: &StatusError{Code: 410}},
			Expired},
		{"the reason alone, as in a stream", Watching, result{err: &StatusError{Reason: "Gone"}},
			Expired},
		{"410 of a watch", OpeningWatch, result{err: expired}, Expired},
		{"410 in a stream", Watching, result{err: expired}, Expired},
		{"410 where a list at that version has led", Watching, result{err: expired, stuck: true},
			ExpiredAgain},
		{"504 with its cause, even with Retry-After", Listing, result{err: tooLarge}, TooLarge},
		{"504 is not a busy server", OpeningStream, result{err: tooLarge}, TooLarge},
		{"504 in a streaming list", Streaming, result{err: tooLarge}, TooLarge},

		{"nobody listens", OpeningWatch, result{err: refused}, Busy},
		{"429 of a watch", OpeningWatch, result{err: tooMany}, Busy},
		{"429 of a stream", OpeningStream, result{err: tooMany}, Busy},
		{"429 in a stream", Watching, result{err: tooMany}, Busy},
		{"503 with Retry-After of a watch", OpeningWatch, result{err: unavailable}, Busy},
		{"503 without it", OpeningWatch, result{err: &StatusError{Code: 503}}, Failed},
		{"503 in a stream, with or without", Watching, result{err: unavailable}, Failed},
		{"403", OpeningWatch, result{err: &StatusError{Code: 403}}, Failed},

		{"500 in a stream", Watching, result{err: internal}, Failed},
		{"500 in a stream within the time", Watching, result{err: internal, forgive: true},
			Internal},
		{"500 of a watch", OpeningWatch, result{err: internal, forgive: true}, Failed},

		{"an orderly end after a second", Watching, result{err: io.EOF, elapsed: time.Second},
			Ended},
		{"an orderly end with an event", Watching, result{err: io.EOF, events: 1}, Ended},
		{"an orderly end with neither", Watching,
			result{err: io.EOF, elapsed: 999 * time.Millisecond}, VeryShort},
		{"a reset after a second", Watching, result{err: reset, elapsed: time.Second}, Ended},
		{"a reset with an event", Watching, result{err: reset, events: 1}, CutShort},
		{"half a frame with an event", Watching, result{err: io.ErrUnexpectedEOF, events: 1},
			CutShort},
		{"a reset with neither", Watching, result{err: reset}, VeryShort},
		{"an orderly end before the initial events do", Streaming,
			result{err: fmt.Errorf("early: %w", io.EOF), events: 1}, Ended},
		{"a closed connection", Watching, result{err: net.ErrClosed, elapsed: time.Hour}, Ended},
		{"half a frame is about the connection, but garbage is not", Watching,
			result{err: halfFrame, events: 1, elapsed: time.Hour}, Failed},
		{"a frame too large", Watching, result{err: &TooLargeError{}, events: 1}, Failed},
		{"an unreadable list", Listing, result{err: halfFrame}, Failed},
		{"silence", Watching, result{err: fmt.Errorf("x: %w", ErrIdle), elapsed: time.Hour}, Idle},
		{"silence before the answer", OpeningWatch, result{err: ErrIdle}, Idle},
		{"initial events without an end", Streaming, result{err: ErrNoInitialEventsEnd},
			Unfinished},
		{"a store that does not resync", Watching, result{err: &ResyncError{}, elapsed: time.Hour},
			Failed},
		{"a store that refuses an event", Watching,
			result{err: &StoreError{Err: io.EOF}, events: 1}, Failed},
		{"anything else of a list", Listing, result{err: errors.New("?")}, Failed},
	} {
		assert.Equal(t, c.want, classify(c.state, c.res), "%v: %s", c.state, c.says)
	}
}

func TestTooLargeInItsThreeForms(t *testing.T) {
	for _, e := range []*StatusError{
		{Code: 504, Reason: "Timeout", Causes: []StatusCause{{Reason: "ResourceVersionTooLarge"}}},
		{Code: 504, Reason: "Timeout",
			Causes: []StatusCause{{Message: "Too large resource version"}}},
		{Code: 504, Reason: "Timeout",
			Message: "Timeout: Too large resource version: 9, current: 8"},
	} {
		assert.True(t, IsTooLargeResourceVersion(fmt.Errorf("list: %w", e)), "%+v", e)
	}
	for _, e := range []error{
		nil, io.EOF, &StatusError{Code: 504, Reason: "Timeout", Message: "slow"},
		&StatusError{Code: 400, Reason: "BadRequest", Message: "Too large resource version"},
	} {
		assert.False(t, IsTooLargeResourceVersion(e), "%v", e)
	}
}
