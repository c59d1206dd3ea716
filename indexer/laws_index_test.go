package indexer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestIndexFollows(t *testing.T) {
	prove(t, []law{
		{"an added object is found under each of its values", nodeOnly(), func(r rig) {
			r.add("web-1@1 a b", "web-2@1 b")
			r.index("node", "a: web-1", "b: web-1 web-2")
		}},
		{"an object without values is found under none", nodeOnly(), func(r rig) {
			r.add("web-1@1")
			r.holds("web-1@1")
			r.index("node")
		}},
		{"a value that an object has twice counts once", nodeOnly(), func(r rig) {
			r.add("web-1@1 a a")
			r.index("node", "a: web-1")
			r.add("web-1@2 a")
			r.index("node", "a: web-1")
			r.remove("web-1@2")
			r.index("node")
		}},
		{"an update moves the object to its new value", nodeOnly(), func(r rig) {
			r.add("web-1@1 a", "web-2@1 a")
			r.add("web-1@2 b")
			r.index("node", "a: web-2", "b: web-1")
		}},
		{"an update may give an object more values, fewer or none", nodeOnly(), func(r rig) {
			r.add("web-1@1 a b")
			r.add("web-1@2 b c d")
			r.index("node", "b: web-1", "c: web-1", "d: web-1")
			r.add("web-1@3")
			r.index("node")
			r.add("web-1@4 a")
			r.index("node", "a: web-1")
		}},
		{"the order of values makes no difference", nodeOnly(), func(r rig) {
			r.add("web-1@1 a b")
			r.add("web-1@2 b a")
			r.index("node", "a: web-1", "b: web-1")
		}},
		{"a deleted object is found under no value", nodeOnly(), func(r rig) {
			r.add("web-1@1 a b", "web-2@1 b")
			r.remove("web-1@1 other nodes")
			r.index("node", "b: web-2")
		}},
		{"a value is removed with its last object: otherwise the index would grow forever", nodeOnly(),
			func(r rig) {
				r.add("web-1@1 a", "web-2@1 a")
				r.remove("web-1@1")
				assert.Len(r, r.objects.indices[0].keys, 1)
				r.remove("web-2@1")
				assert.Empty(r, r.objects.indices[0].keys)
			}},
		{"MetaNamespaceIndexFunc makes an index by namespace", Options{
			Indexers: Indexers{NamespaceIndex: MetaNamespaceIndexFunc},
		}, func(r rig) {
			r.add("shop/web-1@1", "shop/web-2@1", "bank/web-1@1", "node-1@1")
			r.index(NamespaceIndex, ": node-1", "bank: bank/web-1", "shop: shop/web-1 shop/web-2")
		}},
	})
}

func TestQueries(t *testing.T) {
	prove(t, []law{
		{"ByIndex returns the stored objects; the slice belongs to the caller", nodeOnly(), func(r rig) {
			obj := newPod("web-1@1 a")
			require.NoError(r, r.Add(obj))
			for range 2 {
				got, err := r.ByIndex("node", "a")
				require.NoError(r, err)
				require.Len(r, got, 1)
				assert.Same(r, obj, got[0])
				clear(got)
			}
		}},
		{"a value that no object has is no error", nodeOnly(), func(r rig) {
			got, err := r.ByIndex("node", "z")
			assert.NoError(r, err)
			assert.Empty(r, got)
			keys, err := r.IndexKeys("node", "z")
			assert.NoError(r, err)
			assert.Empty(r, keys)
		}},
		{"Index returns the objects that share a value with an object, which need not be stored",
			nodeOnly(), func(r rig) {
				r.add("web-1@1 a", "web-2@1 a b", "web-3@1 b", "web-4@1 c")
				asked := func(word string) []string {
					got, err := r.Index("node", newPod(word))
					require.NoError(r, err)
					return describe(got)
				}
				assert.Equal(r, []string{"web-1@1", "web-2@1"}, asked("x a"))
				assert.Equal(r, []string{"web-1@1", "web-2@1", "web-3@1"}, asked("x a b"),
					"each once, though web-2 has both values")
				assert.Empty(r, asked("x"))
				assert.Empty(r, asked("x z"))
			}},
		{"IndexKeys and ListIndexFuncValues are sorted", nodeOnly(), func(r rig) {
			r.add("web-3@1 b a", "web-1@1 c a", "web-2@1 a")
			keys, err := r.IndexKeys("node", "a")
			require.NoError(r, err)
			assert.Equal(r, []string{"web-1", "web-2", "web-3"}, keys)
			assert.Equal(r, []string{"a", "b", "c"}, r.ListIndexFuncValues("node"))
		}},
		{"a query of an unknown index returns ErrNoIndex and names it", nodeOnly(), func(r rig) {
			_, err := r.ByIndex("zone", "a")
			assert.ErrorIs(r, err, ErrNoIndex)
			assert.ErrorContains(r, err, `"zone"`)
			_, err = r.Index("zone", newPod("x"))
			assert.ErrorIs(r, err, ErrNoIndex)
			_, err = r.IndexKeys("zone", "a")
			assert.ErrorIs(r, err, ErrNoIndex)
		}},
		{"ListIndexFuncValues of an unknown index is empty", nodeOnly(), func(r rig) {
			assert.Empty(r, r.ListIndexFuncValues("zone"))
		}},
	})
}

func TestAddIndexers(t *testing.T) {
	prove(t, []law{
		{"an index that is added late holds the objects that are stored already", Options{}, func(r rig) {
			r.add("web-1@1 a", "web-2@1 b")
			require.NoError(r, r.AddIndexers(Indexers{"node": byNode}))
			r.index("node", "a: web-1", "b: web-2")
			r.add("web-1@2 b")
			r.index("node", "b: web-1 web-2")
		}},
		{"a name that exists is an error, and none of the others is added", nodeOnly(), func(r rig) {
			r.add("web-1@1 a")
			err := r.AddIndexers(Indexers{"age": byVersion, "node": byVersion, "zone": byVersion})
			assert.ErrorIs(r, err, ErrIndexExists)
			assert.ErrorContains(r, err, `"node"`)
			assert.Len(r, r.GetIndexers(), 1)
			r.index("node", "a: web-1")
		}},
		{"added indices work, whether they sort before or after the others", nodeOnly(), func(r rig) {
			r.add("web-1@1 a")
			require.NoError(r, r.AddIndexers(Indexers{"age": byVersion, "zone": byVersion}))
			r.index("age", "1: web-1")
			r.index("node", "a: web-1")
			r.index("zone", "1: web-1")
		}},
		{"GetIndexers returns a map that belongs to the caller", nodeOnly(), func(r rig) {
			got := r.GetIndexers()
			require.Contains(r, got, "node")
			values, err := got["node"](nil, newPod("web-1@1 a"))
			require.NoError(r, err)
			assert.Equal(r, []string{"a"}, values)
			delete(got, "node")
			assert.Contains(r, r.GetIndexers(), "node")
		}},
		{"the caller may change the map of Options.Indexers after New", Options{}, func(r rig) {
			options := nodeOnly()
			ix := New(options)
			delete(options.Indexers, "node")
			require.NoError(r, ix.Add(newPod("web-1@1 a")))
			assert.Equal(r, []string{"a: web-1"}, lines(ix, "node"))
		}},
	})
}

// An index finds out where it holds an object by calling its func for the stored object. If the
// object was changed in place, the func returns other values than those under which it is held.
func TestObjectChangedInPlace(t *testing.T) {
	r := rig{t, New(nodeOnly())}
	r.add("web-1@1 a")

	got, _, _ := r.GetByKey("web-1")
	shared := got.(*pod)
	shared.nodes = []string{"b"}
	r.index("node", "a: web-1") // the object is on b, the index was not updated
	require.NoError(t, r.Update(shared))
	r.index("node", "a: web-1") // old and new are the same pointer: both on b, so nothing moves

	// An update with a new object does not help: the index removes the old object from b, not a.
	require.NoError(t, r.Update(newPod("web-1@2 c")))
	r.index("node", "a: web-1", "c: web-1")

	require.NoError(t, r.Delete(newPod("web-1@2")))
	r.index("node", "a: web-1")
	left, err := r.ByIndex("node", "a")
	require.NoError(t, err)
	assert.Empty(t, left, "a key without an object is left out: readers must not get a nil")
	left, err = r.Index("node", newPod("x a b"))
	require.NoError(t, err)
	assert.Empty(t, left)

	require.NoError(t, r.Replace(pods("web-1@3 b"), "3"))
	r.index("node", "b: web-1")
	require.NoError(t, r.objects.check(), "Replace builds the indices anew, and so repairs them")
}
