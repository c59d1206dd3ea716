package fakeapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/stream"
)

// burst is after how many events a stream checks whether it has to end.
const burst = 256

// The client of this watch causes two more writes while it reads a frame: the watch never reaches
// the end of the chain of events.
func TestAWatchThatIsAlwaysBehindEndsInTime(t *testing.T) {
	for _, c := range []struct {
		law, query string
		end        func(s *Server)
		why        EndReason
	}{
		{"when its time is over", "&timeoutSeconds=1", func(*Server) {}, EndTimeout},
		{"when all watches are dropped", "", (*Server).DropWatches, EndDropped},
		{"when the server closes", "", func(s *Server) { go s.Close(); synctest.Wait() }, EndShutdown},
	} {
		t.Run(c.law, func(t *testing.T) {
			t.Parallel()
			var ended EndReason
			o := Options{WatchBuffer: 1 << 30,
				Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended = why }}}
			bubble(t, o, func(t *testing.T, s *Server) {
				create(t, s, "first", "red")
				frames, events, over := 0, 0, 0 // over: the events when the watch was ended
				started := time.Now()
				r := httptest.NewRequest("GET", widgetsPath+"?watch=1&resourceVersion=1"+c.query, nil)
				s.ServeHTTP(newSink(func(p []byte) {
					n := bytes.Count(p, []byte("\n"))
					for range 2 * n {
						events++
						create(t, s, fmt.Sprint("web-", events), "red")
					}
					time.Sleep(time.Duration(n) * 20 * time.Millisecond)
					frames += n
					if over == 0 && time.Since(started) >= time.Second {
						over = events
						c.end(s)
					}
					require.True(t, over == 0 || frames < over+20*burst, "the watch does not end")
				}), r)
				assert.Equal(t, c.why, ended)
				assert.NotZero(t, over)
				assert.Greater(t, frames, over, "what was written before the end is sent")
				assert.LessOrEqual(t, frames, over+3*burst,
					"of the events after the end only those of one burst are sent")
			})
		})
	}
}

// The same holds for the state that a watch starts with, which may be large.
func TestAWatchEndsWithinItsInitialEvents(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for i := range 4 * burst {
			create(t, s, fmt.Sprintf("web-%04d", i), "red")
		}
		frames := 0
		s.ServeHTTP(newSink(func(p []byte) {
			if frames == 0 {
				s.DropWatches()
				settled()
			}
			frames += bytes.Count(p, []byte("\n"))
			assert.NotContains(t, string(p), initialEventsEnd,
				"the bookmark would say that all objects were sent")
		}), httptest.NewRequest("GET", widgetsPath+"?watch=1&allowWatchBookmarks=1", nil))
		assert.Less(t, frames, 3*burst)
	})
}

// A bookmark says that everything up to its version was sent. A watch that is behind
// must not say so.
func TestABookmarkNeverOvertakesAnEvent(t *testing.T) {
	bubble(t, Options{BookmarkInterval: 20 * time.Millisecond}, func(t *testing.T, s *Server) {
		stop, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for i := range 40 {
			create(t, s, fmt.Sprint("first-", i), "red")
		}
		lines, known, elsewhere := 0, int64(1), int64(0)
		r := httptest.NewRequestWithContext(stop, "GET",
			widgetsPath+"?watch=1&resourceVersion=1&allowWatchBookmarks=true", nil)
		s.ServeHTTP(newSink(func(p []byte) {
			for line := range strings.Lines(string(p)) {
				var version int64
				_, digits, _ := strings.Cut(line, `"resourceVersion":"`)
				_, err := fmt.Sscan(digits, &version)
				require.NoError(t, err)
				switch lines++; {
				case strings.Contains(line, `"BOOKMARK"`):
					require.Equal(t, elsewhere, version, "there is nothing else to know")
					require.Equal(t, elsewhere, known+1, "everything before it was sent")
					known++
					continue
				default:
					require.Equal(t, known+1, version, "no event is missing")
					known++
				}
				if lines < 600 {
					create(t, s, fmt.Sprint("web-", lines), "red")
				} else if lines == 600 { // another resource: a bookmark has a version to send
					_, err := s.Create("configmaps", `{"metadata":{"name":"a"}}`)
					require.NoError(t, err)
					elsewhere = int64(s.store.Version())
				}
				time.Sleep(time.Millisecond / 4)
			}
		}), r)
		assert.Equal(t, elsewhere, known)
		assert.Greater(t, lines, 600)
	})
}

// Its connection may have no deadline for writes.
func TestAWatchThatFallsTooFarBehindIsBrokenOff(t *testing.T) {
	var ended EndReason
	o := Options{WatchBuffer: 8,
		Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended = why }}}
	bubble(t, o, func(t *testing.T, s *Server) {
		create(t, s, "first", "red")
		n := 0
		client := newSink(func(p []byte) {
			for range 2 * bytes.Count(p, []byte("\n")) {
				if n++; n > 1000 {
					panic("the watch does not end")
				}
				create(t, s, fmt.Sprint("web-", n), "red")
			}
		})
		assert.PanicsWithValue(t, http.ErrAbortHandler, func() {
			s.ServeHTTP(client, httptest.NewRequest("GET", widgetsPath+"?watch=1&resourceVersion=1", nil))
		})
		assert.Equal(t, EndSlow, ended)
	})
}

// Bookmarks come at intervals, and shortly before the end, if there is something new to say.
func TestWhenBookmarksCome(t *testing.T) {
	bubble(t, Options{BookmarkInterval: 25 * time.Second}, func(t *testing.T, s *Server) {
		w, began := open(t, s, "resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=99"), time.Now()
		for _, after := range []int{10, 20, 60, 90} {
			time.AfterFunc(time.Duration(after)*time.Second, func() {
				_, err := s.Create("configmaps", `{"metadata":{"generateName":"a-"}}`)
				assert.NoError(t, err)
			})
		}
		// no news after it until 60
		time.AfterFunc(30*time.Second, func() { create(t, s, "web-1", "red") })
		var got []string
		for range 5 {
			next := w.next()
			got = append(got, fmt.Sprint(time.Since(began).Seconds(), " ", next))
		}
		assert.Equal(t, []string{"25 BOOKMARK @3", "30 ADDED web-1@4", "75 BOOKMARK @5",
			"97 BOOKMARK @6", "99 EOF"}, got)
	})
}

func TestOnlySelectedObjectsAreInitialEvents(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "blue")
		create(t, s, "web-2", "red")
		w := open(t, s, "fieldSelector=spec.color%3Dred")
		assert.Equal(t, "ADDED web-2@3", w.next())
	})
}

// A watch may begin at a version that is not reached yet. It gets what comes after it.
func TestAWatchFromTheFutureSkipsWhatComesBefore(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		w := open(t, s, "resourceVersion=3")
		for _, name := range []string{"web-1", "web-2", "web-3"} { // 2, 3, 4
			create(t, s, name, "red")
		}
		assert.Equal(t, "ADDED web-3@4", w.next())
	})
}

// A streaming list may ask for a state at least as new as a future version. The server
// sends the headers immediately, the state when that version exists, and an ERROR if it
// does not come in time.
func TestAStreamingListWaitsForAVersionAfterItsHeaders(t *testing.T) {
	const query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion="
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red") // 2
		started := time.Now()
		w, late := open(t, s, query+"3&timeoutSeconds=60"), open(t, s, query+"9")
		assert.Zero(t, time.Since(started), "the headers do not wait")
		time.AfterFunc(time.Second, func() { create(t, s, "web-2", "red") })
		assert.Equal(t, "ADDED web-1@2", w.next())
		assert.Equal(t, "ADDED web-2@3", w.next())
		assert.Equal(t, time.Second, time.Since(started), "sent as soon as version 3 exists")
		assert.Equal(t, []string{"ERROR 504 Timeout: Too large resource version: 9, current: 3",
			"EOF"}, late.rest())
		assert.Equal(t, stream.Patience, time.Since(started))
	})
}

func TestFramesOfAWatcherThatIsBehindGoOutTogether(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for i := range 100 {
			create(t, s, fmt.Sprint("web-", i), strings.Repeat("x", 1000))
		}
		var sent []string
		r := httptest.NewRequest("GET", widgetsPath+"?watch=1&resourceVersion=1", nil)
		go s.ServeHTTP(newSink(func(p []byte) { sent = append(sent, string(p)) }), r)
		settled()
		assert.Less(t, len(sent), 15, "a hundred frames of a kilobyte, 16 KiB at a time")
		for _, p := range sent {
			assert.Regexp(t, `(?s)^{"type":.*}\n$`, p, "no frame is divided")
		}
		assert.Equal(t, 100, strings.Count(strings.Join(sent, ""), "\n"))
	})
}

// A deadlines counts how often the write deadline of a connection is set.
type deadlines struct {
	*sink
	set int
}

func (d *deadlines) SetWriteDeadline(time.Time) error { d.set++; return nil }

// The connection of a watch or a list that has ended serves other requests.
func TestADeadlineIsLeftAloneAfterTheEnd(t *testing.T) {
	d := &deadlines{}
	end := stream.Deadline{Answer: http.NewResponseController(d)}
	end.EndBy(time.Now())
	end.Close()
	end.EndBy(time.Now())
	assert.Equal(t, 1, d.set)
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

// BenchmarkCreate creates and deletes an object beside 10,000 others. After a list, the next write
// has to copy their order.
func BenchmarkCreate(b *testing.B) {
	for _, listed := range []bool{false, true} {
		b.Run(fmt.Sprint("listed=", listed), func(b *testing.B) {
			s := New(Options{})
			defer s.Close()
			for i := range 10_000 {
				must(s.Create("widgets", widget(fmt.Sprintf("web-%05d", i), "red")))
			}
			b.ReportAllocs()
			for b.Loop() {
				if listed {
					s.ServeHTTP(newSink(func([]byte) {}),
						httptest.NewRequest("GET", widgetsPath+"?limit=1", nil))
				}
				must(s.Create("widgets", widget("web-05000x", "red")))
				must(0, s.Delete("widgets", "default", "web-05000x"))
			}
		})
	}
}
