package reflector

import "time"

// Backoff says how long to wait before trying again. The zero value is client-go's: 0.8 s, doubled
// each time up to 30 s. Each delay d is stretched at random to one in [d, 2d), so that a thousand
// clients that lost the same server do not reconnect at the same moment.
type Backoff struct {
	Initial time.Duration // the first delay; zero means 800 ms
	Factor  float64       // by which the delay grows; zero means 2
	Max     time.Duration // above which it does not grow; zero means 30 s
	// Jitter is the part of a delay by which it may be stretched; zero means 1, that is up to
	// double. A negative value means none: tests and stories need the same delay each time.
	Jitter float64
	// ResetAfter: zero means that delays begin at Initial again after a success. A success is a
	// watch that lasted a second and then ended or lost its connection, or that lasted for Max,
	// whatever its end; a list alone is no success. Otherwise delays begin again whenever this time
	// has passed since they last did, even without a success. client-go does so every 2 minutes, so
	// it returns to short delays again and again while a server is down.
	ResetAfter time.Duration
}

// Delay returns how long to wait after a failure, at most a year; failures is how many there were
// before it since the last success. random is a number in [0, 1) that decides how far the delay is
// stretched.
func (b Backoff) Delay(failures int, random float64) time.Duration {
	b = b.withDefaults()
	delay := float64(b.Initial)
	for ; failures > 0 && delay < float64(b.Max); failures-- {
		delay *= b.Factor
	}
	delay = min(delay, float64(b.Max))
	return time.Duration(min(delay+delay*max(0, b.Jitter)*random, float64(aYear)))
}

func (b Backoff) withDefaults() Backoff {
	if b.Initial <= 0 {
		b.Initial = 800 * time.Millisecond
	}
	if b.Factor <= 0 {
		b.Factor = 2
	}
	if b.Max <= 0 {
		b.Max = 30 * time.Second
	}
	if b.Jitter == 0 {
		b.Jitter = 1
	}
	return b
}

// backoffState counts the failures for a [Backoff].
type backoffState struct {
	config   Backoff
	failures int
	since    time.Time // when counting began; only for ResetAfter
}

// succeeded makes the next delay a short one, unless ResetAfter decides about that.
func (s *backoffState) succeeded() {
	if s.config.ResetAfter == 0 {
		s.failures = 0
	}
}

// failed counts a failure and returns the delay after it: at least atLeast, which is the delay that
// the server has asked for.
func (s *backoffState) failed(now time.Time, random float64, atLeast time.Duration) time.Duration {
	if s.config.ResetAfter > 0 && now.Sub(s.since) >= s.config.ResetAfter {
		s.failures, s.since = 0, now
	}
	delay := s.config.Delay(s.failures, random)
	s.failures++
	return max(delay, atLeast)
}

// aYear stands for ever. Sums and multiples of the largest duration would overflow.
const aYear = 365 * 24 * time.Hour
