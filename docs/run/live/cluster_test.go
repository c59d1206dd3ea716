package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/reflector/wire"
)

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
	const secret = "a-secret-token"
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
			m, err := newMachine(newCollector(source, maxHeld), deltaFIFO, wire.ClientOptions{
				URL:        "https://cluster.example/api/v1/pods",
				HTTPClient: &http.Client{Transport: roundTripper(server)},
				Header:     http.Header{"Authorization": {"Bearer " + secret}}})
			require.NoError(t, err)
			defer m.close()
			m.renew()
			require.NoError(t, m.furnish())
			time.Sleep(5 * time.Minute)
			synctest.Wait()
			s := newSite(t, m)
			l := s.list()
			assert.False(t, l.State.Wire.Open, what)
			assert.Zero(t, l.State.Wire.Held, what)
			assert.Less(t, asked, 60, "%s: it waits longer and longer", what)
			assert.Greater(t, asked, 5, "%s: it tries again", what)
			events, _, _ := m.seen.after(0, maxHeld)
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

// What is shown of the wire is the present watch: frames of the one before do not count, and those
// that are held are what the server has sent in this one.
func TestTheWireShowsThePresentWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		for range 3 {
			press(t, m, "update", "default/web-1")
		}
		time.Sleep(2 * time.Second)
		press(t, m, "drop", "")
		s, _, _ := m.seen.list()
		assert.Equal(t, &WireState{Open: true, Before: []Mark{}, Behind: []Mark{}, From: "7"}, s.Wire)
		press(t, m, "update", "default/web-1")
		s, _, _ = m.seen.list()
		assert.Equal(t, &WireState{Open: true, Before: []Mark{}, Behind: []Mark{}, From: "7", Frames: 1, Last: "MODIFIED web-1@8"}, s.Wire)
		press(t, m, "valve", "", "name", "V1", "mode", held)
		press(t, m, "update", "default/web-1")
		press(t, m, "update", "default/web-1")
		s, _, _ = m.seen.list()
		assert.Equal(t, 2, s.Wire.Held)
		press(t, m, "disconnect", "")
		press(t, m, "valve", "", "name", "V1", "mode", open)
		s, _, _ = m.seen.list()
		assert.False(t, s.Wire.Open)
		assert.Zero(t, s.Wire.Held, "what has not come is lost with the connection")
		press(t, m, "heal", "")
		press(t, m, "valve", "", "name", "V1", "mode", held)
		time.Sleep(time.Minute)
		press(t, m, "update", "default/web-1")
		press(t, m, "stop", "")
		s, _, _ = m.seen.list()
		assert.False(t, s.Wire.Open)
		assert.Zero(t, s.Wire.Held, "and with the stream that the client closes")
	})
}

// A request that the reflector itself has given up is no failure of the server.
func TestAStopIsNoFailureOfTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := roundTripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		m, err := newMachine(newCollector(source, maxHeld), deltaFIFO, wire.ClientOptions{
			URL: "https://cluster.example/api/v1/pods", HTTPClient: &http.Client{Transport: server}})
		require.NoError(t, err)
		defer m.close()
		m.renew()
		require.NoError(t, m.furnish())
		synctest.Wait()
		press(t, m, "stop", "")
		assert.ErrorIs(t, m.do(order{Do: "resync"}), errNotRunning)
		s, seq, _ := m.seen.list()
		assert.Equal(t, "stopped", s.Reflector.State)
		events, _, _ := m.seen.after(0, int(seq))
		for _, e := range events {
			assert.NotEqual(t, words.Wire, e.Lane, "%d: %s", e.Seq, e.Text)
		}
	})
}
