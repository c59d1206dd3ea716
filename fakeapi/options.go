package fakeapi

import (
	"log/slog"
	"time"
)

// Options configure a Server. The zero value is a complete, useful server.
type Options struct {
	// Resources are the collections served. Nil: DefaultResources. A
	// CustomResourceDefinition of the same name takes the place of a custom one.
	Resources []Resource

	// RequireNamespaces makes the server refuse, with 404, to create an object in a
	// namespace that is missing, as a real server does. False: namespaces need not be
	// made, which suits tests that do not care. In a namespace that is there and
	// terminating nothing can be created either way.
	RequireNamespaces bool

	// HistoryCount is how many events of each resource are remembered, for
	// watches that start in the past, for continued lists and for lists at an
	// exact version. Zero: 10,000. The real server's watch cache starts at 100
	// and grows up to 102,400.
	HistoryCount int

	// HistoryAge is how long an event is remembered. Zero: five minutes, after
	// which a real server has its storage compacted. The age is looked at when
	// something is written and when a list of the past is read. There is no timer:
	// a watch of what is quiet may start at a version that is older.
	HistoryAge time.Duration

	// HistoryBytes is how many bytes of objects the remembered events of each
	// resource may hold. Zero: 64 MiB. Without it, a few hundred updates of a large
	// object would take a gigabyte. A watcher that falls behind by more is cut off,
	// because it keeps alive what it has not read yet.
	HistoryBytes int

	// BookmarkInterval is the time between bookmarks on a watch that allows
	// them. Zero: one minute. Another bookmark comes two seconds before the end
	// of a watch; none comes that would say nothing new.
	BookmarkInterval time.Duration

	// WatchBuffer is how many events a watcher may fall behind before it is cut
	// off. Zero: 4,096. Events are shared, so being behind costs no copies, but
	// it keeps events alive that all others have long forgotten.
	WatchBuffer int

	// WatchTimeout ends a watch that asked for no timeoutSeconds. Zero: half
	// an hour, the shortest a real server would choose.
	WatchTimeout time.Duration

	// MaxBody is the largest request body in bytes; a larger one is answered
	// with 413. Zero: 3 MiB, as the real server has it.
	MaxBody int64

	// Token, if not empty, must come with every request as a bearer token;
	// without it the answer is 401. Health checks need none.
	Token string

	// AllowHosts are names that requests may have in their Host header, without a
	// port. If there are any, loopback addresses and names without a dot, such as
	// localhost, are allowed as well, and a request for another name is answered
	// with 403: it may come from a web page whose own name leads to this machine
	// (DNS rebinding). Empty: all names.
	AllowHosts []string

	// Control makes the server answer POST requests below /fakeapi/ as well, by
	// which any HTTP client can make it fail: see fault_control.go. False: those paths
	// are as unknown as they are to a real server.
	Control bool

	// Logger is told of requests and of what goes wrong. Nil: nothing is logged.
	Logger *slog.Logger

	// Trace is told what the server does, as it does it. Nil: nothing is told.
	Trace *Trace
}

// Validate says what is wrong with the Resources, which is what New panics about.
func (o Options) Validate() error {
	o = o.withDefaults()
	_, err := newLifecycle(newStore(o), &o)
	return err
}

// withDefaults is o with every zero replaced by what it means.
func (o Options) withDefaults() Options {
	if o.Resources == nil {
		o.Resources = DefaultResources()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Trace == nil {
		o.Trace = &Trace{}
	}
	o.HistoryCount = orDefault(o.HistoryCount, 10_000)
	o.HistoryAge = orDefault(o.HistoryAge, 5*time.Minute)
	o.HistoryBytes = orDefault(o.HistoryBytes, 64<<20)
	o.BookmarkInterval = orDefault(o.BookmarkInterval, time.Minute)
	o.WatchBuffer = orDefault(o.WatchBuffer, 4096)
	o.WatchTimeout = orDefault(o.WatchTimeout, 30*time.Minute)
	o.MaxBody = orDefault(o.MaxBody, 3<<20)
	return o
}

// orDefault is v, or fallback where v is zero or less and so means "as usual".
func orDefault[T int | int64 | time.Duration](v, fallback T) T {
	if v <= 0 {
		return fallback
	}
	return v
}
