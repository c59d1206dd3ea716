package reflector

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

const ms = time.Millisecond

func TestBackoffDelays(t *testing.T) {
	var zero Backoff
	for failures, want := range []time.Duration{
		800 * ms, 1600 * ms, 3200 * ms, 6400 * ms, 12800 * ms, 25600 * ms,
		30 * time.Second, 30 * time.Second, 30 * time.Second,
	} {
		assert.Equal(t, want, zero.Delay(failures, 0), "client-go's delays, after %d failures",
			failures)
		assert.Equal(t, want+want/2, zero.Delay(failures, 0.5), "a delay is stretched at random")
		assert.Less(t, zero.Delay(failures, 0.999999), 2*want, "a delay is less than doubled")
	}
	assert.Equal(t, 30*time.Second, zero.Delay(math.MaxInt, 0),
		"no number of failures makes the delay longer than Max")

	b := Backoff{Initial: time.Second, Factor: 3, Max: 5 * time.Second, Jitter: -1}
	assert.Equal(t, time.Second, b.Delay(0, 0.9), "with a negative jitter no delay is stretched")
	assert.Equal(t, 3*time.Second, b.Delay(1, 0.9))
	assert.Equal(t, 5*time.Second, b.Delay(2, 0.9))
	assert.Equal(t, 1200*ms, Backoff{Jitter: 0.5}.Delay(0, 0.999999999).Round(ms))
	assert.Equal(t, time.Minute,
		Backoff{Initial: time.Minute, Max: time.Minute, Jitter: -1}.Delay(9, 0))
}

func TestBackoffBeginsAnewAfterSuccess(t *testing.T) {
	s := backoffState{config: Backoff{Jitter: -1}}
	now := time.Now()
	for range 3 {
		s.failed(now, 0, 0)
	}
	assert.Equal(t, 6400*ms, s.failed(now.Add(time.Hour), 0, 0),
		"delays do not begin anew only because time has passed")
	s.succeeded()
	assert.Equal(t, 800*ms, s.failed(now, 0, 0), "after a success delays begin anew")
	assert.Equal(t, 10*time.Second, s.failed(now, 0, 10*time.Second),
		"a longer delay that the server asks for is kept")
	assert.Equal(t, 3200*ms, s.failed(now, 0, time.Second),
		"a shorter delay that the server asks for does not shorten the pause")
}

func TestResetAfterBeginsAnewAfterTime(t *testing.T) {
	s := backoffState{config: Backoff{Jitter: -1, ResetAfter: 2 * time.Minute}}
	now := time.Now()
	var got []time.Duration
	for range 11 {
		delay := s.failed(now, 0, 0)
		got = append(got, delay)
		now = now.Add(delay)
		s.succeeded() // makes no difference
	}
	assert.Equal(t, []time.Duration{
		800 * ms, 1600 * ms, 3200 * ms, 6400 * ms, 12800 * ms, 25600 * ms,
		30 * time.Second, 30 * time.Second, 30 * time.Second, 800 * ms, 1600 * ms,
	}, got, "client-go returns to 0.8 s every two minutes under permanent failure")
}

func TestResetAfterIsExact(t *testing.T) {
	s := backoffState{config: Backoff{Jitter: -1, ResetAfter: 2 * time.Minute}}
	now := time.Now()
	s.failed(now, 0, 0)
	assert.Equal(t, 1600*ms, s.failed(now.Add(2*time.Minute-1), 0, 0))
	assert.Equal(t, 800*ms, s.failed(now.Add(2*time.Minute), 0, 0),
		"delays begin anew exactly when ResetAfter has passed")
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

func TestWatchSeconds(t *testing.T) {
	assert.Equal(t, int64(300), watchSeconds(5*time.Minute, 0),
		"a watch is asked for at least MinWatchTimeout")
	assert.Equal(t, int64(599), watchSeconds(5*time.Minute, 0.999999),
		"a watch is asked for less than double MinWatchTimeout")
}

func TestMemory(t *testing.T) {
	assert.Equal(t, "0", listVersion(Listing, ""),
		"the first list takes any state that the server has at hand")
	assert.Equal(t, "7", listVersion(Listing, "7"), "later lists must not go back in time")
	assert.Equal(t, "", listVersion(ListingLatest, "7"),
		"a list of the latest state does not ask for the version that was refused")

	var m memory
	for _, c := range []struct {
		says       string
		configured int64
		version    string
		want       int64
	}{
		{"the first list comes in pages", 0, "0", 500},
		{"a list of the latest state comes in pages", 0, "", 500},
		{"a list at a version has no limit, which would mean exactly that version", 0, "7", 0},
		{"a configured size is always asked for", 3, "7", 3},
	} {
		assert.Equal(t, c.want, m.pageSize(c.configured, c.version), c.says)
	}
	m.learn("0", "7", false)
	m.learn("7", "8", true)
	assert.Zero(t, m.pageSize(0, "8"), "pages at a version do not mean that the server has no cache")
	m.learn("0", "9", true)
	m.learn("9", "9", false)
	assert.Equal(t, int64(500), m.pageSize(0, "9"),
		"pages at 0 mean that the server has no cache, and later lists do not change that")

	assert.True(t, m.stuck("9"), "another list at 9 may return 9 again, as the last one did")
	assert.False(t, m.stuck("10"), "a version that came after the list is not stuck")
	m.learn("9", "10", false)
	assert.False(t, m.stuck("10"), "a list that returned a newer version is not stuck")
	m.learn("", "", false)
	assert.False(t, m.stuck(""), "a list without a version is not stuck")
}

func TestOlderThan(t *testing.T) {
	assert.True(t, olderThan("9", "10"))
	assert.False(t, olderThan("10", "10"))
	assert.False(t, olderThan("11", "10"))
	assert.False(t, olderThan("abc", "b"), "a version that is not a number is not older")
	assert.False(t, olderThan("b", "abc"), "nothing is older than a version that is not a number")
}
