package tape

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector/wire"
)

const secret = "a-secret-token"

// newReal makes a machine that reads a collection with a token, and starts it.
func newReal(t *testing.T, url string, client *http.Client) *Machine {
	t.Helper()
	m, err := New(Options{Source: source, Real: &wire.ClientOptions{URL: url, HTTPClient: client,
		Header: http.Header{"Authorization": {"Bearer " + secret}}}})
	require.NoError(t, err)
	t.Cleanup(m.Close)
	require.NoError(t, m.furnish())
	return m
}

// A real server is only read: whatever is pressed, it gets lists and watches.
func TestARealServerIsOnlyRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var verbs []string
		api := fakeapi.New(fakeapi.Options{Trace: &fakeapi.Trace{
			Request: func(q fakeapi.Request) { verbs = append(verbs, q.Verb) },
		}})
		defer api.Close()
		_, err := api.Create("services", `{"metadata":{"name":"web-1"},"spec":{"ports":[{"port":80}]}}`)
		require.NoError(t, err)
		m := newReal(t, fakeapi.URL+"/api/v1/services", api.Client())
		synctest.Wait()
		for _, b := range buttons {
			_ = m.Do(Order{Do: b.Do, Key: "default/web-1", Args: map[string]string{"kind": RealFIFO}})
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		for _, verb := range verbs {
			assert.Contains(t, []string{"list", "watch"}, verb)
		}
		for _, b := range m.Meta().Buttons {
			assert.False(t, b.writes, "there is no button %s", b.Do)
		}
		assert.True(t, m.Meta().ReadOnly)
		assert.ErrorContains(t, m.Do(Order{Do: "create"}), "this one is real, and only read")
		s, _, _ := m.seen.list()
		assert.Contains(t, s.Cache.Objects, ObjectState{"default/web-1", "2"})
		assert.Empty(t, s.Server.Objects, "a real server has no trace")
	})
}

// A roundTripper answers without a server.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// status answers every request in the same way.
func status(code int, body string) roundTripper {
	return func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: code, Status: http.StatusText(code), Request: r,
			Header: http.Header{"Content-Type": {"application/json"}},
			Body:   io.NopCloser(strings.NewReader(body))}, nil
	}
}

// Whatever a real server does, the page goes on, says that there is no stream, and never shows the
// token.
func TestARealServerMayFail(t *testing.T) {
	list := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}`
	lists := func(watch roundTripper) roundTripper {
		return func(r *http.Request) (*http.Response, error) {
			if r.URL.Query().Has("watch") {
				return watch(r)
			}
			return status(200, list)(r)
		}
	}
	refused := roundTripper(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("connection refused")
	})
	for what, c := range map[string]struct {
		server roundTripper
		says   string
	}{
		"refuses connections":      {refused, "list: connection refused"},
		"refuses each watch":       {lists(refused), "watch: connection refused"},
		"answers 401":              {status(401, ""), "list: Unauthorized"},
		"answers 403":              {status(403, `{"kind":"Status","code":403,"message":"no"}`), "list: Forbidden"},
		"answers 500":              {status(500, "<html>"), "list: Internal Server Error"},
		"answers a watch with 403": {lists(status(403, "no")), "watch: Forbidden"},
		"answers with no JSON":     {status(200, "<html>"), "list: OK"},
		"ends each watch":          {lists(status(200, "")), "stream ended"},
		"sends no event":           {lists(status(200, "{}\n")), "part of a frame"},
		"sends half an event":      {lists(status(200, `{"type":"ADDED"`)), "part of a frame"},
		"says that it is too late": {lists(status(200, `{"type":"ERROR","object":{"kind":"Status","code":410}}`)), "ERROR 410"},
	} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			server := func(r *http.Request) (*http.Response, error) {
				asked++
				return c.server(r)
			}
			m := newReal(t, "https://cluster.example/api/v1/pods", &http.Client{Transport: roundTripper(server)})
			time.Sleep(5 * time.Minute)
			synctest.Wait()
			l := m.Listing()
			assert.False(t, l.State.Wire.Open, what)
			assert.Zero(t, l.State.Wire.Held, what)
			assert.Less(t, asked, 60, "%s: it waits longer and longer", what)
			assert.Greater(t, asked, 5, "%s: it tries again", what)
			events, _, _ := m.seen.after(0, MaxHeld)
			said := false
			for _, e := range events {
				said = said || e.Text == c.says
				assert.Equal(t, strings.HasPrefix(e.Text, "ERROR"), e.Fault && e.Kind == "frame", e.Text)
				assert.NotContains(t, string(encoded(e)), secret, what)
			}
			assert.True(t, said, "%s: no event says %q", what, c.says)
			page, err := json.Marshal(l)
			require.NoError(t, err)
			assert.NotContains(t, string(page), secret, what)
		})
	}
}

// A request that the reflector itself has given up is no failure of the server.
func TestAStopIsNoFailureOfTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := roundTripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		m := newReal(t, "https://cluster.example/api/v1/pods", &http.Client{Transport: server})
		synctest.Wait()
		press(t, m, "stop", "")
		assert.ErrorIs(t, m.Do(Order{Do: "resync"}), errNotRunning)
		s, seq, _ := m.seen.list()
		assert.Equal(t, "stopped", s.Reflector.State)
		events, _, _ := m.seen.after(0, int(seq))
		for _, e := range events {
			assert.NotEqual(t, words.Wire, e.Lane, "%d: %s", e.Seq, e.Text)
		}
	})
}

// The state of an event is the state at its number, however many goroutines report.
func TestReportsFromManyGoroutinesHaveOneOrder(t *testing.T) {
	const goroutines, each = 4, 1000
	c := newCollector(source, goroutines*each)
	begin := make(chan struct{})
	var reporting sync.WaitGroup
	for range goroutines {
		reporting.Go(func() {
			<-begin
			for range each {
				c.report(said(laneYou, "test", ""), func(m *model) { m.server.change().rv++ })
			}
		})
	}
	close(begin)
	reporting.Wait()
	events, _, ok := c.after(0, goroutines*each)
	require.True(t, ok)
	require.Len(t, events, goroutines*each)
	for i, e := range events {
		require.Equal(t, int64(i+1), e.Seq)
		require.Equal(t, uint64(i+1), e.State.Server.RV,
			"no other report comes between the change and the picture of it")
	}
}
