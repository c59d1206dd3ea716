package fakeapi

import (
	"bytes"
	"context"
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
	defer s.Close()
	var delivered, bytesOut atomic.Int64
	stop := watchInMemory(s, watchers, func(p []byte) {
		delivered.Add(int64(bytes.Count(p, []byte{'\n'})))
		bytesOut.Add(int64(len(p)))
	})
	defer stop()

	object := []byte(fmt.Sprintf(`{"metadata":{"name":"web-1"},"spec":{"color":"red","pad":%q}}`,
		strings.Repeat("x", 250)))
	if _, err := s.Create("widgets", object); err != nil {
		b.Fatal(err)
	}
	want := func(writes int) int64 { return int64(watchers) * int64(writes) }
	await := func(n int64) {
		for delivered.Load() < n {
			time.Sleep(50 * time.Microsecond)
		}
	}
	await(want(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, startBytes := time.Now(), bytesOut.Load()
	n := 0
	for b.Loop() {
		n++
		patch := `{"spec":{"n":` + strconv.Itoa(n) + `}}`
		if _, err := s.Patch("widgets", "default", "web-1", patch); err != nil {
			b.Fatal(err)
		}
		await(want(n - 32)) // otherwise the slowest watcher would be cut off
	}
	await(want(n + 1))
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	events := float64(want(n))
	b.ReportMetric(float64(n)/took.Seconds(), "writes/s")
	b.ReportMetric(events/took.Seconds(), "events/s")
	b.ReportMetric(float64(took.Nanoseconds())/events, "ns/event")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/events, "B/event")
	b.ReportMetric(float64(bytesOut.Load()-startBytes)/events, "wireB/event")
}

// watchInMemory opens n watches of all widgets and returns when all are open.
// stop ends them and waits until they have ended.
func watchInMemory(s *Server, n int, write func([]byte)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	url := widgetsPath + "?watch=1&resourceVersion=1"
	for range n {
		r := httptest.NewRequestWithContext(ctx, "GET", url, nil)
		wg.Go(func() { s.ServeHTTP(newSink(write), r) })
	}
	for s.Watchers("widgets") < n {
		time.Sleep(time.Millisecond)
	}
	return func() {
		cancel()
		wg.Wait()
	}
}
