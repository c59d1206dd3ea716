// Package mutation finds out which handler changes objects of an informer's cache. All objects
// there are shared: a handler that sets a label sets it for all other handlers and for the index,
// and the next real update of the object hides it again.
//
//	processor ──Distributed──▶ remember a copy ──▶ compare ──▶ OnMutation
//	          ──Delivered────▶ compare with the copy
//
// A program sets a [Detector] in the informer's options and calls nothing else here. The informer
// uses [Detector.Watch].
package mutation

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/processor"
)

// Detector finds handlers and readers that change objects of the cache. In tests, set the
// informer's Options.MutationDetector to one.
//
// It encodes each object as JSON before the handlers are called with it. It compares after each
// call of a handler with that object, before the object leaves the cache, every Period, and at the
// end of Run. A change is reported once. The encoded objects take about as much memory as the
// objects on the wire, and are released with them.
//
// It finds only changes that show in the JSON. It does not find changes of fields without a JSON
// name, unexported ones included, nor a nil map that becomes an empty one if both are omitted. It
// does not find changes of the old object of an update or of the object of a deletion, which are no
// longer in the cache, nor changes made after an object entered the cache and before it is encoded.
// An object that cannot be encoded is not watched, and the log says so.
//
// Objects are encoded, and KeyFunc is called for them, under the processor's lock too. The package
// doc lists the methods that KeyFunc and MarshalJSON must not call there.
//
// A change that is made while the detector, or any other reader, looks at the object is a data
// race: the race detector reports it, and for a map the runtime may crash the program.
type Detector struct {
	// Period is how often the whole cache is compared. Zero: every second.
	Period time.Duration
	// OnMutation is called for each object that was changed, one call at a time. Run returns after
	// the last call. OnMutation may call the informer. Nil: the error is logged.
	OnMutation func(*Error)
}

// Watch is a detector at work. A nil one does nothing.
//
// It uses the processor's trace, which is called at the right moments: when a notification is
// distributed, and before and after each call of a handler. So the process loop needs no code for
// it.
type Watch struct {
	period time.Duration
	report func(*Error)
	keyOf  watchglass.KeyFunc
	log    *slog.Logger

	wake chan struct{} // holds a value if something was found

	mu      sync.Mutex
	objects map[string]*remembered // by key: what is in the cache
	found   []*Error               // not reported yet
}

// Watch returns a watch that has seen no object, nil if the detector is nil. The name is what the
// log calls the objects. keyOf must handle tombstones.
func (d *Detector) Watch(name string, keyOf watchglass.KeyFunc, log *slog.Logger) *Watch {
	if d == nil {
		return nil
	}
	w := &Watch{
		period:  d.Period,
		report:  d.OnMutation,
		keyOf:   keyOf,
		log:     log,
		wake:    make(chan struct{}, 1),
		objects: map[string]*remembered{},
	}
	if w.period <= 0 {
		w.period = time.Second
	}
	if w.report == nil {
		w.report = func(err *Error) {
			w.log.Error("cached object was changed", "of", name, "err", err)
		}
	}
	return w
}

// Trace returns a trace that calls the watch and then t, which may be nil.
func (w *Watch) Trace(t *processor.Trace) *processor.Trace {
	if w == nil {
		return t
	}
	if t == nil {
		t = &processor.Trace{}
	}
	both := *t
	both.Distributed = func(batch []processor.Notification, isSync bool) {
		w.distributed(batch)
		if t.Distributed != nil {
			t.Distributed(batch, isSync)
		}
	}
	both.Delivering = func(listener string, n processor.Notification) {
		w.delivering(listener, n)
		if t.Delivering != nil {
			t.Delivering(listener, n)
		}
	}
	both.Delivered = func(listener string, n processor.Notification) {
		w.delivered(listener, n)
		if t.Delivered != nil {
			t.Delivered(listener, n)
		}
	}
	return &both
}

// Run compares and reports until ctx ends. Handlers that drain may still be called after that;
// Finish finds what they change.
func (w *Watch) Run(ctx context.Context) {
	if w == nil {
		return
	}
	ticker := time.NewTicker(w.period)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			w.compareAll()
		case <-w.wake:
		}
		w.reportFound()
	}
}

// Finish compares and reports for the last time, after the last call of a handler.
func (w *Watch) Finish() {
	if w == nil {
		return
	}
	w.compareAll()
	w.reportFound()
}

func (w *Watch) compareAll() {
	w.mu.Lock()
	all := make([]*remembered, 0, len(w.objects))
	for _, r := range w.objects {
		all = append(all, r)
	}
	w.mu.Unlock()
	for _, r := range all {
		w.compare(r, "")
	}
}

func (w *Watch) reportFound() {
	w.mu.Lock()
	found := w.found
	w.found = nil
	w.mu.Unlock()
	for _, err := range found {
		w.report(err)
	}
}
