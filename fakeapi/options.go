package fakeapi

import (
	"cmp"
	"log/slog"
	"time"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/store"
)

// Options configure a Server. The zero value is a complete, useful server.
type Options struct {
	// Resources are the collections served. Nil: DefaultResources. A
	// CustomResourceDefinition of the same name takes the place of a custom one.
	Resources []Resource

	// RequireNamespaces makes the server refuse, with 404, to create an object in a
	// missing namespace, as a real server does. False: namespaces need not exist, which
	// is simpler for tests that do not depend on them. In either case nothing can be
	// created in a namespace that is terminating.
	RequireNamespaces bool

	// CollectGarbage makes the server delete the dependents of a deleted owner, as the garbage
	// collector of a real cluster does, soon after the answer: see registry/garbage.go. False: they
	// stay, and so do the finalizers orphan and foregroundDeletion, for a test that is the collector.
	CollectGarbage bool

	// HistoryBytes is how many bytes of replaced and deleted states are kept, of all resources
	// together and with 512 more for each event, for watches that start at an old version, for
	// continued lists and for lists at an exact version. Zero: 64 MiB. A watcher that falls behind by
	// more is cut off, because the events that it has not read yet stay in memory; the last event
	// does not count, however large it is. A list during whose sending more is written is broken off
	// for the same reason.
	HistoryBytes int

	// HistoryAge is how long an event is kept; it may get an eighth older. Zero: five minutes. (A
	// real server keeps the events of 75 s or more in a busy collection, of hours in a quiet one.)
	HistoryAge time.Duration

	// BookmarkInterval is the time between bookmarks on a watch that allows
	// them. Zero: one minute. Another bookmark is sent two seconds before the end
	// of a watch. A bookmark with a version that has already been sent is left out.
	BookmarkInterval time.Duration

	// WatchBuffer is how many events a watcher may fall behind before it is cut
	// off. Zero: 4,096. Events are shared, so a watcher that is behind costs no copies,
	// but its unread events stay in memory after they have left the history.
	WatchBuffer int

	// Token, if not empty, must come with every request as a bearer token;
	// without it the answer is 401. Health checks need none.
	Token string

	// Local makes Serve and ServeTLS refuse what a web page in a browser of this machine can ask of
	// the server: writes from another origin, and requests under a name that is neither localhost nor
	// a loopback address. False: they answer to any name.
	Local bool

	// Control makes the server accept POST requests below /fakeapi/, with which any HTTP client can
	// make it fail: see fault.go. False: these paths do not exist, as in a real server.
	Control bool

	// Logger receives requests and errors. Nil: nothing is logged.
	Logger *slog.Logger

	// Trace has functions that the server calls while it works. Nil: none is called.
	Trace *Trace
}

// Validate returns the error in Resources with which New would panic, nil if there is none.
func (o Options) Validate() error {
	o = o.withDefaults()
	_, err := registry.New(newStore(o, nil), o.Resources, o.RequireNamespaces)
	return err
}

// newStore returns an empty store with the limits that o sets. garbage, if not nil, gets something
// after a write that may leave some.
func newStore(o Options, garbage chan<- struct{}) *store.Store {
	limits := store.Limits{Bytes: o.HistoryBytes, Age: o.HistoryAge, Behind: o.WatchBuffer}
	committed := o.Trace.Committed
	if committed == nil && garbage == nil {
		return store.New(limits, nil)
	}
	return store.New(limits, func(c *store.Collection, e *store.Event) {
		if d := e.Object.(*object.Document); committed != nil {
			committed(Change{string(e.Type), c.Name(), d.Namespace, d.Name, d.Version(), d.Raw})
		}
		if garbage != nil && registry.MayBeGarbage(e) {
			select {
			case garbage <- struct{}{}:
			default: // the collector will look at this write, too
			}
		}
	})
}

// withDefaults returns o with every zero replaced by its default.
func (o Options) withDefaults() Options {
	if o.Resources == nil {
		o.Resources = DefaultResources()
	}
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	o.Trace = cmp.Or(o.Trace, &Trace{})
	o.HistoryAge = orDefault(o.HistoryAge, 5*time.Minute)
	o.HistoryBytes = orDefault(o.HistoryBytes, 64<<20)
	o.BookmarkInterval = orDefault(o.BookmarkInterval, time.Minute)
	o.WatchBuffer = orDefault(o.WatchBuffer, 4096)
	return o
}

// orDefault returns v, or fallback if v is zero or negative.
func orDefault[T int | time.Duration](v, fallback T) T {
	if v <= 0 {
		return fallback
	}
	return v
}

// A Trace is a set of functions that the server calls as things happen, in the manner of
// net/http/httptrace.ClientTrace. Any of them may be nil, which costs one comparison.
//
// They are called on the server's own goroutines: Committed in the order of
// resource versions and while the store is locked, so it must neither block nor
// call the server; the others concurrently, from many requests.
type Trace struct {
	// Request: a request was understood and is about to be served.
	Request func(Request)
	// Committed: a write took effect. There is one call per watch event.
	Committed func(Change)
	// Sent: a frame was written to a watcher.
	Sent func(Request, FrameInfo)
	// WatchEnded: a watch is over, and why.
	WatchEnded func(Request, EndReason)
	// Fault: an injected fault is about to take effect on a request. A refused
	// connection (FaultRefuse) has no request and is not traced.
	Fault func(Request, Fault)
}

// A Request describes a request to a Trace.
type Request struct {
	Verb        string // get, list, watch, create, update, patch, delete, deletecollection
	Resource    string // plural name, with the group unless core
	Namespace   string // empty for all namespaces and for cluster-wide resources
	Name        string // empty for collections
	Subresource string // status, scale, finalize, or empty
	Query       string // the query parameters, encoded as the client sent them
}

// A Change is one committed write.
type Change struct {
	Type            string // ADDED, MODIFIED or DELETED
	Resource        string // plural name, with the group unless core
	Namespace, Name string
	Version         uint64 // the resourceVersion of this write
	Object          []byte // the JSON as served, which must not be changed
}
