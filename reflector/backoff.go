package reflector

import "time"

// Backoff says how long to wait before trying again. The zero value is client-go's: 0.8 s, doubled
// each time up to 30 s. Each delay d is stretched at random to one in [d, 2d), so that a thousand
// clients that lost the same server do not come back in the same instant.
type Backoff struct {
	Initial time.Duration // the first delay; zero means 800 ms
	Factor  float64       // by which the delay grows; zero means 2
	Max     time.Duration // above which it does not grow; zero means 30 s
	// Jitter is the part of a delay by which it may be stretched; zero means 1, that is up to
	// double. A negative value means none: tests and stories need the same delay each time.
	Jitter float64
	// ResetAfter: zero means that delays begin anew after success, which is a watch that lasted a
	// second and ended without an error, or that lasted for Max; a list alone is not. Otherwise
	// they begin anew that long after they last did, success or not. Client-go does so every
	// 2 minutes: against a server that is down for good, it returns to short delays each time.
	ResetAfter time.Duration
}

// Delay returns how long to wait after so many failures without success in between (the first time:
// 0). random is a number in [0, 1).
func (b Backoff) Delay(failures int, random float64) time.Duration {
	b = b.withDefaults()
	delay := float64(b.Initial)
	for ; failures > 0 && delay < float64(b.Max); failures-- {
		delay *= b.Factor
	}
	delay = min(delay, float64(b.Max))
	return time.Duration(delay + delay*max(0, b.Jitter)*random)
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

// succeeded begins anew, unless that is a matter of time.
func (s *backoffState) succeeded() {
	if s.config.ResetAfter == 0 {
		s.failures = 0
	}
}

// failed returns the delay after one more failure, but at least atLeast: what the server itself
// has asked for.
func (s *backoffState) failed(now time.Time, random float64, atLeast time.Duration) time.Duration {
	if s.config.ResetAfter > 0 && now.Sub(s.since) >= s.config.ResetAfter {
		s.failures, s.since = 0, now
	}
	delay := s.config.Delay(s.failures, random)
	s.failures++
	return max(delay, atLeast)
}
