package deltafifo

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass"
)

// object returns an object without a namespace, so that its name is its key.
func object(name, resourceVersion string) *watchglass.ObjectMeta {
	return &watchglass.ObjectMeta{Name: name, ResourceVersion: resourceVersion}
}

// at makes objects of words like "web-1@7".
func at(words ...string) []watchglass.Object {
	var list []watchglass.Object
	for _, word := range words {
		name, version, _ := strings.Cut(word, "@")
		list = append(list, object(name, version))
	}
	return list
}

// known is a consumer's state: the store that a process loop would fill.
type known struct {
	objects map[string]watchglass.Object
	failing map[string]bool // keys whose look-up fails
	ghosts  []string        // keys that are listed, but gone when looked up
}

func newKnown(list ...watchglass.Object) *known {
	k := &known{objects: map[string]watchglass.Object{}, failing: map[string]bool{}}
	for _, obj := range list {
		k.objects[obj.GetName()] = obj
	}
	return k
}

func (k *known) ListKeys() []string {
	return append(slices.Collect(maps.Keys(k.objects)), k.ghosts...)
}

func (k *known) GetByKey(key string) (watchglass.Object, bool, error) {
	if k.failing[key] {
		return nil, false, errors.New("look-up fails")
	}
	obj, exists := k.objects[key]
	return obj, exists, nil
}

// apply is what a process loop does with popped deltas.
func (k *known) apply(d Deltas) {
	for _, delta := range d {
		if delta.Type == Deleted {
			delete(k.objects, delta.Object.GetName())
		} else {
			k.objects[delta.Object.GetName()] = delta.Object
		}
	}
}

// describe is Delta.String and, for a tombstone, the version of the state that it holds.
func describe(d Delta) string {
	gone, ok := d.Object.(DeletedFinalStateUnknown)
	switch {
	case !ok:
		return d.String()
	case gone.Obj == nil:
		return d.String() + "(no state)"
	}
	return fmt.Sprintf("%s(last seen @%s)", d, gone.Obj.GetResourceVersion())
}

func describeAll(d Deltas) string {
	var words []string
	for _, delta := range d {
		words = append(words, describe(delta))
	}
	return strings.Join(words, " ")
}

// lines returns the whole queue, one line per key: "web-1: Added@1 Updated@2".
func lines(q *DeltaFIFO) []string {
	lines := []string{}
	for _, key := range q.queue {
		lines = append(lines, key+": "+describeAll(q.items[key]))
	}
	return lines
}

// manyObjects returns n objects.
func manyObjects(n int) (list []watchglass.Object) {
	for i := range n {
		list = append(list, object(fmt.Sprintf("web-%d", i), "1"))
	}
	return list
}

func popAll(q *DeltaFIFO) (deltas int) {
	for q.Len() > 0 {
		d, _ := q.Pop(discard)
		deltas += len(d)
	}
	return deltas
}

func discard(Deltas, bool) error { return nil }

// check returns an error that names a broken invariant, nil if all hold. It takes the lock.
func (f *DeltaFIFO) check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := len(f.queue)
	if len(f.items) != n || f.Len() != n || f.mostItems < n {
		return fmt.Errorf("%d keys in queue, %d in items, length %d, mostItems %d",
			n, len(f.items), f.Len(), f.mostItems)
	}
	return nil
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}
