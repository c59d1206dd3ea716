package reflector

import (
	"cmp"
	"fmt"
	"log/slog"
	"time"
)

// Config says what a [Reflector] is: between which server and which store it stands, and which
// funcs are called with what it does. ListerWatcher and Store are required; all other fields may be
// zero.
type Config struct {
	ListerWatcher ListerWatcher
	Store         Store

	// Name is what errors begin with. Empty: that of the ListerWatcher, if it is a fmt.Stringer, as
	// a client.Client is; otherwise "reflector".
	Name string

	// Options says how it lists and watches.
	Options

	// ResyncPeriod is the time between two calls of Store.Resync; zero means that there are none.
	// The calls begin after the first list, and no request is sent. Unlike in client-go, a relist
	// does not restart the period, so frequent relists cannot prevent a resync.
	ResyncPeriod time.Duration
	// ShouldResync is called before each resync; if it returns false, that resync is left out. Nil
	// leaves none out. It is called by the goroutine of the resync timer.
	ShouldResync func() bool

	// WatchErrorHandler is called for every error, whether it ended a list or a watch or only
	// caused one event to be skipped, and before the pause that may follow. It must not block. Nil
	// means that errors are logged. It is called by the goroutine of Run, and for a failed Resync
	// by the goroutine of the resync timer.
	WatchErrorHandler func(err error)
	Trace             *Trace       // called at each step; nil: nothing is called
	Logger            *slog.Logger // nil: nothing is logged
}

// Options says how a [Reflector] lists and watches. The zero value is right for most programs. An
// informer takes one, too.
type Options struct {
	// ListFirst fetches the collection by a list. By default it is fetched by a streaming list: a
	// watch that begins with all of it, object by object. (Since Kubernetes 1.33 a server writes a
	// list item by item, too.) If streaming fails, the reflector lists, and streams again the next
	// time.
	ListFirst bool

	// PageSize is how many objects a list asks for at a time. Zero means client-go's rule: 500,
	// but everything at once for a list at a known version, because then the server may answer
	// with a newer state. Pages would be of exactly that version, which it may have no longer.
	PageSize int64

	// IdleTimeout is how long a watch may be silent before it is closed and a new one is opened.
	// Zero means 30 s more than the server was asked to let it last. Servers send a bookmark about
	// once a minute. If nothing happens in the collection, the first one may come only after ten
	// minutes, so a shorter timeout causes some needless requests.
	IdleTimeout time.Duration

	// Backoff is how long to wait between attempts; its zero value is client-go's.
	Backoff Backoff
}

const (
	// listTimeout is how long the server may be silent while it answers a list. If the ListerWatcher
	// does not say that parts arrive ([ListOptions.Progress]), the whole answer has this time.
	listTimeout = 2 * time.Minute
	// streamingTimeout is how long a streaming list may bring no further object before the reflector
	// lists instead: some servers never mark the end of the initial events. The time that the store
	// takes does not count.
	streamingTimeout = 2 * time.Minute
	// watchTimeout is the least time after which the server is asked to end a watch. The actual time
	// is random between it and its double, so that the watches of many clients do not all end at the
	// same time.
	watchTimeout = 5 * time.Minute
)

func (o Config) withDefaults() Config {
	if named, ok := o.ListerWatcher.(fmt.Stringer); ok && o.Name == "" {
		o.Name = named.String()
	}
	o.Name = cmp.Or(o.Name, "reflector")
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	lw, ok := o.ListerWatcher.(interface{ IsWatchListSemanticsUnSupported() bool })
	o.ListFirst = o.ListFirst || ok && lw.IsWatchListSemanticsUnSupported()
	o.Backoff = o.Backoff.withDefaults()
	return o
}
