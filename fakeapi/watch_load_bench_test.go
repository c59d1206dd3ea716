package fakeapi

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkLoad is a thousand watchers of one collection, through loopback sockets, and 500
// writes a second. One iteration is one second of it:
//
//	go test ./fakeapi -run '^$' -bench Load/small -benchtime 30x
//
// It fails unless every watcher is sent every event in order. Clients and server
// share the process, so they share the processors.
func BenchmarkLoad(b *testing.B) {
	b.Run("small", func(b *testing.B) { runLoad(b, 1000, 500, "") })
	b.Run("2.5KB", func(b *testing.B) { runLoad(b, 1000, 500, strings.Repeat("x", 2200)) })
}

// A load is a server and what its watchers report.
type load struct {
	*testing.B
	server    *Server
	addr      string
	began     time.Time
	delivered atomic.Int64
	lags      [1 << 16]atomic.Int64 // how many events arrived after so many tenths of a millisecond
}

func runLoad(b *testing.B, watchers, perSecond int, pad string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	x := &load{B: b, server: New(Options{}), addr: l.Addr().String(), began: time.Now()}
	var running sync.WaitGroup
	running.Go(func() { _ = x.server.Serve(l) })
	for range watchers {
		running.Go(x.watch)
	}
	for x.server.Watchers("widgets") < watchers && !b.Failed() {
		time.Sleep(time.Millisecond)
	}
	b.ResetTimer()
	start := time.Now()
	for i := range perSecond * b.N {
		due := start.Add(time.Duration(i) * time.Second / time.Duration(perSecond))
		time.Sleep(time.Until(due))
		// The lag includes the time for which a write is late.
		o := fmt.Sprintf(`{"metadata":{"name":"web-%d"},"spec":{"at":%d,"pad":%q}}`,
			i, due.Sub(x.began), pad)
		if _, err := x.server.Create("widgets", o); err != nil {
			b.Fatal(err)
		}
	}
	written := time.Since(start)
	want := int64(watchers * perSecond * b.N)
	giveUp := start.Add(2*written + time.Minute)
	for x.delivered.Load() < want && !b.Failed() && time.Now().Before(giveUp) {
		time.Sleep(time.Millisecond)
	}
	took := time.Since(start)
	b.StopTimer()
	x.server.Close()
	running.Wait()
	if got := x.delivered.Load(); got != want {
		b.Fatalf("%d events arrived of %d", got, want)
	}
	b.ReportMetric(float64(perSecond*b.N)/written.Seconds(), "writes/s")
	b.ReportMetric(float64(want)/took.Seconds(), "events/s")
	b.ReportMetric(x.lag(0.50), "p50-ms")
	b.ReportMetric(x.lag(0.99), "p99-ms")
}

// watch reads until the server ends the stream. It does as little work as a client
// can, because the benchmark measures the server.
func (x *load) watch() {
	conn, err := net.Dial("tcp", x.addr)
	if err != nil {
		x.Error(err)
		return
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s?watch=1&resourceVersion=1 HTTP/1.1\r\nHost: load\r\n\r\n", widgetsPath)
	raw := bufio.NewReader(conn)
	for line := ""; line != "\r\n" && err == nil; {
		line, err = raw.ReadString('\n')
	}
	frames := bufio.NewReader(httputil.NewChunkedReader(raw))
	for last := int64(1); err == nil; last++ {
		frame, end := frames.ReadSlice('\n')
		if end == io.EOF {
			return // runLoad counts the events
		}
		if v := numberAfter(frame, `"resourceVersion":"`); v != last+1 {
			err = fmt.Errorf("version %d came after %d: %v", v, last, end)
		}
		lag := time.Since(x.began) - time.Duration(numberAfter(frame, `"at":`))
		x.lags[min(len(x.lags)-1, int(lag/(time.Millisecond/10)))].Add(1)
		x.delivered.Add(1)
	}
	x.Error(err)
}

// numberAfter is the number after a key.
func numberAfter(frame []byte, key string) (n int64) {
	_, after, _ := bytes.Cut(frame, []byte(key))
	for _, c := range after {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int64(c-'0')
	}
	return n
}

// lag is within how many milliseconds this part of the events arrived.
func (x *load) lag(part float64) float64 {
	left, i := int64(part*float64(x.delivered.Load())), 0
	for ; left >= 0 && i < len(x.lags); i++ {
		left -= x.lags[i].Load()
	}
	return float64(i) / 10
}
