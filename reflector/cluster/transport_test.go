package cluster

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

// API servers look at the certificate of a connection for each request. A connection over HTTP/2
// is shared by all watches, so without these laws one that was made with an old certificate would
// be used for as long as any watch is open.
func TestAClientCertificateThatIsReplaced(t *testing.T) {
	id, old, renewed :=
		newIdentity(t, "server"), newIdentity(t, "old"), newIdentity(t, "renewed")
	for law, f := range map[string]func(*testing.T, *server, *http.Client, Options){
		"is presented by new requests, while watches go on over the old connection": func(
			t *testing.T, s *server, c *http.Client, o Options) {
			send := watch(t, c, s)
			write(t, o.CertFile, renewed.certPEM)
			write(t, o.KeyFile, renewed.keyPEM)
			assert.Equal(t, "HTTP/2.0 renewed", get(c))
			assert.Equal(t, "HTTP/2.0 renewed", get(c))
			assert.EqualValues(t, 2, s.conns.Load(), "one new connection for all new requests")
			time.Sleep(10 * time.Minute)
			assert.Equal(t, "still here", send("still here"))
		},
		"closes an old connection on which no watch is open": func(
			t *testing.T, s *server, c *http.Client, o Options) {
			get(c)
			write(t, o.CertFile, renewed.certPEM)
			write(t, o.KeyFile, renewed.keyPEM)
			get(c)
			began := time.Now()
			<-s.gone
			assert.Zero(t, time.Since(began))
		},
		"does no harm while its files do not fit together, or are missing": func(
			t *testing.T, s *server, c *http.Client, o Options) {
			write(t, o.CertFile, renewed.certPEM) // the key is still the old one
			assert.Equal(t, "HTTP/2.0 old", get(c))
			require.NoError(t, os.Remove(o.KeyFile))
			assert.Equal(t, "HTTP/2.0 old", get(c))
		},
		"is named if it cannot be used and the server refuses the old one": func(
			t *testing.T, s *server, c *http.Client, o Options) {
			s.refuses.Store("old")
			assert.Equal(t, "401", get(c), "as long as the files are as they were")
			require.NoError(t, os.Remove(o.CertFile))
			_, err := c.Get("https://server/")
			var credentials *CredentialsError
			require.ErrorAs(t, err, &credentials)
			assert.ErrorIs(t, err, os.ErrNotExist)
			write(t, o.CertFile, renewed.certPEM)
			write(t, o.KeyFile, renewed.keyPEM)
			assert.Equal(t, "HTTP/2.0 renewed", get(c))
		},
	} {
		story.Bubble(t, law, func(t *testing.T) {
			dir := t.TempDir()
			o := Options{CA: id.certPEM, CertFile: write(t, dir+"/cert", old.certPEM),
				KeyFile: write(t, dir+"/key", old.keyPEM)}
			s, dial := inBubble(t, id)
			f(t, s, client(t, o, dial), o)
		})
	}
}

func TestATokenIsSentToTheServerOnlyAndDoesNotReplaceAnother(t *testing.T) {
	var seen []string
	note := func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
	}
	far := httptest.NewServer(http.HandlerFunc(note))
	defer far.Close()
	near := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note(w, r)
		to := map[string]string{"/": "/next", "/next": far.URL}[r.URL.Path]
		http.Redirect(w, r, to, http.StatusFound)
	}))
	defer near.Close()
	c, err := NewHTTPClient(Options{Token: "secret"})
	require.NoError(t, err)
	defer c.CloseIdleConnections()
	for _, own := range []string{"", "mine"} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", near.URL, nil)
		require.NoError(t, err)
		if own != "" {
			req.Header.Set("Authorization", own)
		}
		resp, err := c.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, own, req.Header.Get("Authorization"), "a RoundTripper changes no request")
	}
	assert.Equal(t, []string{"Bearer secret", "Bearer secret", "", "mine", "mine", "mine"}, seen)
}

func TestATokenIsNotSentInPlainTextAfterARedirect(t *testing.T) {
	first := httptest.NewRequest("GET", "https://host/", nil)
	second := httptest.NewRequest("GET", "http://host/", nil)
	second.Response = &http.Response{Request: first}
	tr := &transport{opts: Options{Token: "secret"}}
	second, err := tr.authorize(second)
	require.NoError(t, err)
	assert.Empty(t, second.Header.Get("Authorization"))
}

// As long as one stream is open on a connection over HTTP/2, net/http opens the next one on it as
// well, and CloseIdleConnections does not close it. Only pings find out that it is dead.
func TestAConnection(t *testing.T) {
	c := client(t, Options{}, nil)
	made := c.Transport.(*transport).latest
	assert.Equal(t,
		&http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		made.HTTP2, "is pinged after 30 s of silence, and closed 15 s later")
	assert.Equal(t, 10*time.Second, made.TLSHandshakeTimeout, "or the attempt is given up")
	assert.Equal(t, 90*time.Second, made.IdleConnTimeout, "is closed after that time without use")
	assert.NotNil(t, made.Proxy, "goes through the proxy of the environment by default")
	story.Bubble(t, "is closed by CloseIdleConnections", func(t *testing.T) {
		id := newIdentity(t, "server")
		s, dial := inBubble(t, id)
		c := client(t, Options{CA: id.certPEM}, dial)
		get(c)
		began := time.Now()
		c.CloseIdleConnections()
		<-s.gone
		assert.Zero(t, time.Since(began))
	})
}
