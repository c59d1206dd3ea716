package realfifo

import (
	"fmt"
	"testing"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

// BenchmarkAddPop adds objects and takes them in batches, as an informer does. An operation is one
// object.
func BenchmarkAddPop(b *testing.B) {
	for _, size := range []int{1, 1_000, 100_000} {
		b.Run(fmt.Sprintf("keys=%d", size), func(b *testing.B) {
			objs := manyObjects(size)
			q := New(Options{})
			b.ReportAllocs()
			for n := 0; n < b.N; n += size {
				for _, obj := range objs {
					_ = q.Add(obj)
				}
				for q.Len() > 0 {
					_ = q.PopBatch(nothing)
				}
			}
		})
	}
}

// BenchmarkAddPopDeltaFIFO is the same work on the other queue, to compare in one run.
func BenchmarkAddPopDeltaFIFO(b *testing.B) {
	objs := manyObjects(100_000)
	q := deltafifo.New(deltafifo.Options{})
	b.ReportAllocs()
	for n := 0; n < b.N; n += len(objs) {
		for _, obj := range objs {
			_ = q.Add(obj)
		}
		for q.Len() > 0 {
			_, _ = q.Pop(nothing)
		}
	}
}

func manyObjects(n int) []watchglass.Object {
	objs := make([]watchglass.Object, n)
	for i := range objs {
		objs[i] = &watchglass.ObjectMeta{
			Namespace:       fmt.Sprintf("ns-%03d", i%100),
			Name:            fmt.Sprintf("web-%06d", i),
			ResourceVersion: "1",
		}
	}
	return objs
}
