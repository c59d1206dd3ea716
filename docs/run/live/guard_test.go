package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asked is a request as it reaches the server.
func (s *site) asked(method, path, host string, headers ...string) *httptest.ResponseRecorder {
	body := ""
	if method == http.MethodPost {
		body = `{"do":"update","key":"default/web-1"}`
	}
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.page.handler().ServeHTTP(w, r)
	return w
}

func TestAWebPageElsewhereCanNeitherReadNorPress(t *testing.T) {
	const host, origin = "127.0.0.1:8098", "http://127.0.0.1:8098"
	for _, c := range []struct {
		law, method, path, host string
		headers                 []string
		code                    int
	}{
		{"the page itself reads", "GET", "/state", host, nil, 200},
		{"a reader may say localhost", "GET", "/state", "localhost:8098", nil, 200},
		{"a reader may say ::1", "GET", "/state", "[::1]:8098", nil, 200},
		{"no port is port 80", "GET", "/state", "localhost", nil, 200},
		{"no port is port 80, in brackets", "GET", "/state", "[::1]", nil, 200},
		{"a name that leads here reads nothing", "GET", "/state", "evil.example:8098", nil, 403},
		{"an empty name reads nothing", "GET", "/state", "", nil, 403},
		{"an address of a network reads nothing", "GET", "/state", "192.168.1.7:8098", nil, 403},
		{"a name that begins with localhost reads nothing", "GET", "/state",
			"localhost.evil.example", nil, 403},
		{"another origin reads nothing", "GET", "/state", host,
			[]string{"Origin", "http://evil.example"}, 403},
		{"another port is another origin", "GET", "/state", host,
			[]string{"Origin", "http://127.0.0.1:9999"}, 403},
		{"a sandboxed frame is another origin", "GET", "/state", host, []string{"Origin", "null"}, 403},
		{"a picture on another site is not loaded", "GET", "/live.js", host,
			[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another program's page on this machine is another site", "GET", "/state", host,
			[]string{"Sec-Fetch-Site", "same-site"}, 403},
		{"a bookmark opens the page", "GET", "/", host, []string{"Sec-Fetch-Site", "none"}, 200},
		{"the page itself presses", "POST", "/do", host,
			[]string{"Origin", origin, presses, "1", "Sec-Fetch-Site", "same-origin"}, 204},
		{"a form on another site presses nothing", "POST", "/do", host,
			[]string{"Origin", "http://evil.example", presses, "1"}, 403},
		{"the scheme counts", "POST", "/do", host,
			[]string{"Origin", "https://127.0.0.1:8098", presses, "1"}, 403},
		{"a press needs the header that a form cannot send", "POST", "/do", host,
			[]string{"Origin", origin}, 403},
		{"a press needs an origin", "POST", "/do", host, []string{presses, "1"}, 403},
		{"a name that leads here presses nothing", "POST", "/do", "evil.example:8098",
			[]string{"Origin", "http://evil.example:8098", presses, "1"}, 403},
		{"a browser that asks first gets no permission", "OPTIONS", "/do", host,
			[]string{"Origin", "http://evil.example", "Access-Control-Request-Method", "POST"}, 403},
		{"a press is a POST", "GET", "/do", host, nil, 404},
		{"another method is refused", "DELETE", "/state", host, nil, 405},
	} {
		t.Run(c.law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newRig(t, deltaFIFO)
				s := &site{t: t, page: &page{run: "first", seen: m.seen, machine: m}}
				before := m.api.ResourceVersion()
				w := s.asked(c.method, c.path, c.host, c.headers...)
				assert.Equal(t, c.code, w.Code, w.Body)
				synctest.Wait()
				assert.Equal(t, c.code == 204, m.api.ResourceVersion() != before,
					"what is refused changes nothing")
				assert.Empty(t, w.Header().Get("Access-Control-Allow-Origin"), "no other origin may read")
				if c.code == 403 {
					assert.NotContains(t, w.Body.String(), "web-1", "what is refused tells nothing")
				}
			})
		})
	}
}

func TestThePageMayRunItsOwnScriptOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		s := &site{t: t, page: &page{run: "first", seen: m.seen, machine: m}}
		for _, path := range []string{"/", "/state", "/source?file=doc.go&line=1"} {
			h := s.asked("GET", path, "localhost").Header()
			csp := h.Get("Content-Security-Policy")
			assert.Contains(t, csp, "default-src 'none'", path)
			assert.Contains(t, csp, "script-src 'self';", "%s: no inline script, no other server", path)
			assert.Contains(t, csp, "connect-src 'self';", path)
			assert.Contains(t, csp, "frame-ancestors 'none'", "%s: no page may put a frame around it", path)
			assert.NotContains(t, csp, "unsafe", path)
			assert.Equal(t, "nosniff", h.Get("X-Content-Type-Options"), path)
			assert.Equal(t, "same-origin", h.Get("Cross-Origin-Resource-Policy"), path)
		}
	})
}

func TestAWrongOrderIsAnsweredWithASentence(t *testing.T) {
	for _, c := range []struct{ body, says string }{
		{`{"do":"fly"}`, "there is no button"},
		{`{"do":"update"}`, "needs the key of an object"},
		{`{"do":"update","key":"default/web-9"}`, `"web-9" not found`},
		{`{"do":"delete","key":"default/web-9"}`, `"web-9" not found`},
		{`{"do":"create","key":"default/web-1"}`, `already exists`},
		{`{"do":"create","key":"default/No Name"}`, `Invalid value`},
		{`{"do":"valve","args":{"name":"V7","mode":"held"}}`, "there is no valve"},
		{`{"do":"valve","args":{"name":"V1","mode":"ajar"}}`, "the mode of a valve"},
		{`{"do":"admit","args":{"name":"V1"}}`, "V1 is open"},
		{`{"do":"queue","args":{"kind":"LIFO"}}`, "the kind of a queue"},
		{`{"do":"start"}`, "runs already"},
		{`{"do":"add-handler","args":{"name":"first"}}`, "there is a handler first already"},
		{`{"do":"add-handler","args":{"name":"a name that is far too long"}}`, "longer than 20"},
		{`{"do":"remove-handler","args":{"name":"none"}}`, "there is no handler"},
		{`{"do":"panic"}`, "there is no handler"},
		{`{"do":"story"}`, "no story is played"},
		{`{"do":"update","kee":"default/web-1"}`, "unknown field"},
		{`{"do":"update"} {}`, "nothing behind it"},
		{`{"do":"update","key":7}`, "expected an order in JSON"},
		{``, "expected an order in JSON"},
		{`{"do":"` + strings.Repeat("x", 20_000) + `"}`, "too large"},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newRig(t, deltaFIFO)
			s := &site{t: t, page: &page{run: "first", seen: m.seen, machine: m}}
			r := httptest.NewRequest("POST", "http://localhost/do", strings.NewReader(c.body))
			r.Header.Set("Origin", "http://localhost")
			r.Header.Set(presses, "1")
			w := httptest.NewRecorder()
			s.page.handler().ServeHTTP(w, r)
			var answer map[string]string
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer), "%.50s: %s", c.body, w.Body)
			assert.Equal(t, http.StatusBadRequest, w.Code, "%.50s", c.body)
			assert.Contains(t, answer["error"], c.says, "%.50s", c.body)
			assert.Less(t, len(answer["error"]), 1000, "%.50s", c.body)
			synctest.Wait()
			agree(t, m, c.body[:min(len(c.body), 50)])
		})
	}
}

// An order that is never sent to its end does not keep its connection.
func TestAnOrderThatStopsHalfWayIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, newRig(t, deltaFIFO))
		half, write := io.Pipe()
		defer write.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, home+"/do", half)
		require.NoError(t, err)
		req.Header.Set("Origin", home)
		req.Header.Set(presses, "1")
		go func() { _, _ = write.Write([]byte(`{"do":`)) }()
		start := time.Now()
		resp, err := s.client.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		assert.Equal(t, http.StatusBadRequest, resp.StatusCode)
		assert.Equal(t, patience, time.Since(start))
	})
}
