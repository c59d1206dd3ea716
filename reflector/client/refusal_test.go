package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/reflector"
)

// A proxy, or the path of an unknown resource, answers with a code and no reason.
func TestWithoutAReasonTheCodeCounts(t *testing.T) {
	for code, is := range map[int]func(error) bool{409: IsConflict, 404: IsNotFound} {
		assert.True(t, is(fmt.Errorf("put: %w", &reflector.StatusError{Code: code})), code)
		assert.False(t, is(&reflector.StatusError{Code: code, Reason: "Other"}), code)
	}
	assert.False(t, IsAlreadyExists(&reflector.StatusError{Code: 409}), "it may be a conflict")
	assert.False(t, IsConflict(errors.New("409 Conflict")))
}

func TestTheWaitThatARefusalAsksFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock of a bubble stands at the beginning of 2000
		wait := func(header, body string) time.Duration {
			status, _ := errors.AsType[*reflector.StatusError](check(&http.Response{StatusCode: 429,
				Header: http.Header{"Retry-After": {header}}, Body: io.NopCloser(strings.NewReader(body))}))
			return status.RetryAfter
		}
		for value, want := range map[string]time.Duration{
			"7": 7 * time.Second, "Sat, 01 Jan 2000 00:01:00 GMT": time.Minute, "soon": 0, "-5": 0,
			"Fri, 31 Dec 1999 12:01:00 GMT": 0, "9223372036854775807": 1 << 30 * time.Second,
		} {
			assert.Equal(t, want, wait(value, ""), value)
		}
		for header, want := range map[string]time.Duration{"": 5, "2": 5, "7": 7} {
			const body = `{"kind":"Status","details":{"retryAfterSeconds":5}}`
			assert.Equal(t, want*time.Second, wait(header, body),
				"the longer of 5 s in the body and %q", header)
		}
	})
}
