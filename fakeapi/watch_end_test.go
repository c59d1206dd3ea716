package fakeapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// burst is after how many events a stream checks whether it has to end.
const burst = 256

// A behind is a watch whose client causes two more writes while it reads a frame: the
// watch never reaches the end of the chain of events.
type behind struct {
	frames, events int
	read           func() // called after each piece that was read
}

// serve serves such a watch of widgets to its end. Reading a frame takes a
// millisecond. It has to be called in a bubble.
func (b *behind) serve(t *testing.T, s *Server, query string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "GET", widgetsPath+"?watch=1&"+query, nil)
	s.ServeHTTP(newSink(func(p []byte) {
		n := bytes.Count(p, []byte("\n"))
		for range 2 * n {
			b.events++
			create(t, s, fmt.Sprint("web-", b.events), "red")
		}
		time.Sleep(time.Duration(n) * time.Millisecond)
		b.frames += n
		b.read()
	}), r)
}

// A watch ends soon even if its client reads more slowly than others write: after the
// events of the current burst, and those that exist when the burst is over.
func TestAWatchThatIsAlwaysBehindEndsInTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		law string
		end func(s *Server)
		why EndReason
	}{
		{"when its time is over", func(*Server) {}, EndTimeout},
		{"when all watches are dropped", (*Server).DropWatches, EndDropped},
		{"when the server closes", func(s *Server) { go s.Close(); synctest.Wait() }, EndShutdown},
	} {
		t.Run(c.law, func(t *testing.T) {
			var ended EndReason
			o := Options{WatchBuffer: 1 << 30,
				Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended = why }}}
			bubble(t, o, func(t *testing.T, s *Server) {
				create(t, s, "first", "red")
				over := 0 // events that existed when the watch was ended
				started := time.Now()
				b := &behind{}
				b.read = func() {
					switch time.Since(started) >= time.Second {
					case over > 0:
						require.Less(t, b.frames, over+20*burst, "the watch does not end")
					case true:
						over = b.events
						c.end(s)
					}
				}
				query := "resourceVersion=1"
				if c.why == EndTimeout {
					query += "&timeoutSeconds=1"
				}
				b.serve(t, s, query)
				assert.Equal(t, c.why, ended)
				assert.NotZero(t, over)
				assert.Greater(t, b.frames, over, "what was written before the end is sent")
				assert.LessOrEqual(t, b.frames, over+3*burst,
					"of the events after the end only those of one burst are sent")
			})
		})
	}
}

// The same holds for the state that a watch starts with, which may be large.
func TestAWatchEndsWithinItsInitialEvents(t *testing.T) {
	var ended EndReason
	o := Options{Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended = why }}}
	bubble(t, o, func(t *testing.T, s *Server) {
		for i := range 6 * burst {
			create(t, s, fmt.Sprintf("web-%04d", i), "red")
		}
		frames := 0
		r := httptest.NewRequestWithContext(t.Context(), "GET", widgetsPath+"?watch=1", nil)
		s.ServeHTTP(newSink(func(p []byte) {
			if frames == 0 {
				s.DropWatches()
			}
			frames += bytes.Count(p, []byte("\n"))
			assert.NotContains(t, string(p), initialEventsEnd,
				"the bookmark would say that all objects were sent")
		}), r)
		assert.Equal(t, EndDropped, ended)
		assert.Less(t, frames, 3*burst)
	})
}

// A bookmark says that everything up to its version was sent. A watch that is behind
// must not say so.
func TestABookmarkNeverOvertakesAnEvent(t *testing.T) {
	bubble(t, Options{BookmarkInterval: 20 * time.Millisecond}, func(t *testing.T, s *Server) {
		var lines []string
		elsewhere := 0 // a version of another resource's object
		stop, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for i := range 40 {
			create(t, s, fmt.Sprint("first-", i), "red")
		}
		r := httptest.NewRequestWithContext(stop, "GET",
			widgetsPath+"?watch=1&resourceVersion=1&allowWatchBookmarks=true", nil)
		s.ServeHTTP(newSink(func(p []byte) {
			for line := range strings.Lines(string(p)) {
				lines = append(lines, line)
				switch n := len(lines); {
				case n < 2000:
					create(t, s, fmt.Sprint("web-", n), "red")
				case n == 2000: // another resource: a bookmark has a version to send
					_, err := s.Create("configmaps", `{"metadata":{"name":"a"}}`)
					require.NoError(t, err)
					elsewhere = int(s.store.Version())
				}
				time.Sleep(time.Millisecond / 4)
			}
		}), r)
		next, bookmarks := 2, 0
		for _, line := range lines {
			_, after, _ := strings.Cut(line, `"resourceVersion":"`)
			version, _ := strconv.Atoi(after[:strings.IndexByte(after, '"')])
			if strings.Contains(line, `"BOOKMARK"`) {
				bookmarks++
				if version != elsewhere || next != elsewhere {
					require.Less(t, version, next, "everything up to it was sent")
				}
				continue
			}
			require.Equal(t, next, version, "no event is missing")
			next++
		}
		assert.NotZero(t, bookmarks)
		assert.Greater(t, next, 2000)
	})
}
