package reflector

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each error and the predicates that hold for it, however deep it is wrapped.
func TestPredicates(t *testing.T) {
	predicates := map[string]func(error) bool{
		"expired": IsExpired, "too large": IsTooLargeResourceVersion,
		"too many requests": isTooManyRequests, "internal": isInternalError, "lost": isLost,
	}
	for _, c := range []struct {
		err  error
		want string // the one predicate that holds; "" for none
	}{
		{ErrIdle, ""},
		{status(410, "Expired", ""), "expired"},
		{&StatusError{Code: 410}, "expired"},
		{&StatusError{Reason: "Gone"}, "expired"},
		{status(429, "TooManyRequests", ""), "too many requests"},
		{&StatusError{Reason: "TooManyRequests"}, "too many requests"},
		{status(500, "InternalError", ""), "internal"},
		{&StatusError{Code: 500}, "internal"},
		{status(500, "StoreReadError", ""), ""},
		{status(504, "Timeout", "slow"), ""},
		{status(403, "Forbidden", ""), ""},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, "lost"},
		{io.EOF, "lost"},
		{io.ErrUnexpectedEOF, "lost"},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "lost"},
		{&net.OpError{Op: "write", Err: syscall.EPIPE}, "lost"},
		{net.ErrClosed, "lost"},
		{errors.New("http2: server sent GOAWAY and closed the connection; LastStreamID=7"), "lost"},
		{errors.New("http: can't write HTTP request on broken connection"), "lost"},
		{errors.New("read: connection reset by peer"), "lost"},
		{errors.New("no route to host"), "lost"},
		// An error about what was received, or of the store, is not the end of the connection.
		{&DecodeError{What: "watch event", Err: io.ErrUnexpectedEOF}, ""},
		{&StoreError{Err: io.EOF}, ""},
	} {
		for name, holds := range predicates {
			assert.Equal(t, name == c.want, holds(c.err), "%s: %v", name, c.err)
			if c.err != nil {
				wrapped := fmt.Errorf("watching: %w", c.err)
				assert.Equal(t, name == c.want, holds(wrapped), "%s: %v", name, wrapped)
			}
		}
	}
}

func TestTooLargeInItsThreeForms(t *testing.T) {
	for _, e := range []*StatusError{
		{Code: 504, Reason: "Timeout",
			Details: StatusDetails{Causes: []StatusCause{{Reason: "ResourceVersionTooLarge"}}}},
		{Code: 504, Reason: "Timeout",
			Details: StatusDetails{Causes: []StatusCause{{Message: "Too large resource version"}}}},
		{Code: 504, Reason: "Timeout",
			Message: "Timeout: Too large resource version: 9, current: 8"},
	} {
		assert.True(t, IsTooLargeResourceVersion(fmt.Errorf("list: %w", e)), "%+v", e)
	}
	for _, e := range []error{
		nil, io.EOF, &StatusError{Code: 504, Reason: "Timeout", Message: "slow"},
		&StatusError{Code: 400, Reason: "BadRequest", Message: "Too large resource version"},
		&StatusError{Code: 400, Reason: "BadRequest", Details: StatusDetails{
			Causes: []StatusCause{{Message: "Too large resource version"}}}},
		&StatusError{Code: 504, Reason: "Timeout", Details: StatusDetails{
			Causes: []StatusCause{{Reason: "Slow", Message: "slow"}}}},
	} {
		assert.False(t, IsTooLargeResourceVersion(e), "%v", e)
	}
}

func TestStatusErrorText(t *testing.T) {
	for _, c := range []struct {
		err  StatusError
		want string
	}{
		{StatusError{Code: 403, Reason: "Forbidden", Message: "no"},
			"server says 403 Forbidden: no"},
		{StatusError{Reason: "Expired", Message: "old"}, "server says Expired: old"},
		{StatusError{Code: 418}, "server says 418"},
		{StatusError{}, "server says failure without a reason"},
	} {
		assert.EqualError(t, &c.err, c.want)
	}
}
