package indexer

import (
	"fmt"
	"testing"

	"example.com/watchglass"
)

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
