package fakeapi

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/stream"
)

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
		assert.Equal(t, 2*time.Second, time.Since(started), "sent as soon as version 4 exists")
		assert.Equal(t, []string{"ERROR 504 Timeout: Too large resource version: 9, current: 4",
			"EOF"}, late.rest())
		assert.Equal(t, stream.Patience, time.Since(started))
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
