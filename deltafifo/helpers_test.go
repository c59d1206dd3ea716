package deltafifo

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

var errLookup = errors.New("look-up fails")

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
		return nil, false, errLookup
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
	q.mu.Lock()
	defer q.mu.Unlock()
	lines := []string{}
	for i := range q.queue.len() {
		key := q.queue.at(i)
		lines = append(lines, key+": "+describeAll(q.items[key]))
	}
	return lines
}

// rig is a queue in a law, with the store of its consumer if there is one.
type rig struct {
	*testing.T
	*DeltaFIFO
	known *known
}

// A law is a sentence of the contract and the proof that it holds. The sentence is the name of the
// subtest, so a failure says which promise is broken.
type law struct {
	promise string
	options Options // without KnownObjects the law gets none
	prove   func(r rig)
}

func prove(t *testing.T, laws []law) {
	for _, l := range laws {
		t.Run(l.promise, func(t *testing.T) {
			r := rig{T: t}
			if k, ok := l.options.KnownObjects.(*known); ok {
				r.known = k
			}
			r.DeltaFIFO = New(l.options)
			l.prove(r)
			require.NoError(t, r.check(), "broken: %s", l.promise)
		})
	}
}

// shows checks the whole queue and its invariants.
func (r rig) shows(want ...string) {
	r.Helper()
	require.NoError(r, r.check())
	assert.Equal(r, append([]string{}, want...), lines(r.DeltaFIFO), "broken: %s", r.Name())
}

// add, update and remove call the queue's methods with objects like "web-1@7", which must not fail.
func (r rig) add(words ...string)    { r.each(r.Add, words) }
func (r rig) update(words ...string) { r.each(r.Update, words) }
func (r rig) remove(words ...string) { r.each(r.Delete, words) }

func (r rig) each(method func(watchglass.Object) error, words []string) {
	r.Helper()
	for _, obj := range at(words...) {
		require.NoError(r, method(obj))
		require.NoError(r, r.check())
	}
}

func (r rig) replace(words ...string) {
	r.Helper()
	require.NoError(r, r.Replace(at(words...), "90"))
	require.NoError(r, r.check())
}

// pop pops one key, as a process loop would, and returns "key: deltas", and "initial" if flagged.
func (r rig) pop() string {
	r.Helper()
	require.NotZero(r, r.Len(), "nothing to pop")
	var got string
	_, err := r.Pop(func(d Deltas, isInInitialList bool) error {
		got = d.Newest().Object.GetName() + ": " + describeAll(d)
		if isInInitialList {
			got += " initial"
		}
		if r.known != nil {
			r.known.apply(d)
		}
		return nil
	})
	require.NoError(r, err)
	require.NoError(r, r.check())
	return got
}
