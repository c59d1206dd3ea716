package informer

import (
	"cmp"
	"fmt"
	"log/slog"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer/mutation"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// Options says what to watch and how. Only ListerWatcher is needed.
type Options struct {
	// ListerWatcher lists and watches the collection, for example a client of package
	// reflector/client.
	ListerWatcher reflector.ListerWatcher
	// Name says in logs and errors what is watched. Empty: what the ListerWatcher says if it is a
	// fmt.Stringer, as a client.Client is ("pods", "deployments.apps"); else "objects".
	Name string
	// Indexers are the indices of the cache, by name. Nil: none; see also AddIndexers.
	Indexers indexer.Indexers
	// Queue chooses the queue between reflector and cache. Zero: the [DeltaFIFO].
	Queue QueueKind
	// WrapQueue is given the queue and returns what reflector and process loop use in its place,
	// for example one that waits before Pop or counts. What it returns must do all that the queue
	// does; a [RealFIFO] also has PopBatch (see [Queue]) and UpdateResourceVersion. Nil: the queue
	// itself.
	WrapQueue func(Queue) Queue
	// Transform changes objects before they are stored, for example to drop fields that are never
	// read. It runs on the reflector's goroutine, under the queue's lock. Nil: none.
	Transform deltafifo.TransformFunc
	// ResyncPeriod is how often the cache is replayed to the handlers, as updates without a
	// change, a second at least. It is the default for handlers whose own period is zero. A resync
	// never contacts the server. Zero: never. (A plain informer takes a shorter period, too.)
	ResyncPeriod time.Duration
	// WatchErrorHandler is called with each error of list, watch and resync; see the option of the
	// same name in [reflector.Config]. It must not block. Nil: errors are logged.
	WatchErrorHandler func(error)
	// Reflector says how to list and watch: whether to stream lists, their page size, pauses.
	Reflector reflector.Options
	// OnProcessError is called once for each key that was processed with an error, for example if
	// an IndexFunc refused an object. Such an object is in the cache, and handlers are called with
	// it; only that index does not find it. OnProcessError is called by the process loop and must
	// not block. Nil: the error is logged.
	OnProcessError func(error)
	// OnPanic is called when a handler has panicked. The handler is called with its next
	// notification after a pause; see [processor.Options]. Nil: the program crashes.
	OnPanic func(handler string, n processor.Notification, recovered any)
	// MutationDetector finds out which handler changes objects of the cache. Nil: off, at no cost.
	MutationDetector *mutation.Detector
	// Trace has the funcs that each stage calls when it does something. Nil fields cost nothing.
	Trace Trace
	// Logger gets the errors that cannot be returned and for which no func of the options is set.
	// Nil: nothing is logged.
	Logger *slog.Logger
}

// Trace bundles the traces of the stages. The stages call them under their locks: a trace must
// return soon. The package doc says what it must not call.
type Trace struct {
	Reflector *reflector.Trace
	Queue     *deltafifo.Trace // of the queue that Options.Queue chooses
	Indexer   *indexer.Trace
	Processor *processor.Trace
	// Synced says that the first list is in the cache. It is called once, before the channel of
	// [SharedIndexInformer.Synced] is closed, and before a registration has synced. (A plain
	// informer has only the Synced of its queue.)
	Synced func()
}

// complete returns the options with a Name, a Logger and an OnProcessError. It panics if they
// cannot be used.
func (o Options) complete() Options {
	if watchglass.IsNil(o.ListerWatcher) {
		panic("informer: Options.ListerWatcher is nil")
	}
	if o.Queue != DeltaFIFO && o.Queue != RealFIFO {
		panic(fmt.Sprintf("informer: Options.Queue is %v: there is no such queue", o.Queue))
	}
	if named, ok := o.ListerWatcher.(fmt.Stringer); ok && o.Name == "" {
		o.Name = named.String()
	}
	o.Name = cmp.Or(o.Name, "objects")
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.OnProcessError == nil {
		o.OnProcessError = func(err error) {
			o.Logger.Error("object processed with an error", "of", o.Name, "error", err)
		}
	}
	return o
}

// reflector returns the options of the reflector that fills a store.
func (o Options) reflector(store reflector.Store) reflector.Config {
	return reflector.Config{
		ListerWatcher:     o.ListerWatcher,
		Store:             store,
		Name:              o.Name,
		Options:           o.Reflector,
		ResyncPeriod:      o.ResyncPeriod,
		WatchErrorHandler: o.WatchErrorHandler,
		Trace:             o.Trace.Reflector,
		Logger:            o.Logger,
	}
}
