package fakeapi

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A recording is everything that was sent to one watcher, piece by piece.
type recording struct {
	mu     sync.Mutex
	pieces [][]byte // as the server wrote them, not copied
}

func (c *recording) add(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pieces = append(c.pieces, p)
}

// recorders opens one watch for each Accept header, without a network, and ends
// them with the test. It has to be called in a bubble.
func recorders(t *testing.T, s *Server, accept ...string) []*recording {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	all := make([]*recording, len(accept))
	var wg sync.WaitGroup
	for i, a := range accept {
		all[i] = &recording{}
		r := httptest.NewRequestWithContext(ctx, "GET", widgetsPath+"?watch=1", nil)
		r.Header.Set("Accept", a)
		wg.Go(func() { s.ServeHTTP(newSink(all[i].add), r) })
	}
	t.Cleanup(func() { cancel(); wg.Wait() })
	synctest.Wait()
	return all
}

func TestAnEventIsSerialisedOncePerForm(t *testing.T) {
	// The test compares the addresses of the written bytes: if all watchers are
	// sent the same piece of memory, the bytes were made once.
	const watchers, events = 30, 5
	forms := []string{"application/json", "application/json;as=PartialObjectMetadata;" +
		"g=meta.k8s.io;v=v1", "application/json;as=Table;g=meta.k8s.io;v=v1"}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		var accept []string
		for i := range watchers {
			accept = append(accept, forms[i%len(forms)])
		}
		all := recorders(t, s, accept...)
		for i := range events {
			create(t, s, "web-"+strconv.Itoa(i), "red")
			synctest.Wait() // all watchers keep up
		}
		made := map[*byte]int{}
		for _, c := range all {
			require.Len(t, c.pieces, events, "a frame that is alone is a piece of its own")
			for _, p := range c.pieces {
				made[unsafe.SliceData(p)]++
			}
		}
		assert.Len(t, made, events*len(forms), "one serialisation for each event and form")
		for _, n := range made {
			assert.Equal(t, watchers/len(forms), n, "shared by all watchers that want this form")
		}
	})
}

func TestFramesOfAWatcherThatIsBehindGoOutTogether(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		pad := strings.Repeat("x", 1000)
		for i := range 100 {
			create(t, s, fmt.Sprintf("web-%03d", i), pad)
		}
		c := &recording{}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		url := widgetsPath + "?watch=1&resourceVersion=1"
		r := httptest.NewRequestWithContext(ctx, "GET", url, nil)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()
		wg.Go(func() { s.ServeHTTP(newSink(func(p []byte) { c.add(bytes.Clone(p)) }), r) })
		synctest.Wait()
		assert.Less(t, len(c.pieces), 15, "a hundred frames of a kilobyte, 16 KiB at a time")
		for _, p := range c.pieces {
			assert.True(t, strings.HasPrefix(string(p), `{"type":"`), "no frame is divided")
			assert.True(t, strings.HasSuffix(string(p), "}\n"), "no frame is divided")
		}
		assert.Equal(t, 100, bytes.Count(bytes.Join(c.pieces, nil), []byte("\n")))
	})
}

// follow reads a watch to its end and reports the versions of its frames.
func follow(rd *bufio.Reader) (versions []int, end error) {
	for {
		line, err := rd.ReadBytes('\n')
		if err != nil {
			return versions, err
		}
		_, after, _ := bytes.Cut(line, []byte(`"resourceVersion":"`))
		digits, _, _ := bytes.Cut(after, []byte(`"`))
		v, _ := strconv.Atoi(string(digits))
		versions = append(versions, v)
	}
}

// The load of the benchmark on a small scale; one watcher does not read at all.
func TestEveryWatcherSeesEveryEventInOrder(t *testing.T) {
	const watchers, writes, buffer = 40, 300, 64
	ends := map[EndReason]int{}
	var mu sync.Mutex
	o := Options{WatchBuffer: buffer, Trace: &Trace{WatchEnded: func(_ Request, why EndReason) {
		mu.Lock()
		defer mu.Unlock()
		ends[why]++
	}}}
	bubble(t, o, func(t *testing.T, s *Server) {
		create(t, s, "web", "red") // 2
		var want []int
		for i := range writes {
			want = append(want, i+3)
		}
		var wg sync.WaitGroup
		for i := range watchers {
			w := open(t, s, "resourceVersion=2")
			wg.Go(func() {
				got, end := follow(w.rd)
				assert.Equal(t, io.EOF, end, "watcher %d: a clean end", i)
				assert.Equal(t, want, got, "watcher %d: all events in order", i)
			})
		}
		stalled := open(t, s, "resourceVersion=2")
		for i := range writes {
			_, err := s.Patch("widgets", "default", "web", fmt.Sprintf(`{"spec":{"n":%d}}`, i))
			require.NoError(t, err)
			if i%10 == 9 {
				synctest.Wait() // ten at a time: well within the buffer
			}
		}
		assert.Equal(t, map[EndReason]int{EndSlow: 1}, ends, "only the stalled watcher is cut off")
		assert.Equal(t, watchers, s.Watchers("widgets"))
		s.Close()
		wg.Wait()
		got, end := follow(stalled.rd)
		assert.Equal(t, io.ErrUnexpectedEOF, end, "no clean end: something is missing")
		assert.True(t, slices.Equal(want[:len(got)], got), "no gap in the events that it got: %v", got)
	})
}

func TestInitialEventsOfModifiedObjects(t *testing.T) {
	// Their stored frames say MODIFIED; initial events say ADDED, and are made
	// one after the other in the same memory.
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		names := []string{"web-1", "web-2", "web-3"}
		for _, n := range names {
			create(t, s, n, "red") // 2, 3, 4
			_, err := s.Patch("widgets", "default", n, `{"spec":{"color":"blue"}}`)
			require.NoError(t, err)
		}
		start := "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
		w := open(t, s, start)
		for i, n := range names {
			assert.Equal(t, fmt.Sprintf("ADDED %s@%d", n, i*2+3), w.next())
		}
		assert.Equal(t, "BOOKMARK end@7", w.next())

		s.Inject(Fault{Kind: FaultReorder})
		w = open(t, s, start)
		assert.Equal(t, "ADDED web-2@5", w.next(), "a frame that a fault holds back …")
		assert.Equal(t, "ADDED web-1@3", w.next(), "… is not overwritten before it is sent")
	})
}

// A watch that the server ends is sent what was written before, and ends cleanly.
func TestEventsFromBeforeTheEndAreSent(t *testing.T) {
	for law, end := range map[string]func(*Server){
		"Close": (*Server).Close, "DropWatches": (*Server).DropWatches} {
		t.Run(law, func(t *testing.T) {
			bubble(t, Options{}, func(t *testing.T, s *Server) {
				var wg sync.WaitGroup
				for range 50 {
					w := open(t, s, "resourceVersion=1")
					wg.Go(func() {
						got, err := follow(w.rd)
						assert.Equal(t, io.EOF, err)
						assert.Equal(t, []int{2, 3, 4}, got)
					})
				}
				for _, name := range []string{"web-1", "web-2", "web-3"} {
					create(t, s, name, "red")
				}
				end(s) // immediately: no stream has had time to send anything
				wg.Wait()
				assert.Zero(t, s.Watchers(""))
			})
		})
	}
}
