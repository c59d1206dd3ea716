package reflector

import (
	"cmp"
	"time"
)

// Backoff says how long to wait before trying again. The zero value is client-go's: 0.8 s, doubled
// each time up to 30 s. (The factor is fixed: client-go's reflector always doubles, too.) Each
// delay d is stretched at random to one in [d, 2d), so that a thousand clients that lost the same
// server do not reconnect at the same moment.
//
// Delays begin at Initial again after a success. That is a watch that lasted a second and then
// ended or lost its connection, or one that lasted for Max, whatever its end. A list alone is no
// success.
type Backoff struct {
	Initial time.Duration // the first delay; zero means 800 ms
	Max     time.Duration // above which it does not grow; zero means 30 s
	// Jitter is the part of a delay by which it may be stretched; zero means 1, that is up to
	// double. A negative value means none: tests and stories need the same delay each time.
	Jitter float64
}

// delay returns how long to wait after a failure, at most a year; failures is how many there were
// before it since the last success. random is a number in [0, 1) that decides how far the delay is
// stretched.
func (b Backoff) delay(failures int, random float64) time.Duration {
	d := float64(b.Initial)
	for ; failures > 0 && d < float64(b.Max); failures-- {
		d *= 2
	}
	d = min(d, float64(b.Max))
	return time.Duration(min(d+d*max(0, b.Jitter)*random, float64(aYear)))
}

func (b Backoff) withDefaults() Backoff {
	b.Initial = cmp.Or(max(0, b.Initial), 800*time.Millisecond)
	b.Max = cmp.Or(max(0, b.Max), 30*time.Second)
	b.Jitter = cmp.Or(b.Jitter, 1)
	return b
}

// aYear stands forever. Sums and multiples of longer times would overflow.
const aYear = 365 * 24 * time.Hour
