package fakeapi

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/wire"
)

// A FaultKind is one way in which a server, or the network before it, fails.
type FaultKind string

// The faults, ordered by the moment at which they strike. Each names the branch of a reflector that
// it exercises: the outcome in the reflector's table.
const (
	// When a connection is made:

	// FaultRefuse refuses the connection, and resets those that are open when it is injected.
	// Reflector: opening a watch is Busy and keeps the version, a list has Failed; both back off.
	FaultRefuse FaultKind = "refuse"

	// When a request has been understood, before it is served:

	// FaultStatus answers with a Status of Code, Message and RetryAfter. Reflector: Expired for
	// 410, Busy for 429 and for 5xx with RetryAfter, Failed for anything else.
	FaultStatus FaultKind = "status"
	// FaultDelay serves the request after Delay. Reflector: no branch; other requests must not wait.
	FaultDelay FaultKind = "delay"
	// FaultHang does not answer; the request ends when the client gives up or the server closes.
	// Reflector: Idle, as only a timeout of its own ends the wait.
	FaultHang FaultKind = "hang"
	// FaultReset breaks the connection instead of answering. Reflector: Failed, back off.
	FaultReset FaultKind = "reset"

	// When a watch has sent its headers:

	// FaultClose ends the watch before its first frame. Reflector: VeryShort, a watch without events.
	FaultClose FaultKind = "close"

	// When a watch is about to send a frame:

	// FaultCut sends half the frame and breaks the connection. Reflector: CutShort in the first
	// second, Ended after it; the half frame must not become an event.
	FaultCut FaultKind = "cut"
	// FaultGarbage sends a line that is not JSON before the frame. Reflector: Failed, as the stream
	// cannot be trusted any more.
	FaultGarbage FaultKind = "garbage"
	// FaultError sends an ERROR event with a Status of Code instead of the frame, and ends the
	// watch. Reflector: Expired for 410, Busy for 429, Internal for 500, Failed for anything else.
	FaultError FaultKind = "error"
	// FaultSilence sends nothing from this frame on and leaves the connection open, as if the
	// machine had lost power. Reflector: Idle, as for FaultHang.
	FaultSilence FaultKind = "silence"
	// FaultRepeat sends the frame twice. Reflector: no branch; its store must accept the repetition.
	FaultRepeat FaultKind = "repeat"
	// FaultReorder sends the frame after the next one. Reflector: no branch; the version from which
	// it would resume goes back.
	FaultReorder FaultKind = "reorder"
	// FaultAlien sends an object of another kind before the frame. Reflector: no branch; the event
	// is skipped and reported, the stream goes on.
	FaultAlien FaultKind = "alien"

	// When a watch is about to send a bookmark:

	// FaultNoBookmark withholds the bookmark. Reflector: no branch now, but its version
	// gets old, so that a later watch is Expired earlier.
	FaultNoBookmark FaultKind = "no-bookmark"
	// FaultNoInitialEnd withholds the bookmark that ends the initial events. Reflector: Unfinished,
	// as it cannot know that it has received all objects.
	FaultNoInitialEnd FaultKind = "no-initial-end"
)

// A Fault is a failure that Inject arms.
type Fault struct {
	Kind     FaultKind
	Verb     string // only for requests with this verb; zero: any
	Resource string // only for this plural or qualified name; zero: any

	// Count is how many times it strikes: requests, frames, bookmarks or
	// connections, depending on the kind. Zero: once. Negative: until Heal.
	Count int
	// After is how many requests, frames, bookmarks or connections pass before the
	// first strike.
	After int

	Code       int           // FaultStatus, FaultError; zero: 500
	Message    string        // FaultStatus, FaultError; zero: "injected fault: " and Code
	RetryAfter time.Duration // FaultStatus, FaultError; zero: no Retry-After
	Delay      time.Duration // FaultDelay
}

// A moment is when a fault can strike.
type moment int

const (
	atConnect moment = iota
	atRequest
	atHeaders
	atFrame
	atBookmark
	atInitialEnd
)

// moment returns when the kind strikes.
func (k FaultKind) moment() moment {
	switch k {
	case FaultRefuse:
		return atConnect
	case FaultClose:
		return atHeaders
	case FaultCut, FaultGarbage, FaultError, FaultSilence, FaultRepeat, FaultReorder, FaultAlien:
		return atFrame
	case FaultNoBookmark:
		return atBookmark
	case FaultNoInitialEnd:
		return atInitialEnd
	}
	return atRequest
}

// faultSet is the faults that are armed.
type faultSet struct {
	armed atomic.Int32 // len(list): nothing is locked when all is well

	mu   sync.Mutex
	list []*Fault // in the order of injection; the first that matches strikes
}

// Inject arms a fault. Faults of one moment strike in the order in which they
// were injected, one at a time. FaultRefuse also drops all open connections. Inject
// does not validate f: an unknown Kind resets the connection, an unknown Verb or
// Resource never matches.
func (s *Server) Inject(f Fault) {
	s.faults.arm(f)
	if f.Kind == FaultRefuse {
		s.DropConnections()
	}
}

// arm adds a fault, with the defaults for its zero fields.
func (s *faultSet) arm(f Fault) {
	if f.Count == 0 {
		f.Count = 1
	}
	if f.Code == 0 {
		f.Code = http.StatusInternalServerError
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, &f)
	s.armed.Store(int32(len(s.list)))
}

// Heal disarms all faults. A stream that is silent already stays silent, and a request
// that hangs keeps hanging.
func (s *Server) Heal() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = nil
	s.faults.armed.Store(0)
}

// take returns the fault that strikes q at a moment, if any, and counts the strike. q
// is nil for connections.
func (f *faultSet) take(q *request, m moment, trace *Trace) (Fault, bool) {
	if f.armed.Load() == 0 {
		return Fault{}, false
	}
	f.mu.Lock()
	hit, ok := f.strike(q, m)
	f.armed.Store(int32(len(f.list)))
	f.mu.Unlock()
	if ok && trace.Fault != nil {
		trace.Fault(q.describe(), hit)
	}
	return hit, ok
}

// strike does the work of take, with the lock held.
func (f *faultSet) strike(q *request, m moment) (Fault, bool) {
	for i, a := range f.list {
		if a.Kind.moment() != m || !a.matches(q) {
			continue
		}
		if a.After > 0 {
			a.After--
			continue
		}
		hit := *a
		if a.Count > 0 {
			a.Count--
		}
		if a.Count == 0 {
			f.list = slices.Delete(f.list, i, i+1)
		}
		return hit, true
	}
	return Fault{}, false
}

func (f *Fault) matches(q *request) bool {
	if q == nil {
		return true
	}
	return (f.Verb == "" || f.Verb == q.verb) &&
		(f.Resource == "" || f.Resource == q.r().Plural || f.Resource == q.r().QualifiedName())
}

// refuses reports whether a fault refuses a new connection.
func (f *faultSet) refuses() bool {
	_, hit := f.take(nil, atConnect, &Trace{})
	return hit
}

// interfere lets faults strike a request that is about to be served. It returns true
// if a fault has answered the request, and panics with http.ErrAbortHandler if there
// must be no answer.
func (s *Server) interfere(w http.ResponseWriter, q *request) bool {
	f, hit := s.faults.take(q, atRequest, s.opts.Trace)
	if !hit {
		return false
	}
	switch f.Kind {
	case FaultStatus:
		wire.Fail(w, q.http, status.Injected(f.Code, f.Message, f.RetryAfter))
		return true
	case FaultDelay:
		if s.pause(q, f.Delay) {
			return false
		}
	case FaultHang:
		s.pause(q, -1)
	}
	panic(http.ErrAbortHandler) // no answer, not even an empty one
}

// pause waits for d, or for ever if d is negative. It returns false if the client
// disconnects or the server closes before that.
func (s *Server) pause(q *request, d time.Duration) bool {
	var over <-chan time.Time
	if d >= 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		over = t.C
	}
	select {
	case <-over:
		return true
	case <-q.http.Context().Done():
	case <-s.closing.Done():
	}
	return false
}

// faultKinds are all kinds, in the order of their moments.
var faultKinds = []FaultKind{FaultRefuse, FaultStatus, FaultDelay, FaultHang, FaultReset,
	FaultClose, FaultCut, FaultGarbage, FaultError, FaultSilence, FaultRepeat, FaultReorder,
	FaultAlien, FaultNoBookmark, FaultNoInitialEnd}
