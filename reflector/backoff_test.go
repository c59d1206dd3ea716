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
		assert.Equal(t, want+want/2, zero.Delay(failures, 0.5), "chance stretches a delay")
		assert.Less(t, zero.Delay(failures, 0.999999), 2*want, "to less than double")
	}
	assert.Equal(t, 30*time.Second, zero.Delay(math.MaxInt, 0), "however often it fails")

	b := Backoff{Initial: time.Second, Factor: 3, Max: 5 * time.Second, Jitter: -1}
	assert.Equal(t, time.Second, b.Delay(0, 0.9), "a negative jitter is none")
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
	assert.Equal(t, 6400*ms, s.failed(now.Add(time.Hour), 0, 0), "time alone is no success")
	s.succeeded()
	assert.Equal(t, 800*ms, s.failed(now, 0, 0), "success is")
	assert.Equal(t, 10*time.Second, s.failed(now, 0, 10*time.Second),
		"what the server asks for, counts")
	assert.Equal(t, 3200*ms, s.failed(now, 0, time.Second), "unless it is less")
}

func TestFaithfulBackoffBeginsAnewAfterTime(t *testing.T) {
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
		"delays begin anew once that time has passed, and not later")
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
	assert.True(t, w.allow(now.Add(9*time.Second)), "so are others soon after it")
	assert.True(t, w.allow(now.Add(10*time.Second)), "the last moment included, as in client-go")
	assert.False(t, w.allow(now.Add(10*time.Second+1)), "until the time is over")
	assert.True(t, w.allow(now.Add(11*time.Second)), "then counting begins anew")
	assert.True(t, w.allow(now.Add(11*time.Second+quietTime)), "as it does after a quiet minute")
	assert.True(t, w.allow(now.Add(20*time.Second+quietTime)))
	off := retryWindow{}
	assert.False(t, off.allow(now), "zero forgives nothing")
	assert.False(t, off.allow(now))
}

func TestWatchSeconds(t *testing.T) {
	assert.Equal(t, int64(300), watchSeconds(5*time.Minute, 0), "a watch lasts at least so long")
	assert.Equal(t, int64(599), watchSeconds(5*time.Minute, 0.999999), "and less than double")
}

func TestMemory(t *testing.T) {
	assert.Equal(t, "0", listVersion(Listing, ""),
		"the first list takes what the server has at hand")
	assert.Equal(t, "7", listVersion(Listing, "7"), "later ones must not go back in time")
	assert.Equal(t, "", listVersion(ListingLatest, "7"), "a version of no use is not mentioned")

	var m memory
	for _, c := range []struct {
		says       string
		configured int64
		version    string
		want       int64
	}{
		{"the first list comes in pages", 0, "0", 500},
		{"so does the latest", 0, "", 500},
		{"a list at a version does not: a limit would make it exact", 0, "7", 0},
		{"a configured size is always asked for", 3, "7", 3},
	} {
		assert.Equal(t, c.want, m.pageSize(c.configured, c.version), c.says)
	}
	m.learn("0", "7", false)
	m.learn("7", "8", true)
	assert.Zero(t, m.pageSize(0, "8"), "pages at a version say nothing of the server's cache")
	m.learn("0", "9", true)
	m.learn("9", "9", false)
	assert.Equal(t, int64(500), m.pageSize(0, "9"), "pages at 0 say that it has none, for good")

	assert.True(t, m.stuck("9"), "a list at 9 that returned 9 has led nowhere")
	assert.False(t, m.stuck("10"), "but something has happened since")
	m.learn("9", "10", false)
	assert.False(t, m.stuck("10"), "a list that moved on has led somewhere")
	m.learn("", "", false)
	assert.False(t, m.stuck(""), "no version is no circle")
}

func TestOlderThan(t *testing.T) {
	assert.True(t, olderThan("9", "10"))
	assert.False(t, olderThan("10", "10"))
	assert.False(t, olderThan("11", "10"))
	assert.False(t, olderThan("abc", "b"), "a version that is not a number is neither older")
	assert.False(t, olderThan("b", "abc"), "nor newer")
}
