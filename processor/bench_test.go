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

// batches returns many notifications in batches of one size.
func batches(size int) [][]Notification {
	web := pod("web-1", "1")
	var all [][]Notification
	for left := many; left > 0; left -= size {
		batch := make([]Notification, min(size, left))
		for i := range batch {
			batch[i] = UpdateNotification(web, web)
		}
		all = append(all, batch)
	}
	return all
}

// count returns a handler that calls done at its n-th call.
func count(n int, done func()) ResourceEventHandler {
	seen := 0
	one := func() {
		if seen++; seen == n {
			done()
		}
	}
	return ResourceEventHandlerFuncs{
		AddFunc:    func(watchglass.Object, bool) { one() },
		UpdateFunc: func(_, _ watchglass.Object) { one() },
	}
}

func mustAdd(
	b *testing.B, p *SharedProcessor, h ResourceEventHandler, initial []watchglass.Object,
) {
	if _, err := p.AddListener(h, ListenerOptions{}, initial); err != nil {
		b.Fatal(err)
	}
}

// round runs a processor, calls send and waits for the handlers.
func round(p *SharedProcessor, send func(), handlers *sync.WaitGroup) {
	ctx, cancel := context.WithCancel(context.Background())
	var run sync.WaitGroup
	run.Go(func() { p.Run(ctx) })
	send()
	handlers.Wait()
	cancel()
	run.Wait()
}

func perNotification(b *testing.B, handlers int) {
	each := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / many / float64(handlers)
	b.ReportMetric(each, "ns/notification")
}

func fanOut(b *testing.B, options Options, handlers, size int) {
	sent := batches(size)
	b.ReportAllocs()
	for b.Loop() {
		p := New(options)
		var all sync.WaitGroup
		all.Add(handlers)
		for range handlers {
			mustAdd(b, p, count(many, all.Done), nil)
		}
		round(p, func() {
			for _, batch := range sent {
				p.Distribute(batch, false)
			}
		}, &all)
	}
	perNotification(b, handlers)
}

func BenchmarkFanOut(b *testing.B) {
	for _, handlers := range []int{1, 10, 100} {
		for _, size := range []int{1, 100} {
			b.Run(fmt.Sprintf("handlers=%d/batch=%d", handlers, size), func(b *testing.B) {
				fanOut(b, Options{}, handlers, size)
			})
		}
	}
}

// BenchmarkGather hands over notifications one by one, as an informer's process loop does.
func BenchmarkGather(b *testing.B) {
	web := pod("web-1", "1")
	for _, handlers := range []int{1, 10} {
		b.Run(fmt.Sprintf("handlers=%d", handlers), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p := New(Options{})
				var all sync.WaitGroup
				all.Add(handlers)
				for range handlers {
					mustAdd(b, p, count(many, all.Done), nil)
				}
				round(p, func() {
					for range many {
						p.Gather(UpdateNotification(web, web), false)
					}
					p.Flush()
				}, &all)
			}
			perNotification(b, handlers)
		})
	}
}

func BenchmarkTrace(b *testing.B) {
	set := &Trace{
		Distributed: func([]Notification, bool) {},
		Pending:     func(string, int) {},
		Delivering:  func(string, Notification) {},
		Delivered:   func(string, Notification) {},
	}
	for name, trace := range map[string]*Trace{"nil": nil, "set": set} {
		b.Run(name, func(b *testing.B) { fanOut(b, Options{Trace: trace}, 1, 100) })
	}
}

// One of ten handlers stays in its first call until the other nine have got everything.
func BenchmarkOneBlocked(b *testing.B) {
	sent := batches(10)
	b.ReportAllocs()
	for b.Loop() {
		p := New(Options{})
		var nine sync.WaitGroup
		nine.Add(9)
		for range 9 {
			mustAdd(b, p, count(many, nine.Done), nil)
		}
		mustAdd(b, p, ResourceEventHandlerFuncs{
			UpdateFunc: func(_, _ watchglass.Object) { nine.Wait() },
		}, nil)
		round(p, func() {
			for _, batch := range sent {
				p.Distribute(batch, false)
			}
		}, &nine)
	}
	perNotification(b, 9)
}

// A handler joins when a hundred thousand objects are in the store.
func BenchmarkLateJoiner(b *testing.B) {
	web := pod("web-1", "1")
	b.ReportAllocs()
	for b.Loop() {
		p := New(Options{})
		var one sync.WaitGroup
		one.Add(1)
		round(p, func() {
			initial := slices.Repeat([]watchglass.Object{web}, many)
			mustAdd(b, p, count(many, one.Done), initial)
		}, &one)
	}
	perNotification(b, 1)
}

func BenchmarkRing(b *testing.B) {
	b.Run("write1read1", func(b *testing.B) {
		var ring RingGrowing[any]
		b.ReportAllocs()
		for b.Loop() {
			ring.WriteOne(b)
			ring.ReadOne()
		}
	})
	b.Run("burst", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var ring RingGrowing[any]
			for range many {
				ring.WriteOne(b)
			}
			for range many {
				ring.ReadOne()
			}
		}
		perNotification(b, 1)
	})
}
