package fakeapi

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everyWayIn runs f with a server for each way in which requests can reach it: through the
// in-memory client, plain HTTP, HTTP/2 over TLS, and an http.Server of the user's own. Connections
// are pipes in a bubble.
func everyWayIn(t *testing.T, o Options, f func(t *testing.T, s *Server, c *http.Client, url string)) {
	t.Helper()
	cert, _ := selfSigned(t)
	for way, serve := range map[string]func(s *Server, l net.Listener) error{
		"in memory": nil,
		"plain":     func(s *Server, l net.Listener) error { return s.Serve(l) },
		"HTTP/2":    func(s *Server, l net.Listener) error { return s.ServeTLS(l, cert) },
		"mounted":   func(s *Server, l net.Listener) error { return (&http.Server{Handler: s}).Serve(l) },
	} {
		t.Run(way, func(t *testing.T) {
			bubble(t, o, func(t *testing.T, s *Server) {
				if serve == nil {
					f(t, s, s.Client(), URL)
					return
				}
				l := NewPipeListener()
				served := make(chan struct{})
				go func() { defer close(served); _ = serve(s, l) }()
				transport := &http.Transport{DialContext: l.DialContext, ForceAttemptHTTP2: true,
					TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
				url := URL
				if way == "HTTP/2" {
					url = strings.Replace(URL, "http:", "https:", 1)
				}
				f(t, s, &http.Client{Transport: transport}, url)
				transport.CloseIdleConnections()
				_ = l.Close()
				<-served
			})
		})
	}
}

// askFor sends a request with headers, which may include Host, and returns the answer's code.
func askFor(t *testing.T, c *http.Client, method, url, body string, header ...string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	resp, err := c.Do(req)
	require.NoError(t, err)
	_, _ = io.Copy(io.Discard, resp.Body) // so that the connection can be used again
	resp.Body.Close()
	return resp.StatusCode
}

func TestWebPagesOfOtherOriginsChangeNothing(t *testing.T) {
	const elsewhere = "https://page.example"
	for _, c := range []struct {
		law    string
		header []string
		code   int // of a create; reads are always answered
	}{
		{"a client that is not a browser", nil, 201},
		{"a page of another site", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"a page of the same site, which is another origin",
			[]string{"Sec-Fetch-Site", "same-site"}, 403},
		{"a page of the server itself", []string{"Sec-Fetch-Site", "same-origin"}, 201},
		{"a user who types the address", []string{"Sec-Fetch-Site", "none"}, 201},
		{"an old browser with a page of another origin", []string{"Origin", elsewhere}, 403},
		{"a page without an origin", []string{"Origin", "null"}, 403},
	} {
		everyWayIn(t, Options{Control: true}, func(t *testing.T, s *Server, client *http.Client, url string) {
			create(t, s, "web-1", "red")
			before := s.ResourceVersion()
			// Neither of these needs a Content-Type, so browsers send them without asking the server first.
			assert.Equal(t, c.code, askFor(t, client, "POST", url+widgetsPath, fullWidget("web-2"),
				c.header...), c.law)
			done := map[int]int{201: 204, 403: 403}[c.code]
			assert.Equal(t, done, askFor(t, client, "POST", url+"/fakeapi/compact", "", c.header...),
				"%s: the control endpoint", c.law)
			assert.Equal(t, 200, askFor(t, client, "GET", url+widgetsPath, "", c.header...),
				"%s: reads are answered; the browser hides the answer from the page", c.law)
			if c.code == 403 {
				assert.Equal(t, 403, askFor(t, client, "DELETE", url+widgetsPath+"/web-1", "",
					c.header...), c.law)
				assert.Equal(t, before, s.ResourceVersion(), "%s: nothing is written", c.law)
			}
		})
	}
}

func TestOnlyRequestsForAllowedHostsAreAnswered(t *testing.T) {
	for _, c := range []struct {
		law, host string
		code      int
	}{
		{"localhost", "localhost", 200},
		{"localhost with any port", "localhost:8001", 200},
		{"the loopback address", "127.0.0.1:8001", 200},
		{"any loopback address", "127.9.9.9", 200},
		{"the loopback address of IPv6", "[::1]:8001", 200},
		{"the loopback address of IPv6 without a port", "[::1]", 200},
		{"an allowed name", "box.example:8001", 200},
		{"an allowed name in other case", "BOX.Example", 200},
		{"an allowed address", "192.0.2.7:8001", 200},
		{"a name of this machine", "box:8001", 200},
		{"a name without a dot that is too long for a label", strings.Repeat("h", 64), 403},
		{"an address of IPv6 that is not loopback", "[2001:db8::1]:8001", 403},
		{"a name with a dot at its end", "page.", 403},
		{"the name of a web page that resolves to this server", "page.example:8001", 403},
		{"a name that begins like an allowed one", "box.example.page.example", 403},
		{"a name that begins like localhost", "localhost.page.example", 403},
		{"a name that ends like an allowed one", "not-box.example", 403},
		{"an address that is not loopback", "192.0.2.1:8001", 403},
		{"the unspecified address", "0.0.0.0:8001", 403},
	} {
		everyWayIn(t, Options{AllowHosts: []string{"box.example", "192.0.2.7"}, Control: true},
			func(t *testing.T, s *Server, client *http.Client, url string) {
				for _, path := range []string{widgetsPath, "/version", "/healthz", "/apis"} {
					assert.Equal(t, c.code, askFor(t, client, "GET", url+path, "", "Host", c.host),
						"%s: %s", c.law, path)
				}
				done := map[int]int{200: 204, 403: 403}[c.code]
				assert.Equal(t, done, askFor(t, client, "POST", url+"/fakeapi/compact", "",
					"Host", c.host), "%s: the control endpoint", c.law)
			})
	}
	everyWayIn(t, Options{}, func(t *testing.T, s *Server, client *http.Client, url string) {
		assert.Equal(t, 200, askFor(t, client, "GET", url+widgetsPath, "", "Host", "page.example"),
			"without AllowHosts any name is allowed")
	})
}

func TestBearerTokens(t *testing.T) {
	for _, c := range []struct {
		law, header string
		code        int
	}{
		{"the token", "Bearer secret", 200},
		{"the scheme in lower case", "bearer secret", 200},
		{"the scheme in upper case", "BEARER secret", 200},
		{"no header", "", 401},
		{"another token", "Bearer Secret", 401},
		{"the beginning of the token", "Bearer sec", 401},
		{"the token and more", "Bearer secrets", 401},
		{"no token", "Bearer ", 401},
		{"no scheme", "secret", 401},
		{"another scheme", "Basic secret", 401},
		{"two spaces", "Bearer  secret", 401},
	} {
		everyWayIn(t, Options{Token: "secret"}, func(t *testing.T, s *Server, client *http.Client, url string) {
			var header []string
			if c.header != "" {
				header = []string{"Authorization", c.header}
			}
			assert.Equal(t, c.code, askFor(t, client, "GET", url+widgetsPath, "", header...), c.law)
		})
	}
}

// A request that the guard refuses costs no more memory than its own bytes: the server does not
// decode it.
func TestRefusalsAreCheap(t *testing.T) {
	accept := strings.Repeat("a/b;c=d,", 512<<10)                         // 4 MB
	query := "?" + strings.ReplaceAll(numbered(9_000, "k%d=v"), ",", "&") // 10,000 are net/url's limit
	path := "/" + strings.Repeat("a/", 512<<10)
	for _, c := range []struct {
		law, target, accept, host string
		code                      int
	}{
		{"Accept, without a token", widgetsPath, accept, "localhost", 401},
		{"a query, without a token", widgetsPath + query, "", "localhost", 401},
		{"a path, without a token", path, "", "localhost", 401},
		{"everything, without a token", path + query, accept, "localhost", 401},
		{"Accept, of another host", widgetsPath, accept, "page.example", 403},
		{"a host", widgetsPath, "", strings.Repeat("h", 1<<20), 403},
	} {
		bubble(t, Options{Token: "secret", AllowHosts: []string{"localhost"}}, func(t *testing.T, s *Server) {
			r := httptest.NewRequest("GET", c.target, nil)
			r.Host = c.host
			r.Header.Set("Accept", c.accept)
			w := httptest.NewRecorder()
			before := allocated()
			s.ServeHTTP(w, r)
			spent := allocated() - before
			assert.Equal(t, c.code, w.Code, c.law)
			assert.Less(t, spent, uint64(64<<10), "%s: bytes allocated for it", c.law)
			assert.Less(t, w.Body.Len(), 1024, "%s: bytes answered", c.law)
		})
	}
}

// The server reads the beginning of the header, so that one of any length costs the same.
func TestAnAcceptHeaderCostsNoMoreThanItsBeginning(t *testing.T) {
	for _, c := range []struct {
		law, accept string
		code        int
	}{
		{"64,000 types", strings.Repeat("a/b;c=d,", 64_000), 406},
		{"half a million commas", strings.Repeat(",", 500_000) + "application/json", 406},
		{"100,000 parameters", "application/json" + strings.Repeat(";a=b", 100_000), 200},
		{"JSON in the first KiB", strings.Repeat("a/b,", 250) + "application/json", 200},
		{"JSON after the first KiB", strings.Repeat("a/b,", 256) + "application/json", 406},
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red")
			r := httptest.NewRequest("GET", widgetsPath, nil)
			r.Header.Set("Accept", c.accept)
			w := httptest.NewRecorder()
			before := allocated()
			s.ServeHTTP(w, r)
			spent := allocated() - before
			assert.Equal(t, c.code, w.Code, c.law)
			assert.Less(t, spent, uint64(128<<10), "%s: bytes allocated for it", c.law)
		})
	}
}

// net/http stops reading headers at the limit.
func TestHeadersOfTwoMegabytesAreRefused(t *testing.T) {
	t.Parallel() // real sockets
	secure := overTCP(t, Options{})
	plain := httptest.NewUnstartedServer(nil)
	plain.Config = secure.httpServer()
	plain.Start()
	defer plain.Close()
	for url, client := range map[string]*http.Client{
		secure.url: secure.client, plain.URL: plain.Client(), URL: secure.Client(),
	} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", url+widgetsPath, nil)
		require.NoError(t, err)
		req.Header.Set("Accept", strings.Repeat("a/b;c=d,", 256<<10))
		resp, err := client.Do(req)
		if err != nil {
			continue // the connection is closed while the client is still writing
		}
		resp.Body.Close()
		assert.Equal(t, http.StatusRequestHeaderFieldsTooLarge, resp.StatusCode, url)
	}
}
