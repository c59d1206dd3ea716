package reflector

import (
	"context"

	"example.com/watchglass"
)

// ListerWatcher is all that a [Reflector] wants to know of an API server. The one that speaks HTTP
// is the client of package wire; tests and other transports bring their own.
type ListerWatcher interface {
	// List returns one page of the collection, or all of it where opts.Limit is 0. It does not
	// follow continue tokens; the reflector does.
	List(ctx context.Context, opts ListOptions) (*List, error)
	// Watch opens a stream of what happens after opts.ResourceVersion. The stream is bound to ctx:
	// when ctx ends, a Next that waits returns promptly with an error. Where Watch itself returns
	// an error there is nothing to close.
	Watch(ctx context.Context, opts ListOptions) (Watch, error)
}

// Watch is an open stream of events. It is pulled: whoever wants the next event asks for it, and
// while nobody asks, nothing is read, so a slow consumer is felt by the server through TCP.
type Watch interface {
	// Next waits for the next event. It returns
	//   - io.EOF when the server has ended the stream in an orderly way,
	//   - an [*ObjectError] for an event that cannot be used: the stream goes on, ask again,
	//   - a [*StatusError] when the server sent an ERROR event: the stream is of no use any more,
	//   - any other error when the stream broke or held something else than events.
	Next() (Event, error)
	// Close ends the stream and frees its connection. It may be called more than once, and while
	// Next waits, which then returns with an error.
	Close() error
}

// ListOptions are the query parameters of a list or a watch that change from request to request.
// What is the same for all (selectors, say) belongs to the [ListerWatcher]. Names are those of
// meta/v1 ListOptions; zero fields are not sent.
type ListOptions struct {
	// ResourceVersion: "" is the latest state, read through to the database; "0" is any state
	// that the server has at hand; anything else is at least as new as that version for a list
	// (exactly it, for a list with a Limit), and whatever comes after it for a watch.
	ResourceVersion      string
	ResourceVersionMatch string // "", "NotOlderThan" or "Exact"

	Limit    int64  // of a list: most items in one page; 0 is no limit
	Continue string // of a list: where the page before ended

	TimeoutSeconds      int64 // of a watch: when the server shall end it; 0 leaves it to the server
	AllowWatchBookmarks bool  // of a watch: send versions now and then, although nothing changed
	SendInitialEvents   bool  // of a watch: begin with the present state, then mark its end
}

// List is one page of a collection, or the whole of it. Each item is an allocation of its own: one
// that is kept does not keep the others from being freed.
type List struct {
	Items           []watchglass.Object
	ResourceVersion string // the version of the collection, to watch from; may be empty
	Continue        string // where the next page begins; empty on the last
}

// EventType says what happened to an object, in the words of the wire.
type EventType string

// The types of events that a [Watch] returns. The fifth type of the wire, ERROR, is not among them:
// it comes as the error of Next.
const (
	Added    EventType = "ADDED"    // created, or now matches the selector, or initial state
	Modified EventType = "MODIFIED" // changed
	Deleted  EventType = "DELETED"  // deleted, or no longer matches; the object is its last state
	Bookmark EventType = "BOOKMARK" // nothing happened up to this version
)

// Event is one event of a watch.
type Event struct {
	Type EventType
	// Object is the object, as it was after the change (for Deleted: before it). It is nil for a
	// Bookmark, which has nothing but a version.
	Object watchglass.Object
	// ResourceVersion is where a watch that resumes behind this event must begin: the object's own,
	// or the bookmark's.
	ResourceVersion string
	// InitialEventsEnd marks the bookmark behind the initial events of a watch with
	// SendInitialEvents: what came before it is the collection at ResourceVersion.
	InitialEventsEnd bool
}

// Store receives what the reflector learns. It is the narrow end of a queue or a cache: whoever
// writes to it does not read it.
//
// Add, Update, Delete and Replace come from the goroutine of Run, one after another. Resync comes
// from a second one, at its own time.
type Store interface {
	Add(obj watchglass.Object) error
	Update(obj watchglass.Object) error
	Delete(obj watchglass.Object) error
	// Replace makes list, which is the collection at resourceVersion, the whole content. The slice
	// belongs to the store from then on.
	Replace(list []watchglass.Object, resourceVersion string) error
	// Resync sends everything that is already known on its way once more. No server is asked.
	Resync() error
}
