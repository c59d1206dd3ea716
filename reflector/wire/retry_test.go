package wire

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/cluster"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// follow runs a loop over WatchFrom for d and returns the events that its body got and the error
// that ended it.
func follow(t *testing.T, w Watcher, version string, d time.Duration) (seen []string, end error) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	for e, err := range WatchFrom(ctx, w, version) {
		if err != nil {
			assert.NoError(t, end, "the loop ends after its first error")
			end = err
			continue
		}
		seen = append(seen, fmt.Sprintf("%s %s@%s",
			e.Type, e.Object.GetName(), e.ResourceVersion))
	}
	return seen, end
}

func TestWatchFromSurvives(t *testing.T) {
	web, db := event("ADDED", "web-1@8"), event("ADDED", "db-1@9")
	unavailable := answer(503, "application/json",
		`{"kind":"Status","status":"Failure","reason":"ServiceUnavailable","code":503}`)
	patient := answer(429, "application/json",
		`{"kind":"Status","status":"Failure","reason":"TooManyRequests","code":429}`,
		"Retry-After: 7")
	for law, tt := range map[string]struct {
		replies []reply
		asked   []string // the resourceVersion of each request
		seen    []string
	}{
		"the next watch begins after the last event that was seen": {
			[]reply{stream(web), stream(db)},
			[]string{"7", "8", "9"}, []string{"ADDED web-1@8", "ADDED db-1@9"}},
		"a bookmark moves the version and is not shown": {
			[]reply{stream(web, bookmark("20")), stream()},
			[]string{"7", "20", "20"}, []string{"ADDED web-1@8"}},
		"a frame that breaks off does not count": {
			[]reply{raw(streamHead, chunk(web+"\n"), chunk(db[:20])), stream(db)},
			[]string{"7", "8", "9"}, []string{"ADDED web-1@8", "ADDED db-1@9"}},
		"a refusal that may pass is tried again": {
			[]reply{unavailable, patient, stream(web)},
			[]string{"7", "7", "7", "8"}, []string{"ADDED web-1@8"}},
		"an ERROR event that may pass leads to the next watch": {
			[]reply{stream(web, `{"type":"ERROR","object":{"kind":"Status","code":500,`+
				`"reason":"InternalError"}}`), stream(db)},
			[]string{"7", "8", "9"}, []string{"ADDED web-1@8", "ADDED db-1@9"}},
	} {
		t.Run(law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t)
				for _, r := range tt.replies {
					s.replies <- r
				}
				seen, err := follow(t, s.client(t), "7", 30*time.Second)
				assert.NoError(t, err)
				assert.Equal(t, tt.seen, seen)
				var asked []string
				for _, q := range s.requestsOf(true) {
					asked = append(asked, q.Get("resourceVersion"))
					assert.Equal(t, "true", q.Get("allowWatchBookmarks"), "each watch asks for bookmarks")
					assert.NotEmpty(t, q.Get("timeoutSeconds"), "each watch says when it is to end")
				}
				assert.Equal(t, tt.asked, asked, "the versions that the server was asked for")
			})
		})
	}
}

func TestWatchFromEndsWhereEventsMayBeMissing(t *testing.T) {
	gone := `{"kind":"Status","status":"Failure","reason":"Expired","code":410}`
	for law, tt := range map[string]struct {
		reply reply
		want  string
	}{
		"a 410 in answer to the request": {
			answer(410, "application/json", gone), "410 Expired"},
		"a 410 in the stream": {
			stream(`{"type":"ERROR","object":` + gone + `}`), "410 Expired"},
		"an expired version by its reason alone": {
			stream(`{"type":"ERROR","object":{"kind":"Status","reason":"Expired"}}`), "Expired"},
		"a client that may not watch": {
			answer(403, "text/plain", "no"), "403 Forbidden"},
		"a client that is not authenticated": {
			answer(401, "text/plain", "no"), "401 Unauthorized"},
		"a redirect that leads nowhere": {
			answer(302, "text/plain", "elsewhere"), "302 Found"},
		"an object without a name": {
			stream(`{"type":"ADDED","object":{"metadata":{"resourceVersion":"8"}}}`), "name"},
		"an object without a version": {
			stream(`{"type":"ADDED","object":{"metadata":{"name":"web-1"}}}`), "resourceVersion"},
		"what is not JSON":     {stream("<html>"), "cannot read"},
		"what is not a stream": {answer(200, "text/html", "<html>"), "cannot read"},
	} {
		t.Run(law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t)
				s.replies <- tt.reply
				_, err := follow(t, s.client(t), "7", time.Hour)
				require.ErrorContains(t, err, tt.want)
				assert.Len(t, s.requestsOf(true), 1, "after such an error there is no further request")
			})
		})
	}
}

func TestWatchFromRefusesAVersionWithoutOrder(t *testing.T) {
	for _, version := range []string{"", "0"} {
		_, err := follow(t, nil, version, time.Second)
		assert.ErrorContains(t, err, fmt.Sprintf("%q", version),
			"the initial events of such a watch have no order to resume in")
	}
}

// watcherFunc makes a Watcher of a func.
type watcherFunc func(reflector.ListOptions) (reflector.Watch, error)

func (f watcherFunc) Watch(
	_ context.Context, opts reflector.ListOptions,
) (reflector.Watch, error) {
	return f(opts)
}

func TestWatchFromPausesBetweenWatches(t *testing.T) {
	busy := &reflector.StatusError{Code: 429, RetryAfter: 7 * time.Second}
	forever := &reflector.StatusError{Code: 503, RetryAfter: 365 * 24 * time.Hour}
	for law, tt := range map[string]struct {
		err  error
		want time.Duration
	}{
		"a server that cannot be reached is asked once a second": {io.ErrUnexpectedEOF, time.Second},
		"Retry-After is honoured":                                {busy, 7 * time.Second},
		"Retry-After is honoured up to 5 minutes":                {forever, 5 * time.Minute},
		"a refusal without a code is tried again":                {&reflector.StatusError{}, time.Second},
		"a 408 is tried again": {
			&reflector.StatusError{Code: 408}, time.Second},
	} {
		t.Run(law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var starts []time.Time
				_, err := follow(t, watcherFunc(func(reflector.ListOptions) (reflector.Watch, error) {
					starts = append(starts, time.Now())
					return nil, tt.err
				}), "7", 20*time.Minute)
				assert.NoError(t, err)
				require.Greater(t, len(starts), 2)
				for i := 1; i < len(starts); i++ {
					assert.Equal(t, tt.want, starts[i].Sub(starts[i-1]))
				}
			})
		})
	}
}

func TestWatchFromEndsForWhatWillNotGetBetter(t *testing.T) {
	for what, end := range map[string]error{
		"a certificate that is not trusted": &tls.CertificateVerificationError{Err: io.EOF},
		"a frame beyond the limit":          &reflector.TooLargeError{What: "frame", Limit: 1},
		"a token that cannot be read":       &cluster.CredentialsError{Err: io.EOF},
	} {
		asked := 0
		_, err := follow(t, watcherFunc(func(reflector.ListOptions) (reflector.Watch, error) {
			asked++
			return nil, fmt.Errorf("watch: %w", end)
		}), "7", time.Second)
		assert.ErrorIs(t, err, end, what)
		assert.Equal(t, 1, asked, "%s ends the loop after one request", what)
	}
}

// When ctx ends, the last error of the server or the connection is not returned.
func TestWatchFromEndsWithoutAnErrorWhenItsContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	for _, err := range WatchFrom(ctx, watcherFunc(
		func(reflector.ListOptions) (reflector.Watch, error) {
			cancel()
			return nil, &reflector.StatusError{Code: 403}
		}), "7") {
		t.Errorf("the loop body ran, with error %v", err)
	}
}

// asks is a Watcher that notes the first request, and how long it may take.
type asks struct {
	opts  reflector.ListOptions
	limit time.Duration
}

func (a *asks) Watch(ctx context.Context, opts reflector.ListOptions) (reflector.Watch, error) {
	deadline, _ := ctx.Deadline()
	a.opts, a.limit = opts, time.Until(deadline)
	return nil, &reflector.StatusError{Code: 403}
}

func TestWatchFromGivesTheServerTimeToEndAWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 20 {
			w := &asks{}
			_, err := follow(t, w, "7", time.Hour)
			require.Error(t, err)
			asked := time.Duration(w.opts.TimeoutSeconds) * time.Second
			assert.GreaterOrEqual(t, asked, 5*time.Minute, "a watch lasts 5 to 10 minutes")
			assert.Less(t, asked, 10*time.Minute)
			assert.InDelta(t, (asked + 30*time.Second).Seconds(), w.limit.Seconds(), 1,
				"30 s after the time that the server was asked for, the watch is given up")
		}
	})
}

// A connection that is lost without an error is detected when the watch should have ended.
func TestWatchFromGivesUpASilentWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.replies <- hanging(event("ADDED", "web-1@8"))
		s.replies <- stream(event("ADDED", "db-1@9"))
		seen, err := follow(t, s.client(t), "7", time.Hour)
		assert.NoError(t, err)
		assert.Equal(t, []string{"ADDED web-1@8", "ADDED db-1@9"}, seen)
	})
}

func TestLeavingTheLoopClosesTheWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		closed := make(chan struct{})
		s.replies <- func(c *serverConn) {
			hanging(event("ADDED", "web-1@8"), event("ADDED", "db-1@9"))(c)
			close(closed)
		}
		for e, err := range WatchFrom(t.Context(), s.client(t), "7") {
			require.NoError(t, err)
			assert.Equal(t, "web-1", e.Object.GetName())
			break
		}
		<-closed // or the bubble reports a deadlock
	})
}

// Against fakeapi, the loop body also gets the objects that are created while connections are cut.
func TestWatchFromMissesNothingWhileConnectionsAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeapi.New(fakeapi.Options{})
		defer server.Close()
		client, err := NewClient[widget](ClientOptions{HTTPClient: server.Client(),
			URL: fakeapi.URL + "/apis/workshop.example.dev/v1/widgets"})
		require.NoError(t, err)
		list, err := client.List(t.Context(), reflector.ListOptions{})
		require.NoError(t, err)

		const objects = 20
		go func() {
			for i := range objects {
				name := fmt.Sprintf("web-%02d", i)
				_, err := server.Create("widgets", `{"metadata":{"namespace":"shop","name":"`+name+`"}}`)
				assert.NoError(t, err)
				if i%3 == 0 {
					server.DropConnections()
				}
				time.Sleep(400 * time.Millisecond)
			}
		}()
		seen, err := follow(t, client, list.ResourceVersion, time.Minute)
		assert.NoError(t, err)
		assert.Len(t, seen, objects, "each event once: %v", seen)
	})
}

var _ Watcher = (*Client)(nil)
