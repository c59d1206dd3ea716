package realfifo

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

var errNo = errors.New("no")

// picky is a transform that marks versions and refuses the name "bad".
func picky(obj watchglass.Object) (watchglass.Object, error) {
	switch obj.GetName() {
	case "bad":
		return nil, errNo
	case "nil":
		return nil, nil
	}
	return object(obj.GetName(), obj.GetResourceVersion()+"t"), nil
}

func TestQueueing(t *testing.T) {
	prove(t, []law{
		{"each event is one delta, in the order of arrival; nothing is merged", Options{},
			func(r rig) {
				r.add("web-1@1", "web-2@2")
				r.update("web-1@3", "web-1@4")
				r.remove("web-1@5", "web-1@5")
				r.add("web-1@6")
				r.shows("Added web-1@1", "Added web-2@2", "Updated web-1@3", "Updated web-1@4",
					"Deleted web-1@5", "Deleted web-1@5", "Added web-1@6")
			}},
		{"the deletion of an object that was never seen is queued", Options{},
			func(r rig) {
				r.remove("web-1@1")
				r.shows("Deleted web-1@1")
			}},
		{"a list is one delta behind what is queued, which stays as it is", Options{},
			func(r rig) {
				r.remove("web-1@1")
				r.replace("web-1@2", "web-2@3", "web-1@4")
				r.replace()
				r.shows("Deleted web-1@1", "ReplacedAll@90 [web-1@2 web-2@3 web-1@4]",
					"ReplacedAll@90 []")
			}},
		{"each resync is one delta, even if another one is queued", Options{},
			func(r rig) {
				r.add("web-1@1")
				require.NoError(r, r.Resync())
				require.NoError(r, r.Resync())
				r.shows("Added web-1@1", "SyncAll", "SyncAll")
			}},
		{"a version is queued as a bookmark unless the newest delta has it", Options{},
			func(r rig) {
				r.UpdateResourceVersion("5")
				r.UpdateResourceVersion("5")
				r.add("web-1@7")
				r.UpdateResourceVersion("7")
				r.UpdateResourceVersion("8")
				require.NoError(r, r.Resync())
				r.UpdateResourceVersion("8")
				r.UpdateResourceVersion("")
				r.replace()
				r.UpdateResourceVersion("90")
				r.shows("Bookmark@5", "Added web-1@7", "Bookmark@8", "SyncAll", "ReplacedAll@90 []")
			}},
		{"a version that was popped already is not queued again", Options{},
			func(r rig) {
				r.add("web-1@7")
				r.batch()
				r.UpdateResourceVersion("7")
				r.shows()
			}},
		{"an object without a key is not queued, but counts as an event for HasSynced", Options{},
			func(r rig) {
				for _, method := range []func(watchglass.Object) error{r.Add, r.Update, r.Delete} {
					for _, obj := range []watchglass.Object{object("", "1"), nil} {
						_, ok := errors.AsType[*watchglass.KeyError](method(obj))
						assert.True(r, ok, "the error is a KeyError")
					}
				}
				assert.True(r, r.HasSynced())
				r.shows()
			}},
		{"the error of a key func becomes a KeyError", Options{
			KeyFunc: func(watchglass.Object) (string, error) { return "", errNo },
		}, func(r rig) {
			err := r.Add(object("web-1", "1"))
			_, ok := errors.AsType[*watchglass.KeyError](err)
			assert.True(r, ok)
			assert.ErrorIs(r, err, errNo)
		}},
		{"the key func is not called for a tombstone, which is queued as it is", Options{
			KeyFunc: func(obj watchglass.Object) (string, error) {
				return obj.(*watchglass.ObjectMeta).Name, nil
			},
			Transform: picky,
		}, func(r rig) {
			require.NoError(r, r.Delete(deltafifo.DeletedFinalStateUnknown{Key: "bad"}))
			r.shows("Deleted tombstone of bad")
		}},
		{"each object of an add, update, deletion or list is transformed once", Options{
			Transform: picky,
		}, func(r rig) {
			r.add("web-1@1")
			r.update("web-1@2")
			r.remove("web-1@3")
			r.replace("web-2@4", "web-3@5")
			require.NoError(r, r.Resync())
			r.shows("Added web-1@1t", "Updated web-1@2t", "Deleted web-1@3t",
				"ReplacedAll@90 [web-2@4t web-3@5t]", "SyncAll")
		}},
		{"a version that the transform has changed is queued as a bookmark", Options{Transform: picky},
			func(r rig) {
				r.add("web-1@1")
				r.UpdateResourceVersion("1")
				r.shows("Added web-1@1t", "Bookmark@1")
			}},
		{"an event is not queued if the transform fails or returns nil", Options{Transform: picky},
			func(r rig) {
				assert.ErrorIs(r, r.Add(object("bad", "1")), errNo)
				assert.ErrorContains(r, r.Update(object("bad", "1")), `update: transform "bad": no`)
				assert.ErrorContains(r, r.Delete(object("nil", "1")), "returned no object")
				r.shows()
			}},
		{"a list with one bad object is refused whole, and HasSynced waits for another", Options{
			Transform: picky,
		}, func(r rig) {
			assert.ErrorIs(r, r.Replace(at("web-1@1", "bad@2"), "90"), errNo)
			assert.ErrorContains(r, r.Replace(at("web-1@1", "nil@2"), "90"), "returned no object")
			_, ok := errors.AsType[*watchglass.KeyError](r.Replace(at("web-1@1", "@2"), "90"))
			assert.True(r, ok, "the error is a KeyError")
			r.shows()
			assert.False(r, r.HasSynced())
			r.replace("web-1@1")
			assert.Equal(r, []string{"ReplacedAll@90 [web-1@1t]", "initial"}, r.batch())
			assert.True(r, r.HasSynced())
		}},
	})
}

func TestSynced(t *testing.T) {
	prove(t, []law{
		{"a new queue has not synced", Options{},
			func(r rig) { assert.False(r, r.HasSynced()) }},
		{"an event before the first list means synced: there is no list to wait for", Options{},
			func(r rig) {
				r.remove("web-1@1")
				r.replace("web-1@1")
				assert.True(r, r.HasSynced())
				assert.Equal(r, []string{"Deleted web-1@1"}, r.batch())
			}},
		{"an empty list has to be processed like any other", Options{},
			func(r rig) {
				r.replace()
				assert.False(r, r.HasSynced())
				assert.Equal(r, []string{"ReplacedAll@90 []", "initial"}, r.batch())
				assert.True(r, r.HasSynced())
			}},
		{"a bookmark and a resync before the first list are counted with it", Options{},
			func(r rig) {
				r.UpdateResourceVersion("5")
				require.NoError(r, r.Resync())
				r.replace("web-1@1")
				for _, want := range []string{"Bookmark@5", "SyncAll", "ReplacedAll@90 [web-1@1]"} {
					assert.False(r, r.HasSynced())
					assert.Equal(r, []string{want, "initial"}, r.batch())
				}
				assert.True(r, r.HasSynced())
			}},
		{"HasSynced does not wait for a second list", Options{},
			func(r rig) {
				r.replace("web-1@1")
				r.replace("web-2@2")
				r.batch()
				assert.True(r, r.HasSynced())
				assert.Equal(r, []string{"ReplacedAll@90 [web-2@2]"}, r.batch())
			}},
		{"a list counts as processed when its process func has returned, even with an error",
			Options{}, func(r rig) {
				r.replace("web-1@1")
				err := r.PopBatch(func(deltafifo.Deltas, bool) error {
					assert.False(r, r.HasSynced(), "synced while the process func runs")
					return errNo
				})
				assert.ErrorIs(r, err, errNo)
				assert.True(r, r.HasSynced())
				r.shows() // nothing is put back
			}},
	})
}

// TestBatches is about which deltas PopBatch takes together.
func TestBatches(t *testing.T) {
	many := func(n int) (words []string) {
		for i := range n {
			words = append(words, fmt.Sprintf("web-%d@1", i))
		}
		return words
	}
	prove(t, []law{
		{"deltas of single objects share a batch, also several of one key", Options{},
			func(r rig) {
				r.add("web-1@1", "web-2@2")
				r.update("web-1@3")
				r.remove("web-2@4")
				assert.Equal(r, []string{"Added web-1@1", "Added web-2@2", "Updated web-1@3",
					"Deleted web-2@4"}, r.batch())
			}},
		{"a delta of the whole collection is a batch of its own", Options{},
			func(r rig) {
				r.add("web-1@1")
				r.replace()
				require.NoError(r, r.Resync())
				r.UpdateResourceVersion("91")
				r.add("web-2@92", "web-3@93")
				for _, want := range [][]string{{"Added web-1@1"}, {"ReplacedAll@90 []"}, {"SyncAll"},
					{"Bookmark@91"}, {"Added web-2@92", "Added web-3@93"}} {
					assert.Equal(r, want, r.batch())
				}
			}},
		{"a batch has at most 1000 deltas", Options{},
			func(r rig) {
				r.add(many(999)...)
				assert.Len(r, r.batch(), 999)
				r.add(many(1000)...)
				assert.Len(r, r.batch(), 1000)
				r.add(many(1001)...)
				assert.Len(r, r.batch(), 1000)
				assert.Len(r, r.batch(), 1)
			}},
		{"Pop takes one delta, and returns it with the error of the process func", Options{},
			func(r rig) {
				r.add("web-1@1", "web-2@2")
				popped, err := r.Pop(func(deltafifo.Deltas, bool) error { return errNo })
				assert.ErrorIs(r, err, errNo)
				assert.Equal(r, []string{"Added web-1@1"}, describeAll(popped))
				r.shows("Added web-2@2")
			}},
		{"if a process func panics, its deltas stay queued", Options{},
			func(r rig) {
				r.replace("web-1@1")
				assert.Panics(r, func() {
					_ = r.PopBatch(func(deltafifo.Deltas, bool) error { panic("boom") })
				})
				assert.False(r, r.HasSynced())
				assert.Equal(r, []string{"ReplacedAll@90 [web-1@1]", "initial"}, r.batch())
			}},
		{"the memory of a burst is given back", Options{},
			func(r rig) {
				r.add(many(3 * keptCap)...)
				for r.Len() > 0 {
					r.batch()
				}
				r.add("web-1@1", "web-2@1")
				r.batch()
				r.add("web-1@2")
				r.batch()
				held := cap(r.backlog.in) + cap(r.backlog.out)
				assert.LessOrEqual(r, held, 2*keptCap, "slots that are kept after the burst")
			}},
	})
}

// The queue does not need an object's key, so it does not make the usual one, which would be an
// allocation.
func TestAnEventAllocatesNothing(t *testing.T) {
	q := New(Options{})
	obj := &watchglass.ObjectMeta{Namespace: "default", Name: "web-1", ResourceVersion: "1"}
	allocated := testing.AllocsPerRun(1000, func() {
		_ = q.Update(obj)
		_ = q.PopBatch(nothing)
	})
	assert.Zero(t, allocated, "allocations for each event")
}

func TestTraceReportsStepsInOrder(t *testing.T) {
	var told []string
	say := func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }
	var q *RealFIFO
	q = New(Options{Trace: &Trace{
		Queued: func(d deltafifo.Delta) { say("queued %s", describe(d)) },
		Popped: func(d deltafifo.Deltas, initial bool) { say("popped %v %t", describeAll(d), initial) },
		Synced: func() { say("synced, %d queued", q.Len()) },
	}})
	require.NoError(t, q.Replace(at("web-1@1"), "90"))
	require.NoError(t, q.PopBatch(func(deltafifo.Deltas, bool) error { say("process"); return nil }))
	assert.Equal(t, []string{"queued ReplacedAll@90 [web-1@1]",
		"popped [ReplacedAll@90 [web-1@1]] true", "process", "synced, 0 queued"}, told,
		"the list has left the queue when it counts as processed")
}
