package informer

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/processor"
)

// MutationDetector finds handlers and readers that change objects of the cache. All objects there
// are shared: a handler that sets a label sets it for all other handlers and for the index, and the
// next real update of the object hides it again. Set [Options.MutationDetector] to one in tests.
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
type MutationDetector struct {
	// Period is how often the whole cache is compared. Zero: every second.
	Period time.Duration
	// OnMutation is called for each object that was changed, one call at a time. Run returns after
	// the last call. OnMutation may call the informer. Nil: the error is logged.
	OnMutation func(*MutationError)
}

// mutationDetector does the work. A nil one does nothing.
//
// It uses the processor's trace, which is called at the right moments: when a notification is
// distributed, and before and after each call of a handler. So the process loop needs no code for
// it.
type mutationDetector struct {
	period time.Duration
	report func(*MutationError)
	keyOf  watchglass.KeyFunc // handles tombstones
	log    *slog.Logger

	wake chan struct{} // holds a value if something was found

	mu      sync.Mutex
	objects map[string]*remembered // by key: what is in the cache
	found   []*MutationError       // not reported yet
}

// newMutationDetector is called with options that are complete. It returns nil if they have no
// MutationDetector.
func newMutationDetector(o Options, keyOf watchglass.KeyFunc) *mutationDetector {
	if o.MutationDetector == nil {
		return nil
	}
	d := &mutationDetector{
		period:  o.MutationDetector.Period,
		report:  o.MutationDetector.OnMutation,
		keyOf:   keyOf,
		log:     o.Logger,
		wake:    make(chan struct{}, 1),
		objects: map[string]*remembered{},
	}
	if d.period <= 0 {
		d.period = time.Second
	}
	if d.report == nil {
		d.report = func(err *MutationError) {
			d.log.Error("cached object was changed", "of", o.Name, "err", err)
		}
	}
	return d
}

// trace returns a trace that calls the detector and then t, which may be nil.
func (d *mutationDetector) trace(t *processor.Trace) *processor.Trace {
	if d == nil {
		return t
	}
	if t == nil {
		t = &processor.Trace{}
	}
	both := *t
	both.Distributed = func(batch []processor.Notification, isSync bool) {
		d.distributed(batch)
		if t.Distributed != nil {
			t.Distributed(batch, isSync)
		}
	}
	both.Delivering = func(listener string, n processor.Notification) {
		d.delivering(listener, n)
		if t.Delivering != nil {
			t.Delivering(listener, n)
		}
	}
	both.Delivered = func(listener string, n processor.Notification) {
		d.delivered(listener, n)
		if t.Delivered != nil {
			t.Delivered(listener, n)
		}
	}
	return &both
}

// run compares and reports until ctx ends. Handlers that drain may still be called after that;
// finish finds what they change.
func (d *mutationDetector) run(ctx context.Context) {
	if d == nil {
		return
	}
	ticker := time.NewTicker(d.period)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			d.compareAll()
		case <-d.wake:
		}
		d.reportFound()
	}
}

// finish compares and reports for the last time, after the last call of a handler.
func (d *mutationDetector) finish() {
	if d == nil {
		return
	}
	d.compareAll()
	d.reportFound()
}

func (d *mutationDetector) compareAll() {
	d.mu.Lock()
	all := make([]*remembered, 0, len(d.objects))
	for _, r := range d.objects {
		all = append(all, r)
	}
	d.mu.Unlock()
	for _, r := range all {
		d.compare(r, "")
	}
}

func (d *mutationDetector) reportFound() {
	d.mu.Lock()
	found := d.found
	d.found = nil
	d.mu.Unlock()
	for _, err := range found {
		d.report(err)
	}
}
