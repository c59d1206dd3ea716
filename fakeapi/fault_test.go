package fakeapi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFaultsOfAStream(t *testing.T) {
	// Each case: two objects are created while a watch is open and the fault
	// is armed for its next frame.
	for _, c := range []struct {
		law   string
		fault Fault
		want  []string
	}{
		{"a frame cut in the middle is an unexpected end, not an event",
			Fault{Kind: FaultCut}, []string{"unexpected EOF"}},
		{"garbage comes on a line of its own and loses nothing",
			Fault{Kind: FaultGarbage}, []string{"garbage", "ADDED a@2", "ADDED b@3", "EOF"}},
		{"an ERROR takes the frame's place and ends the stream",
			Fault{Kind: FaultError, Code: 410, Message: "gone"}, []string{"ERROR 410 gone", "EOF"}},
		{"a repeated frame is the same frame again",
			Fault{Kind: FaultRepeat}, []string{"ADDED a@2", "ADDED a@2", "ADDED b@3", "EOF"}},
		{"a reordered frame comes after the next",
			Fault{Kind: FaultReorder}, []string{"ADDED b@3", "ADDED a@2", "EOF"}},
		{"an alien comes first and loses nothing",
			Fault{Kind: FaultAlien}, []string{"ADDED alien@1", "ADDED a@2", "ADDED b@3", "EOF"}},
		{"After lets frames pass",
			Fault{Kind: FaultCut, After: 1}, []string{"ADDED a@2", "unexpected EOF"}},
		{"a fault for another resource does not strike",
			Fault{Kind: FaultCut, Resource: "pods"}, []string{"ADDED a@2", "ADDED b@3", "EOF"}},
	} {
		t.Run(c.law, func(t *testing.T) {
			bubble(t, Options{}, func(t *testing.T, s *Server) {
				w := open(t, s, "resourceVersion=1&timeoutSeconds=10")
				s.Inject(c.fault)
				create(t, s, "a", "red")
				create(t, s, "b", "red")
				assert.Equal(t, c.want, w.rest())
			})
		})
	}
}

func TestSilenceOutlastsTheTimeout(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		w := open(t, s, "resourceVersion=1&timeoutSeconds=10")
		s.Inject(Fault{Kind: FaultSilence})
		create(t, s, "a", "red")
		end := make(chan string)
		go func() { end <- w.next() }() // received from below
		select {
		case f := <-end:
			assert.Fail(t, "a half-open stream said "+f)
		case <-time.After(time.Hour):
		}
		s.Close()
		<-end
	})
}

func TestFaultStatusStrikesTheNextRequestsThatMatch(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		s.Inject(Fault{Kind: FaultStatus, Verb: "list", Count: 2, Code: 429, RetryAfter: time.Second})
		create(t, s, "a", "red")
		for range 2 {
			resp, body := send(t, s, "GET", widgetsPath, "")
			assert.Equal(t, 429, resp.StatusCode)
			assert.Equal(t, "1", resp.Header.Get("Retry-After"))
			assert.Contains(t, body, `"reason":"TooManyRequests"`)
		}
		resp, _ := send(t, s, "GET", widgetsPath, "")
		assert.Equal(t, 200, resp.StatusCode)
	})
}

func TestRefusedConnections(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		s.Inject(Fault{Kind: FaultRefuse, Count: -1})
		_, err := s.Client().Get(URL + widgetsPath)
		require.ErrorContains(t, err, "connection refused")
		s.Heal()
		resp, _ := send(t, s, "GET", widgetsPath, "")
		assert.Equal(t, 200, resp.StatusCode)
	})
}

func TestBookmarksCanBeWithheld(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		s.Inject(Fault{Kind: FaultNoInitialEnd})
		create(t, s, "a", "red")
		w := open(t, s, "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&"+
			"allowWatchBookmarks=true&timeoutSeconds=30")
		assert.Equal(t, []string{"ADDED a@2", "EOF"}, w.rest())
	})
}
