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
			objs := manyObjects(size)
			q := New(Options{})
			b.ReportAllocs()
			for n := 0; n < b.N; n += size {
				for _, obj := range objs {
					q.Add(obj)
				}
				for range objs {
					q.Pop(discard)
				}
			}
		})
	}
}

// An operation is one event, an add or one of two updates, and a third of the pop that takes all
// three.
func BenchmarkAddTwoUpdatesPop(b *testing.B) {
	const size = 100_000
	objs := manyObjects(size)
	q := New(Options{})
	b.ReportAllocs()
	for n := 0; n < b.N; n += 3 * size {
		for _, obj := range objs {
			q.Add(obj)
		}
		for range 2 {
			for _, obj := range objs {
				q.Update(obj)
			}
		}
		for range objs {
			q.Pop(discard)
		}
	}
}

func BenchmarkReplacePop(b *testing.B) {
	const size = 100_000
	objs := manyObjects(size)
	b.ReportAllocs()
	for n := 0; n < b.N; n += size {
		q := New(Options{})
		q.Replace(objs, "1")
		for range objs {
			q.Pop(discard)
		}
	}
}

func BenchmarkTrace(b *testing.B) {
	obj := object("web-1", "1")
	for name, trace := range map[string]*Trace{"nil": nil, "empty": {}, "full": fullTrace()} {
		b.Run(name, func(b *testing.B) {
			q := New(Options{Trace: trace})
			b.ReportAllocs()
			for b.Loop() {
				q.Add(obj)
				q.Pop(discard)
			}
		})
	}
}

func discard(Deltas, bool) error { return nil }

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
