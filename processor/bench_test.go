package processor

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"example.com/watchglass"
)

// many is the number of notifications that each handler of a benchmark gets.
const many = 100_000

// count returns a handler that calls done at its call number many.
func count(done func()) ResourceEventHandler {
	seen := 0
	one := func() {
		if seen++; seen == many {
			done()
		}
	}
	return ResourceEventHandlerFuncs{
		AddFunc:    func(watchglass.Object, bool) { one() },
		UpdateFunc: func(_, _ watchglass.Object) { one() },
	}
}

// In the last case a handler joins when a hundred thousand objects are in the store.
func BenchmarkFanOut(b *testing.B) {
	for _, handlers := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("handlers=%d", handlers), func(b *testing.B) { fanOut(b, handlers, nil) })
	}
	b.Run("late", func(b *testing.B) { fanOut(b, 1, slices.Repeat(pods("web-1"), many)) })
}

func fanOut(b *testing.B, handlers int, initial []watchglass.Object) {
	web := pod("web-1", "1")
	b.ReportAllocs()
	for b.Loop() {
		p := New(Options{})
		var calls, run sync.WaitGroup
		calls.Add(handlers)
		for range handlers {
			_, _ = p.AddListener(count(calls.Done), ListenerOptions{}, initial)
		}
		ctx, cancel := context.WithCancel(context.Background())
		run.Go(func() { p.Run(ctx) })
		for range many - len(initial) {
			p.Gather(UpdateNotification(web, web), false)
		}
		p.Flush()
		calls.Wait()
		cancel()
		run.Wait()
	}
	each := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / many / float64(handlers)
	b.ReportMetric(each, "ns/notification")
}
