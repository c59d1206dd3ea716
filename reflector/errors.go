package reflector

import (
	"errors"
	"fmt"
	"time"
)

// ObjectLimit is the most bytes that one object may have on the wire, be it the frame of an event
// or an item of a list: 16 MiB, as in client-go. The API server's own limit for what it accepts is
// an order of magnitude lower, so only a broken or hostile server ever exceeds it.
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

// DecodeError says that what the server sent is not what the Kubernetes API says it must send: an
// HTML page, a list without items, an event of an unknown type. Err says what was wrong with which
// value. It never holds more of the body than its first few bytes.
type DecodeError struct {
	What string // what was expected, for example "list" or "watch event"
	Err  error
}

// Error says what could not be understood, and why.
func (e *DecodeError) Error() string { return fmt.Sprintf("cannot read %s: %v", e.What, e.Err) }

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

// ObjectError says that a watch event carried an object that cannot be used: none at all, one
// without a name, one of another kind. The frame was sound, so the stream goes on; the event is
// skipped and neither counts nor moves the resourceVersion, as if it had not been sent.
type ObjectError struct {
	Type EventType
	Err  error
}

// Error says which event was skipped, and why.
func (e *ObjectError) Error() string {
	return fmt.Sprintf("skipped %s event: %v", e.Type, e.Err)
}

// Unwrap returns the cause.
func (e *ObjectError) Unwrap() error { return e.Err }

// StoreError says that the [Store] refused an event. The object is missing from the store, or old,
// until the next list; see [Options.RelistOnStoreError].
type StoreError struct {
	Event Event // without an object where it was a whole list that was refused
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

// VeryShortWatchError says that a watch ended within a second of being asked for without having
// brought an event. To ask again at once would be a storm, so it leads to a backoff and a list.
type VeryShortWatchError struct {
	Name    string        // of the reflector
	Elapsed time.Duration // from the request to the end
	Err     error         // how it ended; io.EOF for an orderly end
}

// Error says how short the watch was and how it ended.
func (e *VeryShortWatchError) Error() string {
	return fmt.Sprintf("%s: very short watch: ended after %v without a single event: %v",
		e.Name, e.Elapsed, e.Err)
}

// Unwrap returns how the watch ended.
func (e *VeryShortWatchError) Unwrap() error { return e.Err }

// ErrIdle is the reason for which a watch is given up that has said nothing for
// [Options.IdleTimeout]: not an event, not a bookmark, not its end. Most likely the connection died
// without a word, as happens when a NAT box or a load balancer forgets it.
var ErrIdle = errors.New("watch is idle: no event, bookmark or end within the idle timeout")

// ErrListTimeout is the reason for which a list is given up of which a request was not answered, or
// not to its end, within [Options.ListTimeout].
var ErrListTimeout = errors.New("list: no complete answer within the list timeout")

// ErrNoInitialEventsEnd is the reason for which a streaming list is given up that has not come to
// its end within [Options.StreamingTimeout]. Servers and proxies exist that ignore
// sendInitialEvents and would keep the reflector waiting for ever.
var ErrNoInitialEventsEnd = errors.New(
	"streaming list: no bookmark has marked the end of the initial events in time")
