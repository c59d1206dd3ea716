package reflector

import (
	"cmp"
	"errors"
	"syscall"
	"time"
)

// Backoff says how long to wait before trying again. The zero value is client-go's: 0.8 s, doubled
// each time up to 30 s. Each delay d is stretched at random to one in [d, 2d), so that a thousand
// clients that lost the same server do not reconnect at the same moment.
//
// Ten delays are as long as the server asks for in Retry-After or, if it closes connections without
// an answer, a second; all are at least Initial.
//
// Delays begin at Initial again after a success. That is a watch that lasted a second and then
// ended or lost its connection, or one that lasted for Max, whatever its end. A list alone is not a
// success.
type Backoff struct {
	Initial time.Duration // the first delay; zero means 800 ms
	Max     time.Duration // above which it does not grow; zero means 30 s
	// Jitter is the part of a delay by which it may be stretched; zero means 1, that is up to
	// double. A negative value means none: tests and stories need the same delay each time.
	Jitter float64
}

// pauses counts the pauses since the last success.
type pauses struct {
	doubled int // each was twice as long as the one before it
	obeyed  int // each was as long as the server has asked for; see askedPause
}

const (
	// maxObeyed is how many pauses in a row are only as long as the server asks for.
	maxObeyed = 10
	// unanswered is the pause for which a server asks by closing a connection without an answer.
	unanswered = time.Second
)

// askedPause returns the pause that the server asks for, zero if it does not ask. A request for a
// stream that gets no answer counts as if it had been answered with a Retry-After of a second: most
// likely a load balancer has no server for it now, and will have one soon. If nothing listens, a
// server has to start first. That takes longer. A list may have broken off halfway: each attempt
// may cost the server a whole list, so its pauses double.
func askedPause(state State, err error) time.Duration {
	asking := state == openingStream || state == openingWatch
	if asking && isLost(err) && !errors.Is(err, syscall.ECONNREFUSED) {
		return unanswered
	}
	return SuggestsClientDelay(err)
}

// next returns the length of the next pause. A server that says when it can be asked again is taken
// at its word for some attempts: doubled pauses would make its clients late. After that they
// double, but are at least as long as it asks for.
func (p *pauses) next(b Backoff, asked time.Duration, random float64) time.Duration {
	if asked > 0 && p.obeyed < maxObeyed {
		p.obeyed++
		return b.stretch(float64(max(asked, b.Initial)), random)
	}
	p.doubled++
	return max(b.delay(p.doubled-1, random), asked)
}

// delay returns how long to wait after a failure; failures is how many there were before it since
// the last success.
func (b Backoff) delay(failures int, random float64) time.Duration {
	d := float64(b.Initial)
	for ; failures > 0 && d < float64(b.Max); failures-- {
		d *= 2
	}
	return b.stretch(min(d, float64(b.Max)), random)
}

// stretch makes a delay longer, by Max at most if Jitter is 1, and returns at most a year. random
// is a number in [0, 1) that decides how much longer.
func (b Backoff) stretch(d, random float64) time.Duration {
	more := min(d, float64(b.Max)) * max(0, b.Jitter) * random
	return time.Duration(min(d+more, float64(aYear)))
}

func (b Backoff) withDefaults() Backoff {
	b.Initial = cmp.Or(max(0, b.Initial), 800*time.Millisecond)
	b.Max = cmp.Or(max(0, b.Max), 30*time.Second)
	b.Jitter = cmp.Or(b.Jitter, 1)
	return b
}

// aYear stands forever. Sums and multiples of longer times would overflow.
const aYear = 365 * 24 * time.Hour
