package fakeapi

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/stream"
)

func TestWatchFromAVersionGetsExactlyWhatFollowed(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red") // 2
		create(t, s, "web-2", "red") // 3
		_, err := s.Patch("widgets", "default", "web-1", `{"spec":{"color":"blue"}}`)
		require.NoError(t, err)
		require.NoError(t, s.Delete("widgets", "default", "web-2"))

		w := open(t, s, "resourceVersion=2&timeoutSeconds=60")
		assert.Equal(t, []string{"ADDED web-2@3", "MODIFIED web-1@4", "DELETED web-2@5", "EOF"},
			w.rest())
	})
}

func TestForgottenVersionsAreExpiredInTheStream(t *testing.T) {
	bubble(t, Options{HistoryCount: 2}, func(t *testing.T, s *Server) {
		for _, n := range []string{"a", "b", "c", "d"} { // 2, 3, 4, 5
			create(t, s, n, "red")
		}
		assert.Equal(t, []string{"ERROR 410 too old resource version: 2 (3)", "EOF"},
			open(t, s, "resourceVersion=2").rest(), "version 2 is too old: an event after it is forgotten")
		assert.Equal(t, []string{"ADDED c@4", "ADDED d@5", "EOF"},
			open(t, s, "resourceVersion=3&timeoutSeconds=9").rest(), "all events after 3 are known")
	})
}

func TestHistoryAges(t *testing.T) {
	bubble(t, Options{HistoryAge: time.Minute}, func(t *testing.T, s *Server) {
		create(t, s, "a", "red")
		time.Sleep(2 * time.Minute)
		assert.Equal(t, "ADDED a@2", open(t, s, "resourceVersion=1").next(),
			"old events are dropped only when something is written")
		create(t, s, "b", "red")
		assert.Equal(t, "ERROR 410 too old resource version: 1 (2)",
			open(t, s, "resourceVersion=1").next())
	})
}

func TestCompactLeavesRunningWatchesAlone(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		w := open(t, s, "resourceVersion=1")
		create(t, s, "a", "red")
		synctest.Wait()
		s.Compact()
		create(t, s, "b", "red")
		assert.Equal(t, "ADDED a@2", w.next())
		assert.Equal(t, "ADDED b@3", w.next())
		assert.Equal(t, "ERROR 410 too old resource version: 1 (2)",
			open(t, s, "resourceVersion=1").next())
		assert.Equal(t, "ADDED b@3", open(t, s, "resourceVersion=2").next(),
			"the version of the compaction itself can be watched from")
	})
}

func TestStreamingListEndsInAMarkedBookmark(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-2", "red")
		create(t, s, "web-1", "red")
		w := open(t, s, "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&"+
			"allowWatchBookmarks=true")
		assert.Equal(t, "ADDED web-1@3", w.next(), "in order of keys")
		assert.Equal(t, "ADDED web-2@2", w.next())
		assert.Equal(t, "BOOKMARK end@3", w.next())
		require.NoError(t, s.Delete("widgets", "default", "web-1"))
		assert.Equal(t, "DELETED web-1@4", w.next())
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
		w, late := open(t, s, query+"4&timeoutSeconds=60"), open(t, s, query+"9")
		assert.Zero(t, time.Since(started), "the headers do not wait")
		go func() {
			time.Sleep(time.Second)
			create(t, s, "web-2", "red")
			time.Sleep(time.Second)
			create(t, s, "web-3", "red")
		}()
		for i, name := range []string{"web-1", "web-2", "web-3"} {
			assert.Equal(t, fmt.Sprintf("ADDED %s@%d", name, i+2), w.next())
		}
		assert.Equal(t, 2*time.Second, time.Since(started),
			"the state is sent as soon as version 4 exists")
		assert.Equal(t, []string{"ERROR 504 Timeout: Too large resource version: 9, current: 4",
			"EOF"}, late.rest())
		assert.Equal(t, stream.Patience, time.Since(started))
	})
}

func TestBookmarksComeEveryMinuteAndBeforeTheEnd(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		w := open(t, s, "resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=150")
		start := time.Now()
		_, err := s.Create("configmaps", `{"metadata":{"name":"elsewhere"}}`)
		require.NoError(t, err)
		assert.Equal(t, "BOOKMARK @2", w.next(), "another resource's write moves the version")
		assert.Equal(t, time.Minute, time.Since(start))
		time.Sleep(65 * time.Second) // over the second minute: nothing new, no bookmark
		_, err = s.Create("configmaps", `{"metadata":{"name":"again"}}`)
		require.NoError(t, err)
		assert.Equal(t, "BOOKMARK @3", w.next())
		assert.Equal(t, 148*time.Second, time.Since(start), "two seconds before the end")
		assert.Equal(t, "EOF", w.next())
		assert.Equal(t, 150*time.Second, time.Since(start))
	})
}

func TestLeavingASelectionIsADeletionOfWhatWasSelected(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		w := open(t, s, "resourceVersion=1&fieldSelector=spec.color%3Dblue")
		create(t, s, "web-1", "red") // 2: not selected, not seen
		for _, color := range []string{"blue", "red", "blue"} {
			_, err := s.Patch("widgets", "default", "web-1", `{"spec":{"color":"`+color+`"}}`)
			require.NoError(t, err)
		}
		require.NoError(t, s.Delete("widgets", "default", "web-1"))
		assert.Equal(t, "ADDED web-1@3", w.next())
		line, err := w.rd.ReadString('\n')
		require.NoError(t, err)
		assert.Contains(t, line, `{"type":"DELETED"`)
		assert.Contains(t, line, `"color":"blue"`, "the last state that was selected")
		assert.Contains(t, line, `"resourceVersion":"4"`, "the version of the update by which it left")
		assert.Equal(t, "ADDED web-1@5", w.next())
		assert.Equal(t, "DELETED web-1@6", w.next())
	})
}

func TestAStalledWatcherIsCutOffAndOthersDoNotNotice(t *testing.T) {
	bubble(t, Options{WatchBuffer: 16}, func(t *testing.T, s *Server) {
		stalled := open(t, s, "resourceVersion=1")
		live := open(t, s, "resourceVersion=1")
		for i := range 40 {
			create(t, s, "w-"+string(rune('a'+i%26))+string(rune('a'+i/26)), "red")
			assert.Contains(t, live.next(), "ADDED w-")
		}
		synctest.Wait()
		assert.Equal(t, 1, s.Watchers("widgets"), "the stalled watch is cut off")
		all := stalled.rest()
		assert.Equal(t, "unexpected EOF", all[len(all)-1], "it has no clean end")
	})
}

func TestCloseEndsStreamsCleanly(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		w := open(t, s, "resourceVersion=1")
		go s.Close() // the bubble's own Close waits for it
		assert.Equal(t, []string{"EOF"}, w.rest())
	})
}

func TestDropWatchesEndsThemCleanly(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		w := open(t, s, "resourceVersion=1")
		synctest.Wait()
		s.DropWatches()
		assert.Equal(t, []string{"EOF"}, w.rest())
	})
}

func TestDropConnectionsBreaksThem(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		w := open(t, s, "resourceVersion=1")
		synctest.Wait()
		s.DropConnections()
		assert.NotEqual(t, "EOF", w.next())
		resp, _ := send(t, s, "GET", widgetsPath, "")
		assert.Equal(t, 200, resp.StatusCode, "new connections are accepted")
	})
}
