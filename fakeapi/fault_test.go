package fakeapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/fault"
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
		{"Count says how many frames",
			Fault{Kind: FaultRepeat, Count: 2},
			[]string{"ADDED a@2", "ADDED a@2", "ADDED b@3", "ADDED b@3", "EOF"}},
		{"a fault for another resource does not strike",
			Fault{Kind: FaultCut, Resource: "pods"}, []string{"ADDED a@2", "ADDED b@3", "EOF"}},
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			w := open(t, s, "resourceVersion=1&timeoutSeconds=10")
			s.Inject(c.fault)
			create(t, s, "a", "red")
			create(t, s, "b", "red")
			assert.Equal(t, c.want, w.rest(), c.law)
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
			assert.Fail(t, "a silent stream sent "+f)
		case <-time.After(time.Hour):
		}
		s.Close()
		<-end
	})
}

func TestFaultsOfARequest(t *testing.T) {
	for _, c := range []struct {
		law   string
		fault Fault
		want  string
	}{
		{"a status without a code is a 500", Fault{Kind: FaultStatus},
			"500 InternalError: injected fault: 500"},
		{"a status has the fault's code, message and Retry-After",
			Fault{Kind: FaultStatus, Code: 503, Message: "no", RetryAfter: 1500 * time.Millisecond},
			"503 ServiceUnavailable: no, retry after 2"},
		{"a reset is no answer", Fault{Kind: FaultReset}, "EOF"},
		{"a hanging request is not answered before the client gives up", Fault{Kind: FaultHang},
			"context deadline exceeded after 1h0m0s"},
		{"a delayed request is served after the delay", Fault{Kind: FaultDelay, Delay: time.Minute},
			"200 after 1m0s"},
		{"a delay longer than the client's timeout is not answered",
			Fault{Kind: FaultDelay, Delay: 2 * time.Hour}, "context deadline exceeded after 1h0m0s"},
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			s.Inject(c.fault)
			assert.Contains(t, attempt(t, s), c.want, c.law)
			assert.Equal(t, "200 after 0s", attempt(t, s), "%s: it strikes once", c.law)
		})
	}
}

// attempt lists widgets with a timeout of an hour and describes the answer, or the error and the
// time that it took.
func attempt(t *testing.T, s *Server) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	begin := time.Now()
	req, err := http.NewRequestWithContext(ctx, "GET", URL+widgetsPath, nil)
	require.NoError(t, err)
	resp, err := s.Client().Do(req)
	took := time.Since(begin)
	if err != nil {
		return fmt.Sprint(err, " after ", took)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		return fmt.Sprint("200 after ", took)
	}
	var st Status
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&st))
	answer := fmt.Sprintf("%d %s: %s", resp.StatusCode, st.Reason, st.Message)
	if after := resp.Header.Get("Retry-After"); after != "" {
		assert.Equal(t, after, fmt.Sprint(st.Details.RetryAfterSeconds), "header and body agree")
		answer += ", retry after " + after
	}
	return answer
}

func TestCloseEndsRequestsThatHang(t *testing.T) {
	for _, kind := range []FaultKind{FaultHang, FaultDelay} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			s.Inject(Fault{Kind: kind, Delay: time.Hour})
			begin := time.Now()
			over := make(chan string)
			go func() { over <- attempt(t, s) }() // received from below
			synctest.Wait()
			s.Close()
			assert.Contains(t, <-over, "EOF", "%s: the connection ends without an answer", kind)
			assert.Less(t, time.Since(begin), time.Second, "%s: Close does not wait for its deadline", kind)
		})
	}
}

func TestAWatchCanEndAfterItsHeaders(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "a", "red")
		s.Inject(Fault{Kind: FaultClose})
		assert.Equal(t, []string{"EOF"}, open(t, s, "resourceVersion=1").rest(),
			"a clean end, with 200 before it and nothing in it")
		assert.Equal(t, "ADDED a@2", open(t, s, "resourceVersion=1").next())
	})
}

func TestAFaultStrikesWhatItNames(t *testing.T) {
	for _, c := range []struct {
		law     string
		fault   Fault
		strikes bool
	}{
		{"any verb and resource, if it names none", Fault{}, true},
		{"the verb", Fault{Verb: "list"}, true},
		{"no other verb", Fault{Verb: "get"}, false},
		{"a watch is no list", Fault{Verb: "watch"}, false},
		{"the plural", Fault{Resource: "widgets"}, true},
		{"the plural with its group", Fault{Resource: "widgets.workshop.example.dev"}, true},
		{"no other group", Fault{Resource: "widgets.example.dev"}, false},
		{"no other resource", Fault{Resource: "pods"}, false},
		{"both or nothing", Fault{Verb: "list", Resource: "pods"}, false},
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			c.fault.Kind = FaultStatus
			s.Inject(c.fault)
			resp, _ := send(t, s, "GET", widgetsPath, "")
			assert.Equal(t, c.strikes, resp.StatusCode == 500, c.law)
		})
	}
}

func TestAFaultStrikesAsOftenAsItSays(t *testing.T) {
	for _, c := range []struct {
		law    string
		faults []Fault
		want   string // the codes of six requests
	}{
		{"once", []Fault{{}}, "500 200 200 200 200 200"},
		{"three times", []Fault{{Count: 3}}, "500 500 500 200 200 200"},
		{"after two requests have passed", []Fault{{After: 2}}, "200 200 500 200 200 200"},
		{"after one request has passed, and then for ever",
			[]Fault{{After: 1, Count: -1}}, "200 500 500 500 500 500"},
		{"the first that was injected strikes first", []Fault{{Code: 429, Count: 2}, {Code: 410}},
			"429 429 410 200 200 200"},
		{"a fault that still lets requests pass does not delay the next",
			[]Fault{{Code: 429, After: 2}, {Code: 410}},
			"410 200 429 200 200 200"},
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			for _, f := range c.faults {
				f.Kind = FaultStatus
				s.Inject(f)
			}
			var codes []string
			for range 6 {
				resp, _ := send(t, s, "GET", widgetsPath, "")
				codes = append(codes, fmt.Sprint(resp.StatusCode))
			}
			assert.Equal(t, c.want, strings.Join(codes, " "), c.law)
		})
	}
}

func TestRefusedConnections(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		w := open(t, s, "resourceVersion=1")
		synctest.Wait()
		s.Inject(Fault{Kind: FaultRefuse, Count: 2})
		assert.NotEqual(t, "EOF", w.next(), "open connections break")
		for range 2 {
			_, err := s.Client().Get(URL + widgetsPath)
			assert.ErrorIs(t, err, syscall.ECONNREFUSED)
		}
		resp, _ := send(t, s, "GET", widgetsPath, "")
		assert.Equal(t, 200, resp.StatusCode)
	})
}

func TestHealEndsAllFaults(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, kind := range fault.Kinds() {
			s.Inject(Fault{Kind: kind, Count: -1, Delay: time.Hour})
		}
		s.Heal()
		create(t, s, "a", "red")
		w := open(t, s, "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&"+
			"allowWatchBookmarks=true&timeoutSeconds=70")
		assert.Equal(t, "ADDED a@2", w.next())
		assert.Equal(t, "BOOKMARK end@2", w.next())
		_, err := s.Create("configmaps", `{"metadata":{"name":"elsewhere"}}`)
		require.NoError(t, err)
		assert.Equal(t, []string{"BOOKMARK @3", "EOF"}, w.rest())
	})
}

func TestBookmarksCanBeWithheld(t *testing.T) {
	initial := "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&"
	for _, c := range []struct {
		law   string
		kind  FaultKind
		query string
		want  []string
	}{
		{"FaultNoInitialEnd withholds the bookmark that ends the initial events",
			FaultNoInitialEnd, initial,
			[]string{"ADDED a@2", "BOOKMARK @3", "EOF"}},
		{"FaultNoBookmark withholds the bookmark after a minute, but not the one before the end",
			FaultNoBookmark, "resourceVersion=1&", []string{"ADDED a@2", "BOOKMARK @3", "EOF"}},
		{"FaultNoBookmark does not withhold the bookmark that ends the initial events",
			FaultNoBookmark, initial,
			[]string{"ADDED a@2", "BOOKMARK end@2", "BOOKMARK @3", "EOF"}},
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			s.Inject(Fault{Kind: c.kind})
			create(t, s, "a", "red")
			w := open(t, s, c.query+"allowWatchBookmarks=true&timeoutSeconds=90")
			time.Sleep(time.Second)
			_, err := s.Create("configmaps", `{"metadata":{"name":"elsewhere"}}`)
			require.NoError(t, err)
			assert.Equal(t, c.want, w.rest(), c.law)
		})
	}
}
