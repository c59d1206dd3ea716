package reflector

import (
	"fmt"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestOutcomes(t *testing.T) {
	const almost = time.Second - 1
	refused := fmt.Errorf("dial: %w", syscall.ECONNREFUSED)
	reset := fmt.Errorf("read: %w", syscall.ECONNRESET)
	tooMany := status(429, "", "")
	internal := status(500, "InternalError", "")
	unavailable := &StatusError{Code: 503, RetryAfter: time.Second}
	tooLarge := &StatusError{Code: 504, Reason: "Timeout", RetryAfter: time.Second,
		Details: StatusDetails{Causes: []StatusCause{{Reason: "ResourceVersionTooLarge"}}}}
	halfFrame := &DecodeError{What: "watch event", Err: io.ErrUnexpectedEOF}

	for _, c := range []struct {
		law   string
		state State
		f     facts
		want  Outcome
	}{
		{"410 of a list", Listing, facts{err: expired}, Expired},
		{"410 in a stream", Watching, facts{err: expired}, Expired},
		{"410 of a watch after a list at that version has returned that version", OpeningWatch,
			facts{err: expired, stuck: true}, ExpiredAgain},
		{"410 in a stream then", Watching, facts{err: expired, stuck: true}, ExpiredAgain},
		{"410 of a streaming list then", OpeningStream, facts{err: expired, stuck: true}, Expired},
		{"410 for the latest state", Listing, facts{err: expired, latest: true}, Failed},
		{"504 with its cause is no busy server, even with Retry-After", OpeningStream,
			facts{err: tooLarge}, Expired},
		{"the same for the latest state", OpeningStream, facts{err: tooLarge, latest: true}, Failed},
		{"504 in a streaming list", Streaming, facts{err: tooLarge}, Expired},
		{"504 after a list at that version has returned that version", Watching,
			facts{err: tooLarge, stuck: true}, Expired},

		{"nothing listens", OpeningWatch, facts{err: refused}, Busy},
		{"nothing listens for a list", Listing, facts{err: refused}, Failed},
		{"429 in a stream", Watching, facts{err: tooMany, elapsed: time.Hour}, Busy},
		{"500 with Retry-After", OpeningWatch, facts{err: &StatusError{Code: 500, RetryAfter: 1}}, Busy},
		{"499 with Retry-After", OpeningWatch, facts{err: &StatusError{Code: 499, RetryAfter: 1}}, Failed},
		{"503 without Retry-After", OpeningWatch, facts{err: &StatusError{Code: 503}}, Failed},
		{"503 in a stream, even with Retry-After", Watching, facts{err: unavailable}, Failed},
		{"403", OpeningWatch, facts{err: status(403, "", "")}, Failed},

		{"500 that is forgiven in a stream that lasted a second", Watching,
			facts{err: internal, forgiven: true, elapsed: time.Second}, Ended},
		{"500 that is forgiven in a stream that brought a newer version", Watching,
			facts{err: internal, forgiven: true, events: 1, progress: true}, Ended},
		{"500 that is forgiven within a second and without a newer version", Watching,
			facts{err: internal, forgiven: true, elapsed: almost}, Busy},

		{"an orderly end after a second", Watching, facts{err: io.EOF, elapsed: time.Second}, Ended},
		{"an orderly end within a second, after a newer version", Watching,
			facts{err: io.EOF, events: 1, progress: true}, Ended},
		{"an orderly end within a second, after events but no newer version", Watching,
			facts{err: io.EOF, events: 1, elapsed: almost}, Busy},
		{"an orderly end within a second, without an event", Watching,
			facts{err: io.EOF, elapsed: almost}, Failed},
		{"a reset after a second", Watching, facts{err: reset, elapsed: time.Second}, Ended},
		{"a reset within a second, after a newer version", Watching,
			facts{err: reset, events: 1, progress: true}, Busy},
		{"a reset within a second, without an event", Watching, facts{err: reset}, Failed},
		{"an orderly end before the initial events are complete", Streaming,
			facts{err: fmt.Errorf("early: %w", io.EOF), events: 1, progress: true}, Ended},
		{"half a frame that was decoded", Watching, facts{err: halfFrame, elapsed: time.Hour}, Failed},
		{"a frame too large", Watching, facts{err: &TooLargeError{}, elapsed: time.Hour}, Failed},
		{"silence", Watching, facts{err: fmt.Errorf("x: %w", ErrIdle), elapsed: 1}, Ended},
		{"silence in a streaming list", Streaming, facts{err: ErrIdle, elapsed: time.Hour}, Failed},
		{"silence before the answer to a watch", OpeningWatch, facts{err: ErrIdle}, Busy},
		{"silence before the answer to a streaming list", OpeningStream, facts{err: ErrIdle}, Failed},
		{"initial events without an end", Streaming,
			facts{err: ErrNoInitialEventsEnd, elapsed: time.Hour}, Failed},
		{"a store that does not resync", Watching, facts{err: ErrResync, elapsed: time.Hour}, Failed},
		{"a store whose own server says 410", Listing, facts{err: &StoreError{Err: expired}}, Failed},
	} {
		t.Run(fmt.Sprintf("%v: %s is %v", c.state, c.law, c.want), func(t *testing.T) {
			on, _ := classify(c.state, c.f)
			assert.Equal(t, c.want, on)
		})
	}
}
