package reflector

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

const ms = time.Millisecond

func TestBackoffDelays(t *testing.T) {
	zero := Backoff{}.withDefaults()
	for failures, want := range []time.Duration{
		800 * ms, 1600 * ms, 3200 * ms, 6400 * ms, 12800 * ms, 25600 * ms,
		30 * time.Second, 30 * time.Second, 30 * time.Second,
	} {
		assert.Equal(t, want, zero.delay(failures, 0), "client-go's delays, after %d failures",
			failures)
		assert.Equal(t, want+want/2, zero.delay(failures, 0.5), "a delay is stretched at random")
		assert.Less(t, zero.delay(failures, 0.999999), 2*want, "a delay is less than doubled")
	}
	assert.Equal(t, 30*time.Second, zero.delay(math.MaxInt, 0),
		"no number of failures makes the delay longer than Max")

	b := Backoff{Initial: time.Second, Factor: 3, Max: 5 * time.Second, Jitter: -1}.withDefaults()
	assert.Equal(t, time.Second, b.delay(0, 0.9), "with a negative jitter no delay is stretched")
	assert.Equal(t, 3*time.Second, b.delay(1, 0.9))
	assert.Equal(t, 5*time.Second, b.delay(2, 0.9))
	assert.Equal(t, 1200*ms, Backoff{Jitter: 0.5}.withDefaults().delay(0, 0.999999999).Round(ms))
	assert.Equal(t, time.Minute,
		Backoff{Initial: time.Minute, Max: time.Minute, Jitter: -1}.withDefaults().delay(9, 0))
}

func TestRetryAfterIsBounded(t *testing.T) {
	assert.Equal(t, 5*time.Minute, SuggestsClientDelay(&StatusError{RetryAfter: 24 * time.Hour}),
		"a server cannot silence a client for a day")
	assert.Equal(t, time.Second, SuggestsClientDelay(&StatusError{RetryAfter: time.Second}))
	assert.Zero(t, SuggestsClientDelay(nil))
}

func TestRetryWindow(t *testing.T) {
	now := time.Now()
	w := retryWindow{length: 10 * time.Second}
	assert.True(t, w.allow(now), "a first error is forgiven")
	assert.True(t, w.allow(now.Add(9*time.Second)), "an error within the window is forgiven")
	assert.True(t, w.allow(now.Add(10*time.Second)),
		"an error at the last moment of the window is forgiven, as in client-go")
	assert.False(t, w.allow(now.Add(10*time.Second+1)), "an error after the window is not forgiven")
	assert.True(t, w.allow(now.Add(11*time.Second)), "the error after that one begins a new window")
	assert.True(t, w.allow(now.Add(11*time.Second+quietTime)),
		"an error after a quiet minute begins a new window")
	assert.True(t, w.allow(now.Add(20*time.Second+quietTime)),
		"a window that began after a quiet minute has its full length")
	off := retryWindow{}
	assert.False(t, off.allow(now), "a window of length zero forgives nothing")
	assert.False(t, off.allow(now), "a window of length zero never forgives anything")
}

func TestMemory(t *testing.T) {
	assert.Equal(t, "0", listVersion("", false),
		"the first list takes any state that the server has at hand")
	assert.Equal(t, "7", listVersion("7", false), "later lists must not go back in time")
	assert.Equal(t, "", listVersion("7", true),
		"a list of the latest state does not ask for the version that was refused")
}

func TestOlderThan(t *testing.T) {
	assert.True(t, olderThan("9", "10"))
	assert.False(t, olderThan("10", "10"))
	assert.False(t, olderThan("11", "10"))
	assert.False(t, olderThan("abc", "b"), "a version that is not a number is not older")
	assert.False(t, olderThan("b", "abc"), "nothing is older than a version that is not a number")
}
