package realfifo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

// object returns an object without a namespace, so that its name is its key.
func object(name, resourceVersion string) *watchglass.ObjectMeta {
	return &watchglass.ObjectMeta{Name: name, ResourceVersion: resourceVersion}
}

// at makes objects of words like "web-1@7".
func at(words ...string) []watchglass.Object {
	list := []watchglass.Object{}
	for _, word := range words {
		name, version, _ := strings.Cut(word, "@")
		list = append(list, object(name, version))
	}
	return list
}

// describe returns a delta with its objects: "Added web-1@7", "ReplacedAll@90 [web-1@7]".
func describe(d deltafifo.Delta) string {
	switch obj := d.Object.(type) {
	case ReplacedAllInfo:
		words := []string{}
		for _, listed := range obj.Objects {
			words = append(words, listed.GetName()+"@"+listed.GetResourceVersion())
		}
		return fmt.Sprintf("%v %v", d, words)
	case SyncAllInfo:
		return string(d.Type)
	case BookmarkInfo:
		return d.String()
	case deltafifo.DeletedFinalStateUnknown:
		return fmt.Sprintf("%s tombstone of %s", d.Type, obj.Key)
	default:
		return fmt.Sprintf("%s %s@%s", d.Type, obj.GetName(), obj.GetResourceVersion())
	}
}

func describeAll(deltas deltafifo.Deltas) []string {
	words := []string{}
	for _, d := range deltas {
		words = append(words, describe(d))
	}
	return words
}

// queued returns the whole queue.
func queued(f *RealFIFO) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append(describeAll(f.backlog.out[f.backlog.head:]), describeAll(f.backlog.in)...)
}

// rig is a queue in a law.
type rig struct {
	*testing.T
	*RealFIFO
}

// A law is a sentence of the contract and the proof that it holds. The sentence is the name of the
// subtest, so a failure says which promise is broken.
type law struct {
	promise string
	options Options
	prove   func(r rig)
}

func prove(t *testing.T, laws []law) {
	for _, l := range laws {
		t.Run(l.promise, func(t *testing.T) {
			r := rig{t, New(l.options)}
			l.prove(r)
			require.NoError(t, r.check(), "broken: %s", l.promise)
		})
	}
}

// shows checks the whole queue and its invariants.
func (r rig) shows(want ...string) {
	r.Helper()
	require.NoError(r, r.check())
	assert.Equal(r, append([]string{}, want...), queued(r.RealFIFO), "broken: %s", r.Name())
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

// batch pops one batch and returns it, with "initial" at the end if isInInitialList was true.
func (r rig) batch() (got []string) {
	r.Helper()
	require.NotZero(r, r.Len(), "nothing to pop")
	require.NoError(r, r.PopBatch(func(d deltafifo.Deltas, isInInitialList bool) error {
		got = describeAll(d)
		if isInInitialList {
			got = append(got, "initial")
		}
		return nil
	}))
	require.NoError(r, r.check())
	return got
}
