package fakeapi

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/bits"
	"net"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/store"
)

// BenchmarkLoad is a thousand watchers of one collection and 500 writes a second,
// all through loopback sockets. One iteration is one second of it:
//
//	go test ./fakeapi -run '^$' -bench Load/small -benchtime 30x
//
// It fails unless every watcher is sent every event in order. Clients and server
// share the process, so they share the processors.
func BenchmarkLoad(b *testing.B) {
	for _, size := range []struct {
		name string
		pad  int
	}{{"small", 0}, {"2.5KB", 2200}} {
		b.Run(size.name, func(b *testing.B) { newLoad(b, 1000, size.pad).run(500) })
	}
}

// A load is a server, its watchers and what they report.
type load struct {
	b       *testing.B
	server  *Server
	addr    string
	pad     string
	began   time.Time
	readers sync.WaitGroup
	serving sync.WaitGroup

	delivered atomic.Int64
	lags      histogram
	broken    atomic.Pointer[string] // the first error
}

func newLoad(b *testing.B, watchers, pad int) *load {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	x := &load{b: b, server: New(Options{}), addr: l.Addr().String(),
		pad: strings.Repeat("x", pad), began: time.Now()}
	x.serving.Go(func() { _ = x.server.Serve(l) })
	for range watchers {
		conn, err := net.Dial("tcp", x.addr)
		if err != nil {
			b.Fatal(err)
		}
		x.readers.Go(func() { x.read(conn) })
	}
	for x.server.Watchers("widgets") < watchers {
		time.Sleep(time.Millisecond)
	}
	return x
}

// read watches until the server ends the stream. It does as little work as a client
// can, because the benchmark measures the server.
func (x *load) read(conn net.Conn) {
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s?watch=1&resourceVersion=1 HTTP/1.1\r\nHost: load\r\n\r\n",
		widgetsPath)
	raw := bufio.NewReader(conn)
	for line := ""; line != "\r\n"; {
		var err error
		if line, err = raw.ReadString('\n'); err != nil {
			x.fail("headers: %v", err)
			return
		}
	}
	frames := bufio.NewReader(httputil.NewChunkedReader(raw))
	for last := int64(1); ; last++ {
		frame, err := frames.ReadSlice('\n')
		if err == io.EOF {
			return // run counts the events
		}
		if err != nil {
			x.fail("after version %d: %v", last, err)
			return
		}
		if v := number(frame, `"resourceVersion":"`); v != last+1 {
			x.fail("version %d came after %d", v, last)
			return
		}
		x.lags.add(time.Since(x.began) - time.Duration(number(frame, `"at":`)))
		x.delivered.Add(1)
	}
}

func (x *load) fail(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	x.broken.CompareAndSwap(nil, &s)
}

// number is the number after a key.
func number(frame []byte, key string) (n int64) {
	_, after, _ := bytes.Cut(frame, []byte(key))
	for _, c := range after {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int64(c-'0')
	}
	return n
}

// run writes at a rate for b.N seconds, waits until all events have arrived and reports.
func (x *load) run(perSecond int) {
	watchers := x.server.Watchers("widgets")
	x.b.ResetTimer()
	start := time.Now()
	x.write(perSecond, perSecond*x.b.N)
	written := time.Since(start)
	want := int64(watchers) * int64(x.server.store.Version()-store.FirstVersion)
	giveUp := start.Add(2*written + time.Minute)
	for x.delivered.Load() < want && x.broken.Load() == nil && time.Now().Before(giveUp) {
		time.Sleep(time.Millisecond)
	}
	took := time.Since(start)
	x.b.StopTimer()
	x.server.Close()
	x.serving.Wait()
	x.readers.Wait()
	if s := x.broken.Load(); s != nil {
		x.b.Fatal(*s)
	}
	if got := x.delivered.Load(); got != want {
		x.b.Fatalf("%d events arrived of %d", got, want)
	}
	x.b.ReportMetric(float64(perSecond*x.b.N)/written.Seconds(), "writes/s")
	x.b.ReportMetric(float64(want)/took.Seconds(), "events/s")
	x.b.ReportMetric(x.lags.quantile(0.50).Seconds()*1e3, "p50-ms")
	x.b.ReportMetric(x.lags.quantile(0.99).Seconds()*1e3, "p99-ms")
}

// writers is how many writes can be under way at the same time. On busy processors each
// write waits for the watchers' goroutines several times. With few writers that would
// lower the rate of writes instead of showing in the lags.
const writers = 64

// write makes n writes over HTTP, none before it is due. Each has the time at which it
// was due in its object, so that the lag includes the wait for a writer.
func (x *load) write(perSecond, n int) {
	var next atomic.Int64
	start := time.Now()
	var wg sync.WaitGroup
	for w := range min(writers, n) {
		name := "web-" + strconv.Itoa(w)
		body := fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"at":%d,"pad":%q}}`,
			name, time.Since(x.began), x.pad)
		if _, err := x.server.Create("widgets", body); err != nil {
			x.b.Fatal(err)
		}
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n-writers); i = next.Add(1) - 1 {
				due := start.Add(time.Duration(i) * time.Second / time.Duration(perSecond))
				time.Sleep(time.Until(due))
				x.patch(name, due.Sub(x.began))
			}
		})
	}
	wg.Wait()
}

func (x *load) patch(name string, at time.Duration) {
	url := "http://" + x.addr + widgetsPath + "/" + name
	body := strings.NewReader(fmt.Sprintf(`{"spec":{"at":%d}}`, at))
	req, err := http.NewRequestWithContext(context.Background(), "PATCH", url, body)
	if err != nil {
		x.fail("patch: %v", err)
		return
	}
	req.Header.Set("Content-Type", patch.MediaMerge)
	resp, err := loadClient.Do(req)
	if err != nil {
		x.fail("patch: %v", err)
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		x.fail("patch: %s", resp.Status)
	}
}

var loadClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: writers}}

// A histogram counts durations in buckets an eighth of their size wide.
type histogram struct{ buckets [64 * 8]atomic.Int64 }

func (h *histogram) add(d time.Duration) {
	us := uint64(max(8, d.Microseconds()))
	shift := bits.Len64(us) - 4 // us>>shift is 8 … 15
	h.buckets[shift*8+int(us>>shift)-8].Add(1)
}

// quantile is the upper bound of the bucket in which the quantile q lies.
func (h *histogram) quantile(q float64) time.Duration {
	total := int64(0)
	for i := range h.buckets {
		total += h.buckets[i].Load()
	}
	left := int64(q * float64(total))
	for i := range h.buckets {
		if left -= h.buckets[i].Load(); left < 0 {
			return time.Duration((i%8+9)<<(i/8)) * time.Microsecond
		}
	}
	return 0
}
