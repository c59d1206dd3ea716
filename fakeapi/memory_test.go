package fakeapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stock returns a server with n objects of about 2.5 KB, the bytes of its documents
// and the heap that the server takes, in bytes.
func stock(tb testing.TB, n int) (s *Server, stored, heap int) {
	tb.Helper()
	before := heapNow()
	s = New(Options{HistoryCount: 100})
	for i := range n {
		raw, err := s.Create("widgets", fmt.Appendf(nil, `{"metadata":{"name":"web-%06d","labels":`+
			`{"app":"web","shard":"%d"}},"spec":{"pad":%q}}`, i, i%16, strings.Repeat("x", 2200)))
		require.NoError(tb, err)
		stored += len(raw)
	}
	return s, stored, heapNow() - before
}

// heapNow returns the bytes that are reachable.
func heapNow() int {
	runtime.GC()
	runtime.GC() // the second empties the pools that the first has set aside
	return int(memory().HeapAlloc)
}

func memory() (m runtime.MemStats) { runtime.ReadMemStats(&m); return m }

// A reading is one way to read the whole collection.
type reading struct{ name, query, encoding string }

var readings = []reading{
	{"list", "", ""},
	{"list compressed", "", "gzip"},
	{"list in pages", "limit=500", ""},
	{"streaming list", "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&" +
		"allowWatchBookmarks=true", ""},
}

// perform reads the whole collection and returns how many bytes were sent.
func (r reading) perform(s *Server) (sent int) {
	for next, more := "", true; more; more = next != "" {
		ctx, cancel := context.WithCancel(context.Background())
		req, _ := http.NewRequestWithContext(ctx, "GET", // its Body is nil
			widgetsPath+"?"+r.query+"&continue="+next, nil)
		req.Header.Set("Accept-Encoding", r.encoding)
		var end []byte // of the last piece: it holds the bookmark or the continue token
		s.ServeHTTP(newSink(func(p []byte) {
			sent += len(p)
			end = append(end[:0], p[max(0, len(p)-400):]...)
			if bytes.Contains(end, []byte(initialEventsEnd)) {
				cancel()
			}
		}), req)
		cancel()
		next = ""
		if _, after, ok := bytes.Cut(end, []byte(`"continue":"`)); ok {
			token, _, _ := bytes.Cut(after, []byte(`"`))
			next = string(token)
		}
	}
	return sent
}

func TestReadingEverythingCopiesNoDocument(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates, too")
	}
	const n = 4_000
	s, stored, heap := stock(t, n)
	defer s.Close()
	assert.Less(t, float64(heap), 1.5*float64(stored), "storing takes at most half as much again")

	for i := range n / 2 { // half of them are modified after they were created
		_, err := s.Patch("widgets", "default", fmt.Sprintf("web-%06d", i*2), `{"spec":{"color":"blue"}}`)
		require.NoError(t, err)
	}
	for _, r := range readings {
		t.Run(r.name, func(t *testing.T) {
			r.perform(s) // fills the pools
			before := memory().TotalAlloc
			sent := r.perform(s)
			allocated := int(memory().TotalAlloc - before)
			assert.True(t, r.encoding != "" || sent > stored, "everything was sent")
			// Garbage counts too. A reading needs pointers to the documents, in a
			// slice that grows by doubling, a few buffers, and a compressor if the
			// pool has lost its own.
			assert.Less(t, allocated, stored/5, "a copy would be %d bytes", stored)
		})
	}
}
