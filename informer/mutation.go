package informer

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"reflect"
	"slices"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/processor"
)

// MutationDetector finds handlers and readers that change objects of the cache. All objects there
// are shared: a handler that sets a label sets it for all other handlers and for the index, and the
// next real update of the object hides it again. Set [Options.MutationDetector] to one in tests.
//
// It remembers each object as JSON when the handlers are about to be told of it. It compares after
// each call of a handler with that object, before the object leaves the cache, every Period, and at
// the end of Run. A change is reported once. What is remembered takes about as much memory as the
// objects on the wire, and is released with them.
//
// It sees what encoding/json sees. Not seen are: fields without a JSON name, unexported ones
// included; a nil map that becomes an empty one, if it is omitted in both cases; changes of the old
// object of an update and of the object of a deletion, which are in the cache no longer; and what
// was changed between entering the cache and the telling. An object that cannot be encoded is not
// watched, and the log says so.
//
// A change that is made while the detector, or any other reader, looks at the object is a data
// race: the race detector reports it, and for a map the runtime may crash the program.
type MutationDetector struct {
	// Period is how often the whole cache is compared. Zero: every second.
	Period time.Duration
	// OnMutation is told of each object that was changed, one call at a time. Run returns after the
	// last call. It may call the informer. Nil: the error is logged.
	OnMutation func(*MutationError)
}

// mutationDetector does the work. A nil one does nothing.
//
// It is told what happens by the processor's trace, which has the right moments: what handlers are
// going to be told, and each call. So the process loop knows nothing of it.
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

// remembered is an object and how it was. What follows comparing is guarded by the detector's lock.
type remembered struct {
	key string
	obj watchglass.Object

	// comparing is held from encoding the object to the end of the comparison. Otherwise of two
	// comparisons at a time the one that began first could end last, and take the object back for a
	// change. It is locked before the detector's lock.
	comparing sync.Mutex

	copy   []byte // the object as JSON
	since  time.Time
	intact time.Time // when it was last found unchanged
	told   []string  // the handlers that have been called with it
}

// newMutationDetector is called with options that are complete. It returns nil if they want none.
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

// trace returns a trace that tells the detector, and then t, which may be nil.
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

// distributed brings objects up to date with the cache, before any handler is called with what is
// new. It is called with the processor's lock held, so that batches come in order.
func (d *mutationDetector) distributed(batch []processor.Notification) {
	for _, n := range batch {
		obj := n.New
		if n.Kind == processor.Delete {
			obj = n.Old
		}
		key, err := d.keyOf(obj)
		if err != nil {
			continue // the cache has refused it, too
		}
		d.mu.Lock()
		before := d.objects[key]
		d.mu.Unlock()
		switch {
		case n.Kind == processor.Delete:
			d.forget(before)
		case before == nil || !same(before.obj, obj):
			d.forget(before)
			d.remember(key, obj)
		}
	}
}

func (d *mutationDetector) remember(key string, obj watchglass.Object) {
	encoded, err := json.Marshal(obj)
	if err != nil {
		d.log.Warn("object is not watched for mutations", "key", key, "err", err)
		return
	}
	now := time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.objects[key] = &remembered{key: key, obj: obj, copy: encoded, since: now, intact: now}
}

// forget compares for the last time. r may be nil.
func (d *mutationDetector) forget(r *remembered) {
	if r == nil {
		return
	}
	d.compare(r, "")
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.objects, r.key)
}

// delivering notes that a handler gets the object of n.
func (d *mutationDetector) delivering(listener string, n processor.Notification) {
	r := d.find(n)
	if r == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Contains(r.told, listener) {
		r.told = append(r.told, listener)
	}
}

// delivered compares in the goroutine of the handler, right after its call: a handler that changes
// the object in its call is found without a data race, and by name.
func (d *mutationDetector) delivered(listener string, n processor.Notification) {
	if r := d.find(n); r != nil {
		d.compare(r, listener)
	}
}

// find returns what is remembered of the new object of n, nil if it is in the cache no longer.
func (d *mutationDetector) find(n processor.Notification) *remembered {
	if n.New == nil {
		return nil
	}
	key, err := d.keyOf(n.New)
	if err != nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.objects[key]; r != nil && same(r.obj, n.New) {
		return r
	}
	return nil
}

// same reports whether a and b are the same pointer. Objects that are no pointers are never the
// same.
func same(a, b watchglass.Object) bool {
	return reflect.ValueOf(a).Kind() == reflect.Pointer &&
		reflect.ValueOf(b).Kind() == reflect.Pointer && a == b
}

// compare looks whether the object is as it was. If it is not, that becomes a finding, and later
// comparisons begin with the object as it is now. handler is the one that has just been called with
// it, if any.
func (d *mutationDetector) compare(r *remembered, handler string) {
	r.comparing.Lock()
	defer r.comparing.Unlock()
	now, err := json.Marshal(r.obj) // without d.mu: other objects need not wait
	if err != nil {
		now, _ = json.Marshal("cannot be encoded any more: " + err.Error())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	before, intact := r.copy, r.intact
	r.intact = time.Now()
	if bytes.Equal(before, now) {
		return
	}
	r.copy = now
	d.found = append(d.found, &MutationError{
		Key: r.key, ResourceVersion: r.obj.GetResourceVersion(), Changes: diff(before, now),
		Since: r.since, Intact: intact, Found: r.intact,
		Handler: handler, Told: slices.Clone(r.told),
	})
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// run compares and reports until ctx ends. What handlers that drain do after that, finish finds.
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
