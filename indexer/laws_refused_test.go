package indexer

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

// threeIndices has two indices that accept everything, one that is updated before and one that is
// updated after the index by node, which refuses and panics.
func threeIndices() Options {
	takesAll := func(values []string, obj watchglass.Object) ([]string, error) {
		return append(values, obj.(*pod).nodes...), nil
	}
	return Options{Indexers: Indexers{"a-first": takesAll, "node": byNode, "z-last": takesAll}}
}

// leavesOut checks the error of a write that one index refuses.
func (r rig) leavesOut(err error, index, key string, more int) {
	r.Helper()
	var indexError *IndexError
	require.ErrorAs(r, err, &indexError)
	assert.Equal(r, IndexError{Index: index, Key: key, More: more, Err: errBadNode}, *indexError)
	assert.ErrorIs(r, err, errBadNode, "the cause can be found in the error")
	require.NoError(r, r.objects.check())
}

// client-go panics where an IndexFunc returns an error: the object is stored by then, and some of
// the indices are updated and others not.
func TestARefusedObjectIsLeftOutOfThatIndexOnly(t *testing.T) {
	prove(t, []law{
		{"a refused add is stored, and the other indices have it", threeIndices(), func(r rig) {
			r.leavesOut(r.Add(newPod("web-1@1 bad")), "node", "web-1", 0)
			r.holds("web-1@1")
			r.index("a-first", "bad: web-1")
			r.index("node")
			r.index("z-last", "bad: web-1")
		}},
		{"a refused update removes the object from its old value", threeIndices(), func(r rig) {
			r.add("web-1@1 a", "web-2@1 a")
			r.leavesOut(r.Update(newPod("web-1@2 bad")), "node", "web-1", 0)
			r.holds("web-1@2", "web-2@1")
			r.index("a-first", "a: web-2", "bad: web-1")
			r.index("node", "a: web-2")
			r.index("z-last", "a: web-2", "bad: web-1")
		}},
		{"an accepted update puts the object into the index again", nodeOnly(), func(r rig) {
			r.leavesOut(r.Add(newPod("web-1@1 bad")), "node", "web-1", 0)
			r.add("web-1@2 a b")
			r.index("node", "a: web-1", "b: web-1")
		}},
		{"a second refused update is stored, too", nodeOnly(), func(r rig) {
			r.leavesOut(r.Add(newPod("web-1@1 bad")), "node", "web-1", 0)
			r.leavesOut(r.Update(newPod("web-1@2 bad")), "node", "web-1", 0)
			r.holds("web-1@2")
			r.index("node")
		}},
		{"deleting a refused object is no error, and removes it everywhere", threeIndices(),
			func(r rig) {
				r.leavesOut(r.Add(newPod("web-1@1 bad")), "node", "web-1", 0)
				r.remove("web-1@2")
				r.holds()
				r.index("a-first")
				r.index("node")
				r.index("z-last")
			}},
		{"a refused swap returns what it replaced", nodeOnly(), func(r rig) {
			first := newPod("web-1@1 a")
			require.NoError(r, r.Add(first))
			old, existed, err := r.Swap(newPod("web-1@2 bad"))
			r.leavesOut(err, "node", "web-1", 0)
			assert.True(r, existed)
			assert.Same(r, first, old)
		}},
		{"a list with refused objects is stored whole", threeIndices(), func(r rig) {
			r.add("web-9@1 a")
			err := r.Replace(pods("web-3@2 bad", "web-1@2 bad", "db-1@2 b", "web-2@2 bad"), "2")
			r.leavesOut(err, "node", "web-1", 2)
			r.holds("db-1@2", "web-1@2", "web-2@2", "web-3@2")
			r.index("a-first", "b: db-1", "bad: web-1 web-2 web-3")
			r.index("node", "b: db-1")
		}},
		{"an index that is added late leaves refused objects out, and is added", Options{},
			func(r rig) {
				r.add("web-1@1 bad", "web-2@1 a", "web-3@1 bad")
				r.leavesOut(r.AddIndexers(threeIndices().Indexers), "node", "web-1", 1)
				r.index("a-first", "a: web-2", "bad: web-1 web-3")
				r.index("node", "a: web-2")
				r.add("web-1@2 b")
				r.index("node", "a: web-2", "b: web-1")
			}},
		{"Index returns an error for an object that the index refuses", nodeOnly(), func(r rig) {
			_, err := r.Index("node", newPod("x bad"))
			assert.ErrorIs(r, err, errBadNode)
			assert.EqualError(r, err, `indexer: index: index func of "node": bad node`)
		}},
	})
}

func TestIndexErrors(t *testing.T) {
	prove(t, []law{
		{"the error names the operation, the object and the index", nodeOnly(), func(r rig) {
			assert.EqualError(r, r.Add(newPod("shop/web-1@1 bad")),
				`indexer: add: object "shop/web-1" is left out of index "node": bad node`)
			assert.EqualError(r, r.Update(newPod("shop/web-1@1 bad")),
				`indexer: update: object "shop/web-1" is left out of index "node": bad node`)
			_, _, err := r.Swap(newPod("shop/web-1@1 bad"))
			assert.EqualError(r, err,
				`indexer: swap: object "shop/web-1" is left out of index "node": bad node`)
		}},
		{"the error of a list counts refused objects and names the first key", nodeOnly(), func(r rig) {
			var list []watchglass.Object
			for i := range 1000 {
				list = append(list, newPod(fmt.Sprintf("web-%03d@1 bad", i)))
			}
			for range 3 { // whatever the order in which the map is walked
				assert.EqualError(r, r.Replace(list, "1"), `indexer: replace: object "web-000" and 999 `+
					`more are left out of index "node": bad node`)
			}
			assert.EqualError(r, r.AddIndexers(Indexers{"late": byNode}), `indexer: add indexers: `+
				`object "web-000" and 999 more are left out of index "late": bad node`)
		}},
		{"the errors of several indices are joined in the order of the indices' names",
			Options{Indexers: Indexers{"b": byNode, "a": byNode, "c": byNode}}, func(r rig) {
				for _, err := range []error{
					r.Add(newPod("web-1@1 bad")), r.Replace(pods("web-1@1 bad"), "1"),
				} {
					text := err.Error()
					assert.Less(r, strings.Index(text, `"a"`), strings.Index(text, `"b"`), text)
					assert.Less(r, strings.Index(text, `"b"`), strings.Index(text, `"c"`), text)
				}
			}},
		{"for an object without a key there is no IndexError", nodeOnly(), func(r rig) {
			_, refused := errors.AsType[*IndexError](r.Add(newPod("@1 bad")))
			assert.False(r, refused, "an IndexError says that the object is stored, and it is not")
		}},
	})
}

// If an IndexFunc panics, it does so in the middle of a write. Until then the write must not have
// changed anything.
func TestAPanicChangesNothing(t *testing.T) {
	untouched := func(write string, options Options, change func(r rig)) law {
		return law{"a panic while " + write + " changes nothing", options, func(r rig) {
			r.add("web-1@1 a")
			assert.PanicsWithValue(r, "worse than bad", func() { change(r) })
			require.NoError(r, r.objects.check())
			r.holds("web-1@1")
			for name := range r.GetIndexers() {
				r.index(name, "a: web-1")
			}
			r.add("web-2@1 a") // the lock is free
		}}
	}
	prove(t, []law{
		untouched("adding", threeIndices(), func(r rig) { _ = r.Add(newPod("web-9@1 worse")) }),
		untouched("updating", threeIndices(), func(r rig) { _ = r.Update(newPod("web-1@2 b worse")) }),
		untouched("replacing", threeIndices(), func(r rig) {
			_ = r.Replace(pods("web-8@1 b", "web-9@1 worse"), "2")
		}),
		untouched("calling Index", threeIndices(), func(r rig) {
			_, _ = r.Index("node", newPod("x worse"))
		}),
		untouched("adding an index", Options{Indexers: Indexers{"node": byNode}}, func(r rig) {
			_ = r.AddIndexers(Indexers{"first": byNode, "late": func(
				values []string, obj watchglass.Object,
			) ([]string, error) {
				panic("worse than bad")
			}})
		}),
	})
	t.Run("a panic while deleting changes nothing", func(t *testing.T) {
		r := rig{t, New(threeIndices())}
		r.add("web-1@1 a", "web-2@1 a")
		got, _, _ := r.GetByKey("web-1")
		got.(*pod).nodes = []string{"worse"} // forbidden, but no other stored object makes it panic
		assert.Panics(t, func() { _ = r.Delete(newPod("web-1@1")) })
		got.(*pod).nodes = []string{"a"}
		require.NoError(t, r.objects.check())
		r.holds("web-1@1", "web-2@1")
	})
	t.Run("New and AddIndexers panic if an IndexFunc is nil, and name the index", func(t *testing.T) {
		assert.PanicsWithValue(t, `indexer: the IndexFunc of index "node" is nil`, func() {
			New(Options{Indexers: Indexers{"node": nil}})
		})
		r := rig{t, New(Options{})}
		assert.PanicsWithValue(t, `indexer: the IndexFunc of index "node" is nil`, func() {
			_ = r.AddIndexers(Indexers{"age": byNode, "node": nil})
		})
		assert.Empty(t, r.GetIndexers())
	})
}

// An IndexFunc may return the slice that it was given, or another one.
func TestTheSliceOfAnIndexFunc(t *testing.T) {
	nodes := func(obj watchglass.Object) []string { return obj.(*pod).nodes }
	var own []string
	for _, c := range []struct {
		promise   string
		indexFunc IndexFunc
	}{
		{"may be the given one, longer", func(values []string, obj watchglass.Object) ([]string, error) {
			return append(values, nodes(obj)...), nil
		}},
		{"may be part of the given one", func(values []string, obj watchglass.Object) ([]string, error) {
			return append(append(values, "not this"), nodes(obj)...)[1:], nil
		}},
		{"may be one that the object holds, which is not changed",
			func(_ []string, obj watchglass.Object) ([]string, error) { return nodes(obj), nil }},
		{"may be a new one", func(_ []string, obj watchglass.Object) ([]string, error) {
			return append([]string{}, nodes(obj)...), nil
		}},
		{"may be one that the func uses again in every call",
			func(_ []string, obj watchglass.Object) ([]string, error) {
				own = append(own[:0], nodes(obj)...)
				return own, nil
			}},
	} {
		t.Run("the returned slice "+c.promise, func(t *testing.T) {
			r := rig{t, New(Options{Indexers: Indexers{"node": c.indexFunc}})}
			b, c := newPod("web-1@1 c a b"), newPod("web-1@2 d a")
			for range 3 {
				for _, obj := range []*pod{b, c, newPod("web-1@3 b"), newPod("web-1@4 a")} {
					require.NoError(t, r.Update(obj))
					require.NoError(t, r.objects.check())
				}
				require.NoError(t, r.Replace([]watchglass.Object{b, newPod("web-2@1 z")}, "5"))
				r.index("node", "a: web-1", "b: web-1", "c: web-1", "z: web-2")
			}
			require.NoError(t, r.AddIndexers(Indexers{"late": r.GetIndexers()["node"]}))
			r.index("late", "a: web-1", "b: web-1", "c: web-1", "z: web-2")
			assert.Equal(t, []string{"c", "a", "b"}, b.nodes, "the object's own slice was changed")
			assert.Equal(t, []string{"d", "a"}, c.nodes, "the object's own slice was changed")
		})
	}
}
