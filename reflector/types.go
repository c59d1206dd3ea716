package reflector

import (
	"context"

	"example.com/watchglass"
)

// ListerWatcher is all that a [Reflector] needs of an API server. The one for HTTP is the client of
// package client; tests and other transports bring their own.
//
// A ListerWatcher that cannot stream lists declares this, as in client-go, with a method
// IsWatchListSemanticsUnSupported() bool that returns true. The reflector then lists as with
// [Options.ListFirst]. If the method is missing and Watch ignores SendInitialEvents, the reflector
// waits for two minutes before each list.
type ListerWatcher interface {
	// List returns one page of the collection, or all of it if opts.Limit is 0. It does not follow
	// continue tokens; the reflector does. The reflector does not change the page.
	List(ctx context.Context, opts ListOptions) (*List, error)
	// Watch opens a stream of what happens after opts.ResourceVersion. The stream is bound to ctx:
	// when ctx ends, a Next that waits returns promptly with an error. If Watch itself returns an
	// error, there is nothing to close.
	Watch(ctx context.Context, opts ListOptions) (Watch, error)
}

// Watch is an open stream of events. It is pulled: the reflector asks for the next event when the
// store has taken the one before.
type Watch interface {
	// Next waits for the next event. It returns
	//   - io.EOF when the server has ended the stream in an orderly way,
	//   - an [*ObjectError] for an event that is to be skipped: the stream goes on, call Next again,
	//   - a [*StatusError] when the server sent an ERROR event: the stream is over,
	//   - a [*DecodeError] or [*TooLargeError] when it sent something that is not an event,
	//   - any other error when the connection broke.
	Next() (Event, error)
	// Close ends the stream and frees its connection. It may be called more than once. If another
	// goroutine waits in Next, that call returns an error.
	Close() error
}

// ListOptions are the query parameters of a list or a watch that change from request to request.
// What is the same for all requests (selectors, for example) belongs to the [ListerWatcher]. Names
// are those of meta/v1 ListOptions; zero fields are not sent.
type ListOptions struct {
	// ResourceVersion chooses the state. "" is the latest state, which the server confirms with
	// its database; "0" is any state that the server has at hand. For any other version, a list
	// returns a state at least as new (with a Limit: exactly that state), and a watch returns the
	// changes after it.
	ResourceVersion      string
	ResourceVersionMatch string // "", "NotOlderThan" or "Exact"

	Limit    int64  // of a list: most items in one page; 0 is no limit
	Continue string // of a list: where the page before ended

	TimeoutSeconds      int64 // of a watch: how long the server lets it last; 0: the server decides
	AllowWatchBookmarks bool  // of a watch: send a bookmark from time to time
	SendInitialEvents   bool  // of a watch: begin with the present state, then mark its end

	// Progress is not sent. If it is not nil, List calls it whenever a part of the answer has
	// arrived. It must not block.
	Progress func()
}

// List is one page of a collection, or the whole of it. Each item is an allocation of its own, so
// an item that is kept does not keep the others from being freed.
type List struct {
	Kind string // of the list, for example "PodList"; "" where the server did not say
	// Items are the objects. One that the client could not decode is a [*watchglass.Unusable].
	Items           []watchglass.Object
	ResourceVersion string // the version of the collection, to watch from; may be empty
	Continue        string // where the next page begins; empty on the last
}

// EventType says what happened to an object, by the name that the API server sends.
type EventType string

// The types of events that a [Watch] returns. API servers send a fifth type, ERROR, which Next
// returns as an error.
const (
	Added    EventType = "ADDED"    // created, or now matches the selector, or initial state
	Modified EventType = "MODIFIED" // changed
	Deleted  EventType = "DELETED"  // deleted, or no longer matches; the object is its last state
	Bookmark EventType = "BOOKMARK" // nothing happened up to this version
)

// Event is one event of a watch.
type Event struct {
	Type EventType
	// Object is the object as it was after the change (for Deleted: its last state), or a
	// [*watchglass.Unusable] if the client could not decode it. It is nil for a Bookmark, which has
	// nothing but a version.
	Object watchglass.Object
	// ResourceVersion is the version from which the next watch must begin to miss nothing and to
	// repeat nothing: the object's own version, or the bookmark's.
	ResourceVersion string
	// InitialEventsEnd marks the bookmark after the initial events of a watch with
	// SendInitialEvents: what came before it is the collection at ResourceVersion.
	InitialEventsEnd bool
}

// Store receives what the reflector learns: a queue or a cache. The reflector writes to it and
// never reads it.
//
// Add, Update, Delete and Replace are called by the goroutine of Run, one after another. Resync is
// called by the goroutine of the resync timer, possibly at the same time. If one of them returns an
// error, the watch under way ends and a list follows, usually after a pause.
//
// Any of the objects may be a [*watchglass.Unusable]. The store leaves such an object as it is, or
// deletes it by its key if it gets it in Delete, and takes the rest of a list. It returns the
// Unusable, or errors that wrap some; an error like this is reported, and nothing else follows.
type Store interface {
	Add(obj watchglass.Object) error
	Update(obj watchglass.Object) error
	Delete(obj watchglass.Object) error
	// Replace replaces the whole content by list, which is the collection at resourceVersion. The
	// store owns the slice from then on.
	Replace(list []watchglass.Object, resourceVersion string) error
	// Resync passes everything that is already known on once more, without a request to the server.
	Resync() error
}

// ResourceVersionUpdater is a [Store] that is notified of each version up to which it has been
// given everything, even if only a bookmark brought that version. With it a store can let its
// readers wait until it has reached a version. The goroutine of Run calls it after the store has
// the change.
type ResourceVersionUpdater interface {
	UpdateResourceVersion(resourceVersion string)
}
