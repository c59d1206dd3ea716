package reflector

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ObjectLimit is the most bytes that one object may have on the wire, as the frame of an event or
// as an item of a list: 16 MiB, client-go's limit for the frames of a watch. A server takes no body
// of more than 3 MiB, and its etcd no request of more than 1.5 MiB, so only a broken or hostile
// server exceeds it.
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

// noAnswer makes the error of a [ListerWatcher] that returned neither what was asked for nor an
// error.
func noAnswer(what string) error {
	return &DecodeError{What: what, Err: errors.New("the ListerWatcher returned nil and no error")}
}

// ObjectError says that a watch event does not belong to the collection, because its object is of
// another kind, or that it is a bookmark without a version. The event is skipped: it is not counted
// as an event of the watch, and its resourceVersion is not recorded. Among initial events it is a
// [DecodeError] instead, which ends the streaming list.
type ObjectError struct {
	Type EventType
	Err  error
}

// Error says which event was skipped, and why.
func (e *ObjectError) Error() string { return fmt.Sprintf("skipped %s event: %v", e.Type, e.Err) }

// Unwrap returns the cause.
func (e *ObjectError) Unwrap() error { return e.Err }

// StoreError says that the [Store] refused an event or a list. The store differs from the server
// until the next list. That follows after a pause, or at once if a streaming list was refused.
type StoreError struct {
	Event Event // if the store refused a whole list: only with its version
	Err   error
}

// Error names the object by namespace, name and version; it does not print it.
func (e *StoreError) Error() string {
	what, at := "the list", e.Event.ResourceVersion
	if obj := e.Event.Object; obj != nil {
		what = fmt.Sprintf("%s of %q in namespace %q", e.Event.Type, obj.GetName(), obj.GetNamespace())
	}
	return fmt.Sprintf("store refused %s at resourceVersion %q: %v", what, at, e.Err)
}

// Unwrap returns the store's own error.
func (e *StoreError) Unwrap() error { return e.Err }

var (
	// ErrIdle ends a watch that has been silent for [Options.IdleTimeout]. Most likely its
	// connection was lost without an error, as happens when a NAT box or a load balancer drops it.
	ErrIdle = errors.New("watch is idle: no event, bookmark or end within the idle timeout")
	// ErrListTimeout ends a list during which the server was silent for two minutes.
	ErrListTimeout = errors.New("list: no part of the answer has come within the list timeout")
	// ErrNoInitialEventsEnd ends a streaming list that has brought no further object for two minutes,
	// and stands for the one after three that broke off or got no answer. Some servers and proxies
	// ignore sendInitialEvents, or cut every stream. Without these limits the store would stay empty.
	ErrNoInitialEventsEnd = errors.New("streaming list: no bookmark has marked the end of the " +
		"initial events, within two minutes or three attempts")
	// ErrVeryShort says that a watch ended within a second and brought no event. The same watch might
	// end like that 13,000 times a second, so a pause and a list follow; if it was to stream a list,
	// the list follows immediately.
	ErrVeryShort = errors.New("very short watch")
	// ErrResync says that the store's Resync failed. If a watch is under way, it ends, and a list
	// follows, which replaces the content of the store.
	ErrResync = errors.New("resync of the store")
)

// StatusError is a refusal by the server: a response other than 200, or an ERROR event in a stream.
// Its fields are those of the meta/v1 Status that came with it. Proxies and unknown paths may
// answer with plain text instead; then Message quotes the body, and Reason is empty. A client cuts
// both: together they have 200 bytes at most.
type StatusError struct {
	Code       int           // HTTP status code, also for an ERROR event; 0 if none was given
	Reason     string        // one word for programs, such as "Expired"
	Message    string        // a sentence for people; without a Status: the beginning of the body
	Details    StatusDetails // what in particular, often empty
	RetryAfter time.Duration // how long clients are to wait, by Details or header; 0 if not given
}

// StatusDetails are the details of a meta/v1 Status.
type StatusDetails struct {
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
	what := strings.TrimSpace(strings.TrimPrefix(fmt.Sprint(e.Code, " ", e.Reason), "0 "))
	text := "server says " + cmp.Or(what, "failure without a reason")
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
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
	timeout := ok && e.Reason == "Timeout"
	return ok && slices.ContainsFunc(e.Details.Causes, func(c StatusCause) bool {
		return c.Reason == "ResourceVersionTooLarge" || timeout && c.Message == sentence
	}) || timeout && strings.Contains(e.Message, sentence)
}

// isTooManyRequests reports whether the server refused because it gets too many requests: 429.
func isTooManyRequests(err error) bool {
	e, ok := errors.AsType[*StatusError](err)
	return ok && (e.Code == 429 || e.Code == 0 && e.Reason == "TooManyRequests")
}

// isInternalError reports whether the server failed with an internal error, 500, which is often
// temporary.
func isInternalError(err error) bool {
	e, ok := errors.AsType[*StatusError](err)
	return ok && (e.Reason == "InternalError" || e.Reason == "" && e.Code == 500)
}

// isOfStore reports whether err comes from the store. Then it says nothing about the server.
func isOfStore(err error) bool { return is[*StoreError](err) || errors.Is(err, ErrResync) }

// isLost reports whether err means only that the connection is gone, so that a new watch can go on
// from the last event. All other errors are about what came over the connection, or say that the
// reflector itself has ended the stream. err is not of the store.
func isLost(err error) bool {
	return !is[*StatusError](err) && !is[*DecodeError](err) && !is[*TooLargeError](err) &&
		!errors.Is(err, ErrIdle) && !errors.Is(err, ErrNoInitialEventsEnd)
}

// is reports whether err is an E or wraps one.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// SuggestsClientDelay returns how long the server has asked its clients to wait; zero means that
// err does not say. It returns 5 minutes at most: a server that asks for a year must not stop its
// clients for a year.
func SuggestsClientDelay(err error) time.Duration {
	e, ok := errors.AsType[*StatusError](err)
	if !ok || isOfStore(err) {
		return 0
	}
	return e.SuggestsClientDelay()
}

// SuggestsClientDelay is what the func of that name returns for e. workqueue.Run asks for it.
func (e *StatusError) SuggestsClientDelay() time.Duration {
	return min(e.RetryAfter, 5*time.Minute)
}
