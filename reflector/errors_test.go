package reflector

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestCauses(t *testing.T) {
	const sentence = "Too large resource version"
	causes := func(c ...StatusCause) StatusDetails { return StatusDetails{Causes: c} }
	for _, c := range []struct {
		err  error
		want string
	}{
		{status(410, "Expired", ""), "expired"},
		{&StatusError{Code: 410}, "expired"},
		{&StatusError{Reason: "Gone"}, "expired"},
		{status(429, "TooManyRequests", ""), "too many requests"},
		{&StatusError{Reason: "TooManyRequests"}, "too many requests"},
		{status(500, "InternalError", ""), "internal error"},
		{&StatusError{Code: 500}, "internal error"},
		{status(500, "StoreReadError", ""), "refused"},
		{status(403, "Forbidden", ""), "refused"},
		{status(503, "TooManyRequests", ""), "refused"},

		// A version that is too large has three forms: since 1.20, before, and in the oldest servers.
		{&StatusError{Code: 504, Details: causes(StatusCause{Reason: "ResourceVersionTooLarge"})},
			"version too large"},
		{&StatusError{Reason: "Timeout", Details: causes(StatusCause{Message: sentence})},
			"version too large"},
		{status(504, "Timeout", "Timeout: "+sentence+": 9, current: 8"), "version too large"},
		{status(504, "Timeout", "slow"), "refused"},
		{status(400, "BadRequest", sentence), "refused"},
		{&StatusError{Code: 400, Details: causes(StatusCause{Message: sentence})}, "refused"},
		{&StatusError{Reason: "Timeout", Details: causes(StatusCause{Message: "slow"})}, "refused"},

		{garbage, "not understood"},
		{&DecodeError{What: "watch event", Err: io.ErrUnexpectedEOF}, "not understood"},
		{&TooLargeError{}, "too large"},
		{unusable, "skipped"},
		{&StoreError{Err: status(410, "Expired", "")}, "store refused"},
		{fmt.Errorf("%w: %w", ErrResync, io.EOF), "resync failed"},
		{ErrVeryShort, "very short"},
		{ErrIdle, "idle"},
		{ErrNoInitialEventsEnd, "unfinished"},
		{ErrListTimeout, "connection lost"},
		{io.EOF, "connection lost"},
		{syscall.ECONNREFUSED, "connection lost"},
		{errors.New("something new"), "connection lost"},
	} {
		t.Run(fmt.Sprintf("%s: %+v", c.want, c.err), func(t *testing.T) {
			assert.Equal(t, c.want, causeOf(c.err))
			assert.Equal(t, c.want, causeOf(fmt.Errorf("watching: %w", c.err)), "wrapped")
		})
	}
}

func TestSuggestsClientDelay(t *testing.T) {
	t.Run("a server can delay its clients by 5 minutes at most", func(t *testing.T) {
		assert.Equal(t, time.Second, SuggestsClientDelay(&StatusError{RetryAfter: time.Second}))
		assert.Equal(t, 5*time.Minute, SuggestsClientDelay(&StatusError{RetryAfter: 24 * time.Hour}))
		assert.Zero(t, SuggestsClientDelay(io.EOF))
	})
	t.Run("what another server has said to the store delays nothing", func(t *testing.T) {
		assert.Zero(t, SuggestsClientDelay(&StoreError{Err: &StatusError{RetryAfter: time.Second}}))
	})
}
