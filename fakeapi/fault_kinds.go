package fakeapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"example.com/watchglass/fakeapi/status"
)

// A FaultKind names one way in which a server, or the network before it, fails.
type FaultKind string

// The faults, ordered by the moment at which they take effect. Each says which branch of a
// reflector it exercises: the outcome in the reflector's table.
const (
	// When a connection is made:

	// FaultRefuse refuses the connection, and resets those that are open when it is injected. The
	// reflector's outcome: Busy for a watch, which keeps its version, Failed for a list.
	FaultRefuse FaultKind = "refuse"

	// When a request has been understood, before it is served:

	// FaultStatus answers with a Status of Code, Message and RetryAfter. The reflector's outcome:
	// Expired for 410, Busy for 429 and for 5xx with RetryAfter, Failed for anything else.
	FaultStatus FaultKind = "status"
	// FaultDelay serves the request after Delay, or after Heal: a write is made then even if its
	// client has given up. The reflector's outcome: none of its own; other requests must not wait.
	FaultDelay FaultKind = "delay"
	// FaultHang does not answer. The connection breaks when the client gives up, at Heal, and when the
	// server closes. The reflector's outcome: Busy for a watch, Failed for a list or a streaming
	// list. Only the reflector's own timeout ends the wait.
	FaultHang FaultKind = "hang"
	// FaultReset breaks the connection instead of answering. The reflector's outcome: Busy for a
	// watch, Failed for a list. But over HTTP/1.1 net/http's Transport repeats a read by itself, and
	// no write, if the connection was used before.
	FaultReset FaultKind = "reset"
	// FaultLost serves the request, and then breaks the connection as Reset does: a write is stored
	// (or refused), and its client does not know it. It is for clients that write; a watch ends before
	// its headers.
	FaultLost FaultKind = "lost"

	// When a watch has sent its headers:

	// FaultClose ends the watch before its first frame. The reflector's outcome: Failed, with
	// ErrVeryShort.
	FaultClose FaultKind = "close"

	// When a watch is about to send a frame:

	// FaultCut sends half the frame and breaks the connection. The reflector's outcome: Busy in the
	// first second, Ended after it. The half frame must not become an event.
	FaultCut FaultKind = "cut"
	// FaultGarbage sends a line that is not JSON before the frame. The reflector's outcome: Failed, as
	// the stream cannot be trusted any more.
	FaultGarbage FaultKind = "garbage"
	// FaultError sends an ERROR event with a Status of Code instead of the frame, and ends the watch.
	// The reflector's outcome: Expired for 410, Busy for 429, Failed for anything else.
	FaultError FaultKind = "error"
	// FaultSilence sends nothing from this frame on and leaves the connection open, as if the machine
	// had lost power. The reflector's outcome: Ended, with ErrIdle.
	FaultSilence FaultKind = "silence"
	// FaultRepeat sends the frame twice. The reflector's outcome: none of its own; its store must
	// accept the repetition.
	FaultRepeat FaultKind = "repeat"
	// FaultReorder sends the frame after the next one. The reflector's outcome: none of its own; the
	// version from which it would resume goes back.
	FaultReorder FaultKind = "reorder"
	// FaultAlien sends an object of another kind before the frame. The reflector's outcome: none of
	// its own; the event is skipped and reported, the stream goes on.
	FaultAlien FaultKind = "alien"

	// When a watch is about to send a bookmark:

	// FaultNoBookmark withholds the bookmark. The reflector's outcome: none now, but its version gets
	// old, so that a later watch is Expired earlier.
	FaultNoBookmark FaultKind = "no-bookmark"
	// FaultNoInitialEnd withholds the bookmark that ends the initial events. The reflector's outcome:
	// Failed, with ErrNoInitialEventsEnd: it cannot know that it has received all objects.
	FaultNoInitialEnd FaultKind = "no-initial-end"
)

// A faultMoment is when a fault can take effect.
type faultMoment int

// The moments after atRequest come only in a watch.
const (
	never faultMoment = iota // of a kind that does not exist
	atConnect
	atRequest
	atHeaders
	atFrame
	atBookmark
	atInitialEnd
)

// moments says when each kind takes effect.
var moments = map[FaultKind]faultMoment{
	FaultRefuse: atConnect,
	FaultStatus: atRequest, FaultDelay: atRequest, FaultHang: atRequest, FaultReset: atRequest,
	FaultLost:  atRequest,
	FaultClose: atHeaders, FaultNoBookmark: atBookmark, FaultNoInitialEnd: atInitialEnd,
	FaultCut: atFrame, FaultGarbage: atFrame, FaultError: atFrame, FaultSilence: atFrame,
	FaultRepeat: atFrame, FaultReorder: atFrame, FaultAlien: atFrame,
}

// faultKinds returns all kinds, sorted.
func faultKinds() []FaultKind { return slices.Sorted(maps.Keys(moments)) }

// A Fault says what fails, for which requests, and how often. Verb to Name say which: a request has
// all of those that are not empty. A watch is known by what it asks for, not by the objects in its
// frames.
type Fault struct {
	Kind FaultKind

	Verb        string // such as "update" for a PUT
	Resource    string // the plural or qualified name: "pods", "widgets.workshop.example.dev"
	Subresource string // "status", "scale" or "finalize", or NoSubresource; zero: with all of them
	Namespace   string // in the path; a request for all namespaces has none
	UserAgent   string // how the User-Agent header begins, such as "my-controller/"
	// Name is the object's: in the path; in the body of a create, where without a name it is the
	// generateName; in the field selector metadata.name=NAME of a list, a watch or a
	// deletecollection. In a body of more than 256 KiB it is not looked for.
	Name string

	// Count is how many times it takes effect: requests, frames, bookmarks or
	// connections, depending on the kind. Zero: once. Negative: until Heal.
	Count int
	// After is how many requests, frames, bookmarks or connections pass before the first time.
	After int

	Code       int           // Status, Error; zero: 500; 409 has the reason Conflict
	Message    string        // Status, Error; zero: "injected fault: " and Code
	RetryAfter time.Duration // Status, Error; zero: no Retry-After
	Delay      time.Duration // Delay
}

// NoSubresource as a fault's Subresource means the objects themselves: an update of a widget, and
// not of its status.
const NoSubresource = "-"

// FaultStatus returns the answer of a fault that answers, with the defaults for its zero fields.
func (f Fault) Status() *status.Status {
	code := cmp.Or(f.Code, 500)
	s := status.Failure(code, cmp.Or(f.Message, fmt.Sprint("injected fault: ", code)), nil)
	if f.RetryAfter > 0 {
		s.Details = &status.Details{RetryAfterSeconds: int(math.Ceil(f.RetryAfter.Seconds()))}
	}
	return s
}

// A duration is a string such as "1.5s" in JSON.
type duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = duration(v)
	return err
}

// readFault decodes a fault: an object with the fields of Fault in lower camel case, durations as
// Go writes them. Unknown fields are errors, so that typos are noticed.
func readFault(body io.Reader) (Fault, error) {
	var in struct {
		Fault
		RetryAfter, Delay duration
	}
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return Fault{}, fmt.Errorf("expected a fault in JSON: %w", err)
	}
	if d.More() {
		return Fault{}, errors.New("expected one fault, found more text after it")
	}
	f := in.Fault
	f.RetryAfter, f.Delay = time.Duration(in.RetryAfter), time.Duration(in.Delay)
	return f, nil
}

// Check returns an error for a fault that would never take effect, or not as its fields say. verbs
// are those that it may name; which resources there are is for the caller to check.
func (f Fault) Check(verbs []string) error {
	switch m := moments[f.Kind]; {
	case m == never:
		return fmt.Errorf("the kind %.100q is not one of %q", f.Kind, faultKinds())
	case f.Verb != "" && !slices.Contains(verbs, f.Verb):
		return fmt.Errorf("the verb %.100q is not one of %q", f.Verb, verbs)
	case m == atConnect && !f.Matches(faultTarget{}):
		return fmt.Errorf("%s affects connections: expected no verb (%s), resource (%.100s), "+
			"subresource (%.100s), namespace (%.100s), name (%.100s) or userAgent (%.100s)",
			f.Kind, f.Verb, f.Resource, f.Subresource, f.Namespace, f.Name, f.UserAgent)
	case m > atRequest && f.Verb != "" && f.Verb != "watch":
		return fmt.Errorf("%s affects only watches: expected the verb watch or none, not %s",
			f.Kind, f.Verb)
	case f.ofSubresource() && (m > atRequest || !slices.Contains(subresourceVerbs, f.Verb)):
		return fmt.Errorf("a %s of the subresource %.100q never happens: it has the verbs %q",
			cmp.Or(f.Verb, "watch"), f.Subresource, subresourceVerbs[1:])
	case f.After < 0 || f.RetryAfter < 0 || f.Delay < 0:
		return fmt.Errorf("after (%d), retryAfter (%v) and delay (%v) must not be negative",
			f.After, f.RetryAfter, f.Delay)
	case f.Code != 0 && (f.Code < 400 || f.Code > 599):
		return fmt.Errorf("the code %d is not an error code: expected 400 to 599", f.Code)
	case f.Kind == FaultDelay && f.Delay == 0:
		return errors.New(`a delay needs a duration, such as "delay":"5s"`)
	}
	return nil
}

// subresourceVerbs are what a request for a subresource can be. A fault may name none.
var subresourceVerbs = []string{"", "get", "patch", "update"}

func (f Fault) ofSubresource() bool { return f.Subresource != "" && f.Subresource != NoSubresource }
