package mutation

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/processor"
)

// This file has what a watch remembers, and how it compares. When it compares, and how it reports,
// is in mutation.go.

// remembered is an object and a copy of it from before. The fields after comparing are guarded by
// the watch's lock.
type remembered struct {
	key string
	obj watchglass.Object

	// comparing is held from encoding the object to the end of the comparison. Otherwise, of two
	// comparisons at the same time, the one that has encoded the older state could end last, and
	// report a change back to it. It is locked before the watch's lock.
	comparing sync.Mutex

	copy   []byte // the object as JSON
	since  time.Time
	intact time.Time // when it was last found unchanged
	told   []string  // the handlers that have been called with it
}

// distributed updates w.objects to what the cache holds, before any handler is called with the new
// objects. It is called with the processor's lock held, so that batches come in order.
func (w *Watch) distributed(batch []processor.Notification) {
	for _, n := range batch {
		obj := n.New
		if n.Kind == processor.Delete {
			obj = n.Old
		}
		key, err := w.keyOf(obj)
		if err != nil {
			continue // the cache has refused it, too
		}
		w.mu.Lock()
		before := w.objects[key]
		w.mu.Unlock()
		switch {
		case n.Kind == processor.Delete:
			w.forget(before)
		case before == nil || !same(before.obj, obj):
			w.forget(before)
			w.remember(key, obj)
		}
	}
}

func (w *Watch) remember(key string, obj watchglass.Object) {
	encoded, err := json.Marshal(obj)
	if err != nil {
		w.log.Warn("object is not watched for mutations", "key", key, "err", err)
		return
	}
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.objects[key] = &remembered{key: key, obj: obj, copy: encoded, since: now, intact: now}
}

// forget compares an object for the last time and drops it. r may be nil.
func (w *Watch) forget(r *remembered) {
	if r == nil {
		return
	}
	w.compare(r, "")
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.objects, r.key)
}

// delivering records that a handler is called with the object of n.
func (w *Watch) delivering(listener string, n processor.Notification) {
	r := w.find(n)
	if r == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(r.told, listener) {
		r.told = append(r.told, listener)
	}
}

// delivered compares in the goroutine of the handler, right after its call: a handler that changes
// the object in its call is found without a data race, and by name.
func (w *Watch) delivered(listener string, n processor.Notification) {
	if r := w.find(n); r != nil {
		w.compare(r, listener)
	}
}

// find returns what is remembered of the new object of n, nil if it is in the cache no longer.
func (w *Watch) find(n processor.Notification) *remembered {
	if n.New == nil {
		return nil
	}
	key, err := w.keyOf(n.New)
	if err != nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if r := w.objects[key]; r != nil && same(r.obj, n.New) {
		return r
	}
	return nil
}

// same reports whether a and b are the same pointer. It is false for objects that are no pointers,
// because == could panic for them.
func same(a, b watchglass.Object) bool {
	return reflect.ValueOf(b).Kind() == reflect.Pointer && a == b
}

// compare checks whether the object has changed. If so, it records a finding, and later comparisons
// are made with the object as it is now. handler is the handler that has just been called with the
// object, "" if there is none.
func (w *Watch) compare(r *remembered, handler string) {
	r.comparing.Lock()
	defer r.comparing.Unlock()
	now, err := json.Marshal(r.obj) // without w.mu: other objects need not wait
	if err != nil {
		now, _ = json.Marshal("cannot be encoded any more: " + err.Error())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	before, intact := r.copy, r.intact
	r.intact = time.Now()
	if bytes.Equal(before, now) {
		return
	}
	r.copy = now
	w.found = append(w.found, &Error{
		Key: r.key, ResourceVersion: r.obj.GetResourceVersion(), Changes: diff(before, now),
		Since: r.since, Intact: intact, Found: r.intact,
		Handler: handler, Told: slices.Clone(r.told),
	})
	select {
	case w.wake <- struct{}{}:
	default:
	}
}
