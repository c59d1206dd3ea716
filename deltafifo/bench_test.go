package deltafifo

import (
	"fmt"
	"testing"

	"example.com/watchglass"
)

// The numbers worth watching are allocations: one for the key, one for the Deltas.

func BenchmarkAddPop(b *testing.B) {
	for _, size := range []int{1, 1_000, 100_000} {
		b.Run(fmt.Sprintf("keys=%d", size), func(b *testing.B) {
			q, objs := New(Options{}), manyObjects(size)
			b.ReportAllocs()
			for n := 0; n < b.N; n += size {
				for _, obj := range objs {
					_ = q.Add(obj)
				}
				popAll(q)
			}
		})
	}
}

func BenchmarkTrace(b *testing.B) {
	for name, trace := range map[string]*Trace{"nil": nil, "full": fullTrace()} {
		b.Run(name, func(b *testing.B) {
			q, obj := New(Options{Trace: trace}), object("web-1", "1")
			b.ReportAllocs()
			for b.Loop() {
				_ = q.Add(obj)
				popAll(q)
			}
		})
	}
}

func popAll(q *DeltaFIFO) (deltas int) {
	for q.Len() > 0 {
		d, _ := q.Pop(discard)
		deltas += len(d)
	}
	return deltas
}

func fullTrace() *Trace {
	return &Trace{
		Queued:   func(string, Delta, Deltas) {},
		Merged:   func(string, Delta, Delta) {},
		Ignored:  func(string, Delta) {},
		Replaced: func(string, int, int) {},
		Popped:   func(string, Deltas, bool) {},
		Requeued: func(string, Deltas) {},
		Synced:   func() {},
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
