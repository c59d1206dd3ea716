package realfifo

import (
	"fmt"
	"testing"

	"example.com/watchglass"
)

// BenchmarkAddPop adds objects and takes them in batches, as an informer does. An operation is one
// object.
func BenchmarkAddPop(b *testing.B) {
	for _, size := range []int{1, 1_000, 100_000} {
		b.Run(fmt.Sprintf("keys=%d", size), func(b *testing.B) {
			objs := make([]watchglass.Object, size)
			for i := range objs {
				objs[i] = &watchglass.ObjectMeta{Namespace: "shop", Name: fmt.Sprint(i)}
			}
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
