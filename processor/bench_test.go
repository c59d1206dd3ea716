package processor

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"example.com/watchglass"
)

// many is the number of notifications that one round of a benchmark sends.
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

// round runs a processor, calls send and waits for the calls of count that it has made.
func round(p *SharedProcessor, calls *sync.WaitGroup, send func()) {
	var run sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	run.Go(func() { p.Run(ctx) })
	send()
	calls.Wait()
	cancel()
	run.Wait()
}

func perNotification(b *testing.B, handlers int) {
	each := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / many / float64(handlers)
	b.ReportMetric(each, "ns/notification")
}

func BenchmarkFanOut(b *testing.B) {
	web := pod("web-1", "1")
	for _, handlers := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("handlers=%d", handlers), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p := New(Options{})
				var all sync.WaitGroup
				for range handlers {
					all.Add(1)
					_, _ = p.AddListener(count(all.Done), ListenerOptions{}, nil)
				}
				round(p, &all, func() {
					for range many {
						p.Gather(UpdateNotification(web, web), false)
					}
					p.Flush()
				})
			}
			perNotification(b, handlers)
		})
	}
}

// A handler joins when a hundred thousand objects are in the store.
func BenchmarkLateJoiner(b *testing.B) {
	initial := slices.Repeat(pods("web-1"), many)
	b.ReportAllocs()
	for b.Loop() {
		p := New(Options{})
		var one sync.WaitGroup
		one.Add(1)
		round(p, &one, func() { _, _ = p.AddListener(count(one.Done), ListenerOptions{}, initial) })
	}
	perNotification(b, 1)
}
