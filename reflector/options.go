package reflector

import (
	"cmp"
	"log/slog"
	"time"
)

// Options configure a [Reflector]. ListerWatcher and Store are required; every other field may be
// left zero.
type Options struct {
	ListerWatcher ListerWatcher
	Store         Store

	// Name is for logs and errors; empty means "reflector".
	Name string

	// ResyncPeriod is the time between two calls of Store.Resync; zero means that there are none.
	// The calls begin after the first list, and no request is sent. Unlike in client-go, a relist
	// does not restart the period, so frequent relists cannot prevent a resync.
	ResyncPeriod time.Duration
	// ShouldResync is called before each resync; if it returns false, that resync is left out. Nil
	// leaves none out. It is called by the goroutine of the resync timer.
	ShouldResync func() bool

	// PageSize is how many objects a list asks for at a time. Zero means client-go's rule: 500,
	// but everything at once for a list at a known version, because then the server may answer
	// with a newer state. Pages would be of exactly that version, which it may have no longer.
	PageSize int64

	// ListTimeout is how long the server may be silent while it answers a list; zero means 2 minutes.
	// After that the list fails with [ErrListTimeout], and a pause follows. A list may take any time
	// in which parts of it arrive. If the ListerWatcher does not say so ([ListOptions.Progress]), the
	// whole answer has this time.
	ListTimeout time.Duration

	// ListFirst fetches the collection by a list. By default it is fetched by a streaming list: a
	// watch that begins with all of it. The server sends that object by object, so neither side
	// ever holds it as one document. If streaming fails, the reflector lists, and streams again the
	// next time.
	ListFirst bool
	// StreamingTimeout is how long a streaming list may bring no further object before the reflector
	// lists instead; zero means 2 minutes. It is needed because some servers never mark the end of
	// the initial events. A stream that ends too early is asked for again, but no later than this
	// after the first one. The time that the store takes does not count.
	StreamingTimeout time.Duration

	// MinWatchTimeout is the least time after which the server is asked to end a watch; the actual
	// time is random between it and its double, so that the watches of many clients do not all end
	// at the same time. Less than 5 minutes, zero included, means 5 minutes; more than a year means
	// a year.
	MinWatchTimeout time.Duration
	// IdleTimeout is how long a watch may be silent before it is closed and a new one is opened.
	// Zero means 30 s more than the server was asked to let it last. Servers send a bookmark about
	// once a minute, but only if there is news, so a short timeout causes some needless requests.
	IdleTimeout time.Duration
	// Backoff is how long to wait between attempts; its zero value is client-go's.
	Backoff Backoff
	// MaxInternalErrorRetry is how long a series of errors "500 InternalError" inside streams leads
	// to new watches instead of a list; zero means that the first one leads to a list. A new watch
	// is opened immediately or, if the failed one ended within a second and brought no newer
	// version, after a pause.
	MaxInternalErrorRetry time.Duration

	// WatchErrorHandler is called for every error, whether it ended a list or a watch or only
	// caused one event to be skipped, and before the pause that may follow. It must not block. Nil
	// means that errors are logged. It is called by the goroutine of Run, and for a failed Resync
	// by the goroutine of the resync timer.
	WatchErrorHandler func(err error)
	Trace             *Trace       // called at each step; nil: nothing is called
	Logger            *slog.Logger // nil: nothing is logged
}

func (o Options) withDefaults() Options {
	o.Name = cmp.Or(o.Name, "reflector")
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	lw, ok := o.ListerWatcher.(interface{ IsWatchListSemanticsUnSupported() bool })
	o.ListFirst = o.ListFirst || ok && lw.IsWatchListSemanticsUnSupported()
	o.MinWatchTimeout = min(max(o.MinWatchTimeout, 5*time.Minute), aYear)
	o.ListTimeout = cmp.Or(max(0, o.ListTimeout), 2*time.Minute)
	o.Backoff = o.Backoff.withDefaults()
	o.StreamingTimeout = cmp.Or(max(0, o.StreamingTimeout), 2*time.Minute)
	return o
}
