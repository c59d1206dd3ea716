package reflector

import (
	"fmt"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The usual outcomes are in the stories and scripts. These are at the edges of the rules.
func TestOutcomes(t *testing.T) {
	const almost = time.Second - 1
	reset := fmt.Errorf("read: %w", syscall.ECONNRESET)
	internal := status(500, "InternalError", "")
	tooLarge := &StatusError{Code: 504, Reason: "Timeout", RetryAfter: time.Second,
		Details: StatusDetails{Causes: []StatusCause{{Reason: "ResourceVersionTooLarge"}}}}

	for _, c := range []struct {
		law   string
		state State
		f     facts
		want  Outcome
	}{
		{"410 of a streaming list after a list at that version has returned that version", OpeningStream,
			facts{err: expired, stuck: true}, Expired},
		{"504 with its cause is no busy server, even with Retry-After", OpeningStream,
			facts{err: tooLarge}, Expired},
		{"the same for the latest state", OpeningStream, facts{err: tooLarge, latest: true}, Failed},
		{"500 with Retry-After", OpeningWatch, facts{err: &StatusError{Code: 500, RetryAfter: 1}}, Busy},
		{"503 in a stream, even with Retry-After", Watching,
			facts{err: &StatusError{Code: 503, RetryAfter: time.Second}}, Failed},

		{"500 that is forgiven in a stream that lasted a second", Watching,
			facts{err: internal, forgiven: true, elapsed: time.Second}, Ended},
		{"500 that is forgiven within a second and without a newer version", Watching,
			facts{err: internal, forgiven: true, elapsed: almost}, Busy},
		{"an orderly end after a second", Watching, facts{err: io.EOF, elapsed: time.Second}, Ended},
		{"an orderly end within a second, after events but no newer version", Watching,
			facts{err: io.EOF, events: 1, elapsed: almost}, Busy},
		{"a reset within a second, after a newer version", Watching,
			facts{err: reset, events: 1, progress: true}, Busy},
		{"an early end of the initial events", Streaming,
			facts{err: fmt.Errorf("early: %w", io.EOF), events: 1, progress: true}, Ended},
		{"silence before the answer to a streaming list", OpeningStream, facts{err: ErrIdle}, Failed},
		{"silence among the initial events", Streaming, facts{err: ErrIdle, elapsed: time.Hour}, Failed},
	} {
		t.Run(fmt.Sprintf("%v: %s is %v", c.state, c.law, c.want), func(t *testing.T) {
			on, _ := classify(c.state, c.f)
			assert.Equal(t, c.want, on)
		})
	}
}
