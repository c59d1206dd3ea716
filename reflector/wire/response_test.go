package wire

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestRetryAfterHeader(t *testing.T) {
	now := time.Date(2026, 11, 20, 13, 0, 0, 0, time.UTC)
	assert.Equal(t, 7*time.Second, parseRetryAfter("7", now))
	assert.Equal(t, time.Minute, parseRetryAfter("Fri, 20 Nov 2026 13:01:00 GMT", now),
		"a date will do")
	assert.Zero(t, parseRetryAfter("Fri, 20 Nov 2026 12:01:00 GMT", now), "one in the past is now")
	assert.Zero(t, parseRetryAfter("soon", now))
	assert.Positive(t, seconds(1<<62), "no overflow")
	assert.Zero(t, seconds(-5))
}
