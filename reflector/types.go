package reflector

import (
	"context"

	"example.com/watchglass"
)

// ListerWatcher is all that a [Reflector] needs of an API server. The one that speaks HTTP is the
// client of package wire; tests and other transports bring their own.
//
// One that cannot stream lists says so by a method IsWatchListSemanticsUnSupported() bool that
// returns true, as in client-go. The reflector then lists as with [Options.ListFirst]. Without that
// method, a Watch that ignores SendInitialEvents costs [Options.StreamingTimeout] each time.
type ListerWatcher interface {
	// List returns one page of the collection, or all of it where opts.Limit is 0. It does not
	// follow continue tokens; the reflector does.
	List(ctx context.Context, opts ListOptions) (*List, error)
	// Watch opens a stream of what happens after opts.ResourceVersion. The stream is bound to ctx:
	// when ctx ends, a Next that waits returns promptly with an error. Where Watch itself returns
	// an error there is nothing to close.
	Watch(ctx context.Context, opts ListOptions) (Watch, error)
}

// Watch is an open stream of events. It is pulled: the reflector asks for the next event when the
// store has taken the one before.
type Watch interface {
	// Next waits for the next event. It returns
	//   - io.EOF when the server has ended the stream in an orderly way,
	//   - an [*ObjectError] for an event that cannot be used: the stream goes on, ask again,
	//   - a [*StatusError] when the server sent an ERROR event: the stream is of no use any more,
	//   - a [*DecodeError] or [*TooLargeError] when it sent something else than events,
	//   - any other error when the connection broke.
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

	TimeoutSeconds      int64 // of a watch: when the server is to end it; 0: the server decides
	AllowWatchBookmarks bool  // of a watch: send versions now and then, although nothing changed
	SendInitialEvents   bool  // of a watch: begin with the present state, then mark its end
}

// List is one page of a collection, or the whole of it. Each item is an allocation of its own, so
// an item that is kept does not keep the others from being freed.
type List struct {
	Kind            string // of the list, for example "PodList"; "" where the server did not say
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
	// ResourceVersion is where a watch that goes on after this event must begin: the object's own
	// version, or the bookmark's.
	ResourceVersion string
	// InitialEventsEnd marks the bookmark behind the initial events of a watch with
	// SendInitialEvents: what came before it is the collection at ResourceVersion.
	InitialEventsEnd bool
}

// Store receives what the reflector learns: a queue or a cache. The reflector writes to it and
// never reads it.
//
// Add, Update, Delete and Replace are called by the goroutine of Run, one after another. Resync is
// called by a second one, at its own time. An error leads to a pause and a list.
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

// ResourceVersionUpdater is a [Store] that wants to be told of each version up to which it has been
// given everything. Bookmarks are included, which change nothing else. With it a store can let its
// readers wait until it has reached a version. The goroutine of Run calls it.
type ResourceVersionUpdater interface {
	UpdateResourceVersion(resourceVersion string)
}
