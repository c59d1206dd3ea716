package reflector

import "time"

// retryWindow decides how long a repeated error is forgiven: up to and including length after the
// first one. An error after a minute without errors counts as a first one again. The reflector
// forgives errors "500 InternalError" like that, see [Options.MaxInternalErrorRetry].
type retryWindow struct {
	length time.Duration // zero: never
	began  time.Time     // zero: the next error is a first one
	last   time.Time
}

const quietTime = time.Minute

// allow reports whether an error at now is forgiven.
func (w *retryWindow) allow(now time.Time) bool {
	if w.began.IsZero() || now.Sub(w.last) >= quietTime {
		w.began = now
	}
	w.last = now
	if w.length > 0 && now.Sub(w.began) <= w.length {
		return true
	}
	w.began = time.Time{}
	return false
}
