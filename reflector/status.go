package reflector

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// StatusError is a refusal of the server: a response other than 200, or an ERROR event in a
// stream. Its fields are those of the Status object that came with it, as far as there was one;
// proxies and unknown paths answer with plain text.
type StatusError struct {
	Code       int           // HTTP status code, also for an ERROR event; 0 if none was given
	Reason     string        // one word for programs, such as "Expired"
	Message    string        // a sentence for people; not from a Status: its beginning
	Causes     []StatusCause // what in particular, often empty
	RetryAfter time.Duration // how long to stay away, 0 where the server did not say
}

// StatusCause is one of the details of a [StatusError].
type StatusCause struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Field   string `json:"field"`
}

// Error says what the server said, with code and reason where they are not part of the message.
func (e *StatusError) Error() string {
	what := e.Reason
	switch {
	case what == "" && e.Code == 0:
		what = "failure without a reason"
	case what == "":
		what = strconv.Itoa(e.Code)
	case e.Code != 0:
		what = fmt.Sprintf("%d %s", e.Code, e.Reason)
	}
	if e.Message == "" {
		return "server says " + what
	}
	return fmt.Sprintf("server says %s: %s", what, e.Message)
}

// IsExpired reports whether err is a server's word that a resourceVersion or a continue token is
// too old: history before it is gone. Only a new list helps.
func IsExpired(err error) bool {
	e, ok := errors.AsType[*StatusError](err)
	return ok && (e.Reason == reasonExpired || e.Reason == reasonGone || e.Code == 410)
}

// IsTooLargeResourceVersion reports whether err is a server's word that a resourceVersion is newer
// than anything it has seen: it was set back, or lags behind the one that gave us the version.
//
// There are three ways to say it. Servers since 1.20 give a cause; older ones a cause without a
// reason; the oldest nothing but an English sentence.
func IsTooLargeResourceVersion(err error) bool {
	e, ok := errors.AsType[*StatusError](err)
	if !ok {
		return false
	}
	for _, cause := range e.Causes {
		if cause.Reason == causeTooLarge {
			return true
		}
		if e.Reason == reasonTimeout && cause.Message == tooLargeMessage {
			return true
		}
	}
	return e.Reason == reasonTimeout && strings.Contains(e.Message, tooLargeMessage)
}

const (
	reasonExpired  = "Expired"
	reasonGone     = "Gone"
	reasonTimeout  = "Timeout"
	reasonInternal = "InternalError"

	causeTooLarge   = "ResourceVersionTooLarge"
	tooLargeMessage = "Too large resource version"
)

// isBusy reports whether the server, or what stands at its address, asks for patience: nothing
// listens there (it restarts), or it refuses for now. Patience costs nothing but time, so the
// request is repeated as it was.
func isBusy(err error) bool {
	if errors.Is(err, syscall.ECONNREFUSED) {
		return true
	}
	e, ok := errors.AsType[*StatusError](err)
	if !ok {
		return false
	}
	return e.Code == 429 || e.Code >= 500 && e.RetryAfter > 0
}

// isInternal reports whether the server failed for reasons of its own, which often pass.
func isInternal(err error) bool {
	e, ok := errors.AsType[*StatusError](err)
	return ok && (e.Reason == reasonInternal || e.Reason == "" && e.Code == 500)
}

// retryAfter returns how long err asks to stay away, at most [maxRetryAfter]: a server that says a
// year must not silence its clients for a year.
func retryAfter(err error) time.Duration {
	e, ok := errors.AsType[*StatusError](err)
	if !ok {
		return 0
	}
	return min(e.RetryAfter, maxRetryAfter)
}

const maxRetryAfter = 5 * time.Minute
