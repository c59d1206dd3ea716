package indexer

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

func TestIndexFunc(t *testing.T) {
	t.Run("may return a slice of the object, which is not changed, or one that it uses again",
		func(t *testing.T) {
			var own []string
			ix := New(Options{Indexers: Indexers{
				"object's": func(obj watchglass.Object) ([]string, error) { return obj.(*pod).nodes, nil },
				"own": func(obj watchglass.Object) ([]string, error) {
					own = append(own[:0], obj.(*pod).nodes...)
					return own, nil
				},
			}})
			web := newPod("web-1@1 c a b a")
			for _, obj := range []*pod{web, newPod("web-1@2 d a"), newPod("web-1@3 b"), web} {
				require.NoError(t, ix.Update(obj))
				require.NoError(t, ix.check())
			}
			assert.Equal(t, []string{"c", "a", "b", "a"}, web.nodes)
		})
	t.Run("that is nil makes New and AddIndexers panic with the name of the index",
		func(t *testing.T) {
			const want = `indexer: the IndexFunc of index "node" is nil`
			assert.PanicsWithValue(t, want, func() { New(Options{Indexers: Indexers{"node": nil}}) })
			assert.PanicsWithValue(t, want, func() {
				_ = New(Options{}).AddIndexers(Indexers{"age": byVersion, "node": nil})
			})
		})
	t.Run("whose error is refused can be found in the error of the write", func(t *testing.T) {
		refusal := errors.New("no")
		ix := New(Options{Indexers: Indexers{"picky": func(watchglass.Object) ([]string, error) {
			return []string{"left out, too"}, refusal
		}}})
		assert.ErrorIs(t, ix.Add(newPod("web-1@1")), refusal)
		assert.ErrorContains(t, ix.Replace(pods("c@1", "d@1", "a@1", "b@1", "e@1"), "1"),
			`object "a" and 4 more are left out of index "picky": no`)
		assert.Empty(t, ix.ListIndexFuncValues("picky"))
	})
}

// The story says what else happens to a stored object that is changed in place.
func TestAnObjectChangedInPlace(t *testing.T) {
	changed := func(node string) (*Indexer, *pod) {
		ix := New(Options{Indexers: Indexers{
			"first": byNode, "node": byNodeBut("nowhere", "boom"), "second": byNode,
		}})
		p := newPod("web-1@1 a")
		require.NoError(t, ix.Add(p))
		p.nodes = []string{node}
		return ix, p
	}
	t.Run("leaves a key behind when it is deleted, which finds no object", func(t *testing.T) {
		ix, p := changed("b")
		require.NoError(t, ix.Delete(p))
		found, err := ix.ByIndex("node", "a")
		require.NoError(t, err)
		assert.Empty(t, found, "a nil would crash the reader")
	})
	t.Run("may make an IndexFunc panic when it is deleted, which changes nothing", func(t *testing.T) {
		ix, p := changed("boom")
		assert.Panics(t, func() { _ = ix.Delete(p) })
		p.nodes = []string{"a"}
		require.NoError(t, ix.check())
		assert.Equal(t, []string{"web-1"}, ix.ListKeys())
	})
}

func TestAllocations(t *testing.T) {
	three := Indexers{"node": byNode, "node-2": byNode, "node-3": byNode}
	for promise, states := range map[string][2]string{
		"an update that changes no value":              {"web-1@1 a", "web-1@2 a"},
		"an update to a value that other objects have": {"web-1@1 a", "web-1@2 b"},
		"an update of an object with many values": {
			"web-1@1 a" + strings.Repeat(" n", 100), "web-1@2 b" + strings.Repeat(" n", 100)},
	} {
		t.Run(promise+" allocates nothing but what the IndexFuncs return", func(t *testing.T) {
			ix := New(Options{Indexers: three})
			for _, obj := range pods("other-a@1 a", "other-b@1 b", "other-n@1 n") {
				require.NoError(t, ix.Add(obj))
			}
			before, after := newPod(states[0]), newPod(states[1])
			assert.Zero(t, testing.AllocsPerRun(100, func() {
				_ = ix.Update(before)
				_ = ix.Update(after)
			}))
		})
	}
	t.Run("a relist of what is known grows neither the map of an index nor its sets", func(t *testing.T) {
		list := make([]watchglass.Object, 1000)
		for i := range list {
			list[i] = newPod(fmt.Sprintf("web-%d@1 a own-%d", i, i))
		}
		ix, empty := New(nodeOnly()), New(nodeOnly())
		require.NoError(t, ix.Replace(list, "1"))
		relist := testing.AllocsPerRun(10, func() { _ = ix.Replace(list, "2") })
		first := testing.AllocsPerRun(10, func() {
			_ = empty.Replace(nil, "0")
			_ = empty.Replace(list, "1")
		})
		assert.Greater(t, first-relist, 30.0)
	})
}

func TestConcurrency(t *testing.T) {
	t.Run("what a reader finds under a value has that value, whatever writers do", func(t *testing.T) {
		ix := New(nodeOnly())
		states := pods("web-1@1 a", "web-1@2 b", "web-2@1 a", "web-2@2 b")
		var all sync.WaitGroup
		for n := range 2 {
			all.Go(func() {
				for i := range 500 {
					_ = ix.Update(states[(n+i)%4])
					_ = ix.Delete(states[i%4])
					_ = ix.Replace(states[n:n+2], "1")
					ix.Transaction([]Write{{Object: states[i%4]}, {Object: states[n]}})
					_ = ix.AddIndexers(Indexers{fmt.Sprint(n, "-", i%5): byVersion})
				}
			})
			all.Go(func() {
				for range 500 {
					found, _ := ix.ByIndex("node", "a")
					for _, obj := range found {
						assert.Equal(t, "a", obj.(*pod).nodes[0])
					}
					ix.List()
					ix.ListKeys()
					ix.Len()
					_, _, _ = ix.GetByKey("web-1")
					ix.ListIndexFuncValues("node")
					ix.GetIndexers()
				}
			})
		}
		all.Wait()
		require.NoError(t, ix.check())
		assert.Len(t, ix.GetIndexers(), 1+2*5, "an index was lost")
	})
	t.Run("a reader sees all writes of a transaction or none", func(t *testing.T) {
		for range 10 {
			var ix *Indexer
			seen := make(chan int, 2)
			ix = New(Options{Indexers: Indexers{"": func(watchglass.Object) ([]string, error) {
				go func() { seen <- ix.Len() }()
				for range 100 {
					runtime.Gosched() // until the reader waits for the lock
				}
				return nil, nil
			}}})
			ix.Transaction([]Write{{Object: newPod("web-1@1")}, {Object: newPod("web-2@2")}})
			assert.Equal(t, 2, <-seen)
			assert.Equal(t, 2, <-seen)
		}
	})
}

// benchSize is how many objects a benchmark stores. To compute a key costs one allocation; the other
// ones are those of the index func, and of maps that grow.
const benchSize = 100_000

// manyPods returns pods on a hundred nodes.
func manyPods(node string) []watchglass.Object {
	list := make([]watchglass.Object, benchSize)
	for i := range list {
		list[i] = newPod(fmt.Sprintf("ns-%03d/web-%06d@1 %s-%d", i%100, i, node, i%100))
	}
	return list
}

func BenchmarkAdd(b *testing.B) {
	list := manyPods("node")
	b.ReportAllocs()
	for n := 0; n < b.N; n += benchSize {
		ix := New(nodeOnly())
		for _, obj := range list {
			_ = ix.Add(obj)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	for _, to := range []string{"same", "other"} {
		b.Run("value="+to, func(b *testing.B) {
			states := [][]watchglass.Object{manyPods("same"), manyPods(to)}
			ix := New(nodeOnly())
			_ = ix.Replace(states[0], "1")
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				_ = ix.Update(states[(n/benchSize+1)%2][n%benchSize])
			}
		})
	}
}

func BenchmarkReplace(b *testing.B) {
	list := manyPods("node")
	ix := New(nodeOnly())
	b.ReportAllocs()
	for n := 0; n < b.N; n += benchSize {
		_ = ix.Replace(list, "1")
	}
}
