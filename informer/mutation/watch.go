package mutation

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/processor"
)

// Watch is a detector at work: it remembers what the cache holds, and compares. A nil one does
// nothing. The informer makes it, and gives its trace to the processor:
//
//	processor ──Distributed──▶ remember a copy ──▶ compare ──▶ OnMutation
//	          ──Delivered────▶ compare with the copy
//
// So the process loop needs no code for it.
type Watch struct {
	period time.Duration
	report func(*Error)
	log    *slog.Logger

	// The mutex is held while an object is encoded and compared. Otherwise, of two comparisons at
	// the same time, the one that has encoded the older state could end last, and report a change
	// back to it.
	mu      sync.Mutex
	objects map[string]*remembered // by key: what is in the cache
	found   []*Error               // not reported yet
}

// remembered is an object, and its JSON from before.
type remembered struct {
	obj  watchglass.Object
	copy []byte
}

// New returns a watch that has seen no object, nil if the detector is nil. The name is what the log
// calls the objects.
func New(d *Detector, name string, log *slog.Logger) *Watch {
	if d == nil {
		return nil
	}
	w := &Watch{
		period:  cmp.Or(max(d.Period, 0), time.Second),
		report:  d.OnMutation,
		log:     log,
		objects: map[string]*remembered{},
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
	both.Distributed = func(batch []processor.Notification, isSync bool, listeners []string) {
		w.distributed(batch)
		if t.Distributed != nil {
			t.Distributed(batch, isSync, listeners)
		}
	}
	both.Delivered = func(listener string, n processor.Notification, delivered int) {
		w.delivered(listener, n)
		if t.Delivered != nil {
			t.Delivered(listener, n, delivered)
		}
	}
	return &both
}

// distributed updates w.objects to what the cache holds, before any handler is called with the new
// objects. It is called with the processor's lock held, so that batches come in order.
func (w *Watch) distributed(batch []processor.Notification) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range batch {
		key, err := watchglass.MetaNamespaceKeyFunc(cmp.Or(n.New, n.Old))
		if err != nil {
			continue // the cache has refused it, too
		}
		w.compare(key, "")
		delete(w.objects, key)
		if n.New == nil {
			continue
		}
		if encoded, err := json.Marshal(n.New); err == nil {
			w.objects[key] = &remembered{n.New, encoded}
		} else {
			w.log.Warn("object is not watched for mutations", "key", key, "err", err)
		}
	}
}

// delivered compares in the goroutine of the handler, right after its call: a handler that changes
// the object in its call is found without a data race, and by name.
func (w *Watch) delivered(listener string, n processor.Notification) {
	if n.New != nil {
		key, _ := watchglass.MetaNamespaceKeyFunc(n.New)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.compare(key, listener)
	}
}

// compare checks whether the object under a key has changed, if there is one. If so, it records a
// finding, and later comparisons are made with the object as it is now. It is called with mu held.
func (w *Watch) compare(key, handler string) {
	r := w.objects[key]
	if r == nil {
		return
	}
	now, err := json.Marshal(r.obj)
	if err != nil {
		now, _ = json.Marshal("cannot be encoded any more: " + err.Error())
	}
	changes := diff("", r.copy, now)
	if len(changes) == 0 { // a MarshalJSON may also write the same fields in another order
		return
	}
	w.found = append(w.found, &Error{
		Key: key, ResourceVersion: r.obj.GetResourceVersion(), Handler: handler, Changes: changes,
	})
	r.copy = now
}

// Run checks once in each period until ctx ends. Handlers that drain may still be called after
// that: another Check finds what they change.
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
			w.Check()
		}
	}
}

// Check compares all objects, and reports all that was found since the last Check. It unlocks
// between two objects, so that handlers need not wait for the whole cache, and reports without the
// lock: OnMutation may call the informer.
func (w *Watch) Check() {
	if w == nil {
		return
	}
	w.mu.Lock()
	for _, key := range slices.Collect(maps.Keys(w.objects)) {
		w.compare(key, "")
		w.mu.Unlock()
		w.mu.Lock()
	}
	found := w.found
	w.found = nil
	w.mu.Unlock()
	for _, err := range found {
		w.report(err)
	}
}
