package fakeapi

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// record opens a watch without a network, in a bubble, which ends it. It returns what was sent to it
// until it waits for more, piece by piece.
func record(t *testing.T, s *Server, query string) (pieces []string) {
	t.Helper()
	r := httptest.NewRequest("GET", widgetsPath+"?watch=1"+query, nil)
	go s.ServeHTTP(newSink(func(p []byte) { pieces = append(pieces, string(p)) }), r)
	settled()
	return pieces
}

func TestFramesOfAWatcherThatIsBehindGoOutTogether(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for i := range 100 {
			create(t, s, fmt.Sprint("web-", i), strings.Repeat("x", 1000))
		}
		sent := record(t, s, "&resourceVersion=1")
		assert.Less(t, len(sent), 15, "a hundred frames of a kilobyte, 16 KiB at a time")
		for _, p := range sent {
			assert.Regexp(t, `(?s)^{"type":.*}\n$`, p, "no frame is divided")
		}
		assert.Equal(t, 100, strings.Count(strings.Join(sent, ""), "\n"))
	})
}

// Initial events are made one after the other in the same memory.
func TestAnInitialEventThatAFaultHoldsBackIsNotOverwritten(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, name := range []string{"web-1", "web-2", "web-3"} { // 2, 4, 6
			create(t, s, name, "red")
			_, err := s.Patch("widgets", "default", name, `{"spec":{"color":"blue"}}`)
			require.NoError(t, err)
		}
		s.Inject(Fault{Kind: FaultReorder})
		sent := strings.Join(record(t, s, ""), "")
		var names []string
		for line := range bytes.Lines([]byte(sent)) {
			names = append(names, fmt.Sprint(string(line[:14]), numberAfter(line, `"resourceVersion":"`)))
		}
		assert.Equal(t, []string{`{"type":"ADDED5`, `{"type":"ADDED3`, `{"type":"ADDED7`}, names)
	})
}

// numberAfter returns the number after a key.
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

// BenchmarkFanOut writes as fast as the watchers can be served. One iteration is one write; the
// watchers are sinks, so the figures are the server's own work and not the network's.
func BenchmarkFanOut(b *testing.B) {
	for _, watchers := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprint("watchers=", watchers), func(b *testing.B) {
			s := New(Options{HistoryBytes: 4 << 20})
			var watching sync.WaitGroup
			defer watching.Wait()
			defer s.Close()
			var delivered atomic.Int64
			for range watchers {
				r := httptest.NewRequest("GET", widgetsPath+"?watch=1&resourceVersion=1", nil)
				watching.Go(func() {
					s.ServeHTTP(newSink(func(p []byte) {
						delivered.Add(int64(bytes.Count(p, []byte{'\n'})))
					}), r)
				})
			}
			await := func(writes int) {
				for delivered.Load() < int64(watchers)*int64(writes) {
					time.Sleep(50 * time.Microsecond)
				}
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				must(s.Create("widgets", widget(fmt.Sprint("web-", n), strings.Repeat("x", 250))))
				await(n - 32) // otherwise the slowest watcher would be cut off
			}
			await(n)
			events := float64(watchers) * float64(n)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/events, "ns/event")
		})
	}
}
