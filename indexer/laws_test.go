package indexer

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

func TestAnIndexFuncThatIsNilMakesNewAndAddIndexersPanic(t *testing.T) {
	assert.PanicsWithValue(t, `indexer: the IndexFunc of index "node" is nil`, func() {
		_ = New(Options{}).AddIndexers(Indexers{"age": byVersion, "node": nil})
	})
}

func TestTheErrorOfAWriteWrapsThatOfTheIndexFunc(t *testing.T) {
	ix := New(nodeOnly())
	assert.ErrorIs(t, ix.Add(newPod("web-1@1 nowhere")), errNoNode)
	assert.ErrorContains(t, ix.Replace(pods("c@1 nowhere", "a@1 nowhere", "b@1 nowhere"), "1"),
		`object "a" and 2 more are left out of index "node": there is no such node`)
}

// The other tests have traces with all funcs.
func TestATraceMayHaveOneFuncOnly(t *testing.T) {
	calls := 0
	one := func(string, watchglass.Object) { calls++ }
	for name, trace := range map[string]*Trace{
		"Added":    {Added: one},
		"Updated":  {Updated: func(string, watchglass.Object, watchglass.Object) { calls++ }},
		"Deleted":  {Deleted: one},
		"Replaced": {Replaced: func([]watchglass.Object, string) { calls++ }},
	} {
		calls = 0
		ix := New(Options{Trace: trace})
		for _, err := range []error{
			ix.Add(newPod("web-1@1")), ix.Update(newPod("web-1@2")), ix.Delete(newPod("web-1@2")),
			ix.Delete(newPod("web-1@2")), ix.Replace(nil, "3"),
		} {
			require.NoError(t, err)
		}
		assert.Equal(t, 1, calls, name)
	}
}

func TestAllocations(t *testing.T) {
	t.Run("an update allocates nothing but what the IndexFuncs return", func(t *testing.T) {
		ix := New(Options{Indexers: Indexers{"node": byNode, "node-2": byNode}})
		for _, obj := range pods("other-1@1 a n", "other-2@1 b") {
			require.NoError(t, ix.Add(obj))
		}
		before, after := newPod("web-1@1 a own"), newPod("web-1@2 own b"+strings.Repeat(" n", 100))
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			_ = ix.Update(before)
			_ = ix.Update(after)
		}))
	})
	t.Run("the index by namespace allocates nothing for one that it has seen", func(t *testing.T) {
		for i := range 5000 { // more than there are slices
			obj := &pod{ObjectMeta: watchglass.ObjectMeta{Namespace: fmt.Sprint(i)}}
			assert.Zero(t, testing.AllocsPerRun(1, func() {
				if values, _ := MetaNamespaceIndexFunc(obj); !slices.Equal(values, []string{obj.Namespace}) {
					panic(fmt.Sprintf("%q has %q", obj.Namespace, values))
				}
			}))
		}
	})
	t.Run("a relist of what is known grows no map of an index and no set", func(t *testing.T) {
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
		fresh := New(nodeOnly())
		require.NoError(t, fresh.Replace(ix.List(), "1"))
		assert.Equal(t, lines(fresh, "node"), lines(ix, "node"))
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

// manyPods returns a hundred thousand pods on a hundred nodes. To compute a key costs one
// allocation; the others in a benchmark are those of the index func, and of maps that grow.
func manyPods(node string) []watchglass.Object {
	list := make([]watchglass.Object, 100_000)
	for i := range list {
		list[i] = newPod(fmt.Sprintf("ns-%03d/web-%06d@1 %s-%d", i%100, i, node, i%100))
	}
	return list
}

func BenchmarkAdd(b *testing.B) {
	list := manyPods("node")
	b.ReportAllocs()
	for n := 0; n < b.N; n += len(list) {
		ix := New(nodeOnly())
		for _, obj := range list {
			_ = ix.Add(obj)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	for _, to := range []string{"same", "other"} {
		b.Run("value="+to, func(b *testing.B) {
			states := slices.Concat(manyPods("same"), manyPods(to))
			ix := New(nodeOnly())
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				_ = ix.Update(states[n%len(states)])
			}
		})
	}
}

func BenchmarkReplace(b *testing.B) {
	list := manyPods("node")
	ix := New(nodeOnly())
	b.ReportAllocs()
	for n := 0; n < b.N; n += len(list) {
		_ = ix.Replace(list, "1")
	}
}

// BenchmarkGetByKey measures a read that begins while a List of everything runs, and one before
// which a write has begun to wait for that List.
func BenchmarkGetByKey(b *testing.B) {
	ix := New(Options{})
	_ = ix.Replace(manyPods("node"), "1")
	for _, beside := range []string{"list", "list,write"} {
		b.Run("beside="+beside, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				var others sync.WaitGroup
				others.Go(func() { ix.List() })
				for n := 0; n < 1000 && ix.mu.TryLock(); n++ { // until the List has the lock
					ix.mu.Unlock()
					runtime.Gosched()
				}
				if beside != "list" {
					others.Go(func() { _ = ix.Update(newPod("ns-000/web-000000@2")) })
					for n := 0; n < 1000 && ix.mu.TryRLock(); n++ { // until the write waits
						ix.mu.RUnlock()
						runtime.Gosched()
					}
				}
				b.StartTimer()
				ix.GetByKey("ns-000/web-000000")
				b.StopTimer()
				others.Wait()
				b.StartTimer()
			}
		})
	}
}
