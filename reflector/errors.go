package reflector

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ObjectLimit is the most bytes that one object may have on the wire, as the frame of an event or
// as an item of a list: 16 MiB, as in client-go. The API server accepts a tenth of that, so only a
// broken or hostile server exceeds it.
const ObjectLimit = 16 << 20

// TooLargeError says that a JSON value was longer than [ObjectLimit]. It is returned before more
// than the limit has been buffered.
type TooLargeError struct {
	What  string // what was being read, for example "frame"
	Limit int    // in bytes
}

// Error names the limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s is larger than the limit of %d bytes", e.What, e.Limit)
}

// DecodeError says that the server sent something that the Kubernetes API does not allow: an HTML
// page, a list without items, an event of an unknown type. It never holds more of the body than
// its first few bytes.
type DecodeError struct {
	What string // what was expected, for example "list" or "watch event"
	Err  error  // what was wrong with which value
}

// Error says what could not be understood, and why.
func (e *DecodeError) Error() string { return fmt.Sprintf("cannot read %s: %v", e.What, e.Err) }

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

// ObjectError says that a watch event carried an object that cannot be used: none at all, one
// without a name, one of another kind. The frame was sound, so the stream goes on. The event is
// skipped: it is not counted as an event of the watch, and its resourceVersion is not recorded.
type ObjectError struct {
	Type EventType
	Err  error
}

// Error says which event was skipped, and why.
func (e *ObjectError) Error() string { return fmt.Sprintf("skipped %s event: %v", e.Type, e.Err) }

// Unwrap returns the cause.
func (e *ObjectError) Unwrap() error { return e.Err }

// StoreError says that the [Store] refused an event or a list. The store differs from the server
// until the next list. That follows after a pause, or at once if a streaming list was refused; but
// see [Options.IgnoreStoreErrors].
type StoreError struct {
	Event Event // if the store refused a whole list: only with its version
	Err   error
}

// Error names the object by namespace, name and version; it does not print it.
func (e *StoreError) Error() string {
	obj := e.Event.Object
	if obj == nil {
		return fmt.Sprintf("store refused the list at resourceVersion %q: %v",
			e.Event.ResourceVersion, e.Err)
	}
	return fmt.Sprintf("store refused %s of %q in namespace %q at resourceVersion %q: %v",
		e.Event.Type, obj.GetName(), obj.GetNamespace(), e.Event.ResourceVersion, e.Err)
}

// Unwrap returns the store's own error.
func (e *StoreError) Unwrap() error { return e.Err }

// ResyncError says that the store's Resync failed. If a watch is under way, it ends, and a list
// follows, which replaces the content of the store.
type ResyncError struct{ Err error }

// Error says what failed.
func (e *ResyncError) Error() string { return fmt.Sprintf("resync of the store: %v", e.Err) }

// Unwrap returns the store's own error.
func (e *ResyncError) Unwrap() error { return e.Err }

// VeryShortWatchError says that a watch ended within a second and brought no event. The same watch
// might end like that hundreds of times a second, so a pause and a list follow; if it was to stream
// a list, the list follows immediately.
type VeryShortWatchError struct {
	Name    string        // of the reflector
	Elapsed time.Duration // from the request, or from the end of initial events, to the end
	Err     error         // how it ended; io.EOF for an orderly end
}

// Error says how short the watch was and how it ended.
func (e *VeryShortWatchError) Error() string {
	return fmt.Sprintf("%s: very short watch: ended after %v without a single event: %v",
		e.Name, e.Elapsed, e.Err)
}

// Unwrap returns how the watch ended.
func (e *VeryShortWatchError) Unwrap() error { return e.Err }

var (
	// ErrIdle ends a watch that has been silent for [Options.IdleTimeout]. Most likely its
	// connection was lost without an error, as happens when a NAT box or a load balancer drops it.
	ErrIdle = errors.New("watch is idle: no event, bookmark or end within the idle timeout")
	// ErrListTimeout ends a list that was not answered completely within [Options.ListTimeout].
	ErrListTimeout = errors.New("list: no complete answer within the list timeout")
	// ErrNoInitialEventsEnd ends a streaming list that was not complete within
	// [Options.StreamingTimeout]. Some servers and proxies ignore sendInitialEvents. Without this
	// limit the reflector would wait for ever.
	ErrNoInitialEventsEnd = errors.New(
		"streaming list: no bookmark has marked the end of the initial events in time")
)

// StatusError is a refusal by the server: a response other than 200, or an ERROR event in a stream.
// Its fields are those of the meta/v1 Status that came with it. Proxies and unknown paths may
// answer with plain text instead; then Message quotes the body, and Reason follows from Code.
type StatusError struct {
	Code       int           // HTTP status code, also for an ERROR event; 0 if none was given
	Reason     string        // one word for programs, such as "Expired"
	Message    string        // a sentence for people; without a Status: the beginning of the body
	Details    StatusDetails // what in particular, often empty
	RetryAfter time.Duration // how long clients are to wait, by Details or header; 0 if not given
}

// StatusDetails are the details of a meta/v1 Status.
type StatusDetails struct {
	Name              string        `json:"name"` // of the object
	Group             string        `json:"group"`
	Kind              string        `json:"kind"`
	UID               string        `json:"uid"`
	Causes            []StatusCause `json:"causes"`
	RetryAfterSeconds int           `json:"retryAfterSeconds"` // as sent; see StatusError.RetryAfter
}

// StatusCause is one of the causes in [StatusDetails].
type StatusCause struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Field   string `json:"field"`
}

// Error gives code, reason and message, as far as the server sent them.
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

// IsExpired reports whether the server said that a resourceVersion or a continue token is too old:
// part of the history since then is gone, and only a new list helps.
func IsExpired(err error) bool {
	e, ok := errors.AsType[*StatusError](err)
	return ok && (e.Reason == "Expired" || e.Reason == "Gone" || e.Code == 410)
}

// IsTooLargeResourceVersion reports whether the server said that a resourceVersion is newer than
// anything it has seen: its database was restored from a backup, or it lags behind the server that
// returned the version.
//
// There are three forms. Servers since 1.20 give a cause; older ones a cause without a reason; the
// oldest only an English sentence.
func IsTooLargeResourceVersion(err error) bool {
	const sentence = "Too large resource version"
	e, ok := errors.AsType[*StatusError](err)
	if !ok {
		return false
	}
	return slices.ContainsFunc(e.Details.Causes, func(c StatusCause) bool {
		return c.Reason == "ResourceVersionTooLarge" ||
			e.Reason == "Timeout" && c.Message == sentence
	}) || e.Reason == "Timeout" && strings.Contains(e.Message, sentence)
}

// IsTooManyRequests reports whether the server refused because it gets too many requests: 429.
func IsTooManyRequests(err error) bool {
	e, ok := errors.AsType[*StatusError](err)
	return ok && (e.Code == 429 || e.Code == 0 && e.Reason == "TooManyRequests")
}

// IsInternalError reports whether the server failed with an internal error, 500, which is often
// temporary.
func IsInternalError(err error) bool {
	e, ok := errors.AsType[*StatusError](err)
	return ok && (e.Reason == "InternalError" || e.Reason == "" && e.Code == 500)
}

// IsConnectionRefused reports whether nothing listens at the server's address.
func IsConnectionRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

// IsProbableEOF reports whether the connection ended, in an orderly way or not. Streams end like
// this when a server restarts, or in a proxy with a time limit. Some of these errors of net/http
// can be recognized only by their text.
func IsProbableEOF(err error) bool {
	if err == nil || !isLost(err) {
		return false
	}
	for _, end := range []error{
		io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE,
	} {
		if errors.Is(err, end) {
			return true
		}
	}
	text := err.Error()
	return strings.Contains(text, "http: can't write HTTP request on broken connection") ||
		strings.Contains(text, "connection reset by peer") || strings.Contains(text, "GOAWAY")
}

// isBusy reports whether the same request may succeed later: nothing listens at the address, as
// while a server restarts, or the server asks clients to wait.
func isBusy(err error) bool {
	e, ok := errors.AsType[*StatusError](err)
	return IsConnectionRefused(err) || IsTooManyRequests(err) ||
		ok && e.Code >= 500 && e.RetryAfter > 0
}

// isOfStore reports whether err comes from the store. Then it says nothing about the server.
func isOfStore(err error) bool {
	_, store := errors.AsType[*StoreError](err)
	_, resync := errors.AsType[*ResyncError](err)
	return store || resync
}

// isLost reports whether err means only that the connection is gone, so that a new watch can go on
// from the last event. All other errors are about what came over the connection, or of the store.
func isLost(err error) bool {
	_, refused := errors.AsType[*StatusError](err)
	_, garbage := errors.AsType[*DecodeError](err)
	_, unusable := errors.AsType[*ObjectError](err)
	_, tooLarge := errors.AsType[*TooLargeError](err)
	return !refused && !garbage && !unusable && !tooLarge && !isOfStore(err)
}

// SuggestsClientDelay returns how long the server has asked its clients to wait; zero means that
// err does not say. It returns 5 minutes at most: a server that asks for a year must not stop its
// clients for a year.
func SuggestsClientDelay(err error) time.Duration {
	e, ok := errors.AsType[*StatusError](err)
	if !ok || isOfStore(err) {
		return 0
	}
	return min(e.RetryAfter, 5*time.Minute)
}
