package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	token := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(token, []byte(secret), 0o600))
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
				assert.Equal(t, "Bearer "+secret, r.Header.Get("Authorization"))
				return c.server(r)
			}
			m, err := newMachine(newCollector(source, maxHeld), deltaFIFO, wire.ClientOptions{
				URL:        "https://cluster.example/api/v1/pods",
				HTTPClient: &http.Client{Transport: roundTripper(server)}, TokenFile: token})
			require.NoError(t, err)
			defer m.close()
			m.server = m.client.URL()
			m.renew()
			require.NoError(t, m.observe())
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
				assert.NotContains(t, string(e.encoded()), secret, what)
			}
			assert.True(t, said, "%s: no event says %q", what, c.says)
			page, err := json.Marshal(l)
			require.NoError(t, err)
			assert.NotContains(t, string(page), secret, what)
		})
	}
}
