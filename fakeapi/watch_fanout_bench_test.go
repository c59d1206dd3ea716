package fakeapi

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkFanOut writes as fast as the watchers can be served. One iteration
// is one write; the watchers are sinks, so the figures are the server's own work
// and not the network's.
func BenchmarkFanOut(b *testing.B) {
	for _, watchers := range []int{1, 100, 10_000} {
		b.Run("watchers="+strconv.Itoa(watchers), func(b *testing.B) { fanOut(b, watchers) })
	}
}

func fanOut(b *testing.B, watchers int) {
	s := New(Options{HistoryCount: 256})
	var watching sync.WaitGroup
	defer watching.Wait()
	defer s.Close()
	var delivered, bytesOut atomic.Int64
	for range watchers {
		r := httptest.NewRequest("GET", widgetsPath+"?watch=1&resourceVersion=1", nil)
		watching.Go(func() {
			s.ServeHTTP(newSink(func(p []byte) {
				delivered.Add(int64(bytes.Count(p, []byte{'\n'})))
				bytesOut.Add(int64(len(p)))
			}), r)
		})
	}
	for s.Watchers("widgets") < watchers {
		time.Sleep(time.Millisecond)
	}
	if _, err := s.Create("widgets", widget("web-1", strings.Repeat("x", 250))); err != nil {
		b.Fatal(err)
	}
	await := func(writes int) {
		for delivered.Load() < int64(watchers)*int64(writes) {
			time.Sleep(50 * time.Microsecond)
		}
	}
	await(1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	startBytes, n := bytesOut.Load(), 0
	for b.Loop() {
		n++
		patch := fmt.Sprintf(`{"spec":{"n":%d}}`, n)
		if _, err := s.Patch("widgets", "default", "web-1", patch); err != nil {
			b.Fatal(err)
		}
		await(n - 32) // otherwise the slowest watcher would be cut off
	}
	start := time.Now()
	await(n + 1)
	took := b.Elapsed() + time.Since(start)
	runtime.ReadMemStats(&after)
	events := float64(watchers) * float64(n)
	b.ReportMetric(float64(n)/took.Seconds(), "writes/s")
	b.ReportMetric(events/took.Seconds(), "events/s")
	b.ReportMetric(float64(took.Nanoseconds())/events, "ns/event")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/events, "B/event")
	b.ReportMetric(float64(bytesOut.Load()-startBytes)/events, "wireB/event")
}
