package cluster

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

func TestAuthoritiesThatAreReplacedAreTrustedByNewRequests(t *testing.T) {
	old, renewed := newIdentity(t, "server"), newIdentity(t, "server")
	synctest.Test(t, func(t *testing.T) {
		o := Options{CAFile: write(t, t.TempDir()+"/ca", old.certPEM)}
		s, dial := inBubble(t, old)
		c := client(t, o, dial)
		send := watch(t, c, s)
		write(t, o.CAFile, renewed.certPEM)
		s.present.Store(&renewed.cert)
		assert.Equal(t, "HTTP/2.0", get(c))
		assert.Equal(t, "still here", send("still here"), "a watch that is open goes on")
	})
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
		http.Redirect(w, r, map[string]string{"/": "/next", "/next": far.URL}[r.URL.Path], http.StatusFound)
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

// A forgettable connection can be forgotten by the network, as by a NAT box: then neither end
// receives anything, and neither gets an error.
type forgettable struct {
	net.Conn
	forgotten *atomic.Bool
	closed    chan struct{}
	once      sync.Once
}

func (c *forgettable) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.forgotten.Load() {
		<-c.closed
		return 0, net.ErrClosed
	}
	return n, err
}

func (c *forgettable) Write(b []byte) (int, error) {
	if c.forgotten.Load() {
		return len(b), nil
	}
	return c.Conn.Write(b)
}

func (c *forgettable) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// As long as one stream is open on a connection over HTTP/2, net/http opens the next one on it as
// well, and CloseIdleConnections does not close it.
func TestPingsEndADeadConnectionOnWhichWatchesAreOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		id := newIdentity(t, "server")
		s, dial := inBubble(t, id)
		var forgotten atomic.Bool
		c := client(t, Options{CA: id.certPEM}, func(
			ctx context.Context, network, address string,
		) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if forgotten.Load() { // only the connections so far
				return conn, err
			}
			return &forgettable{Conn: conn, forgotten: &forgotten, closed: make(chan struct{})}, err
		})
		resp, err := c.Get("https://server/stream")
		require.NoError(t, err)
		defer resp.Body.Close()
		get(c)
		assert.EqualValues(t, 1, s.conns.Load(), "over HTTP/2 all requests share a connection")
		forgotten.Store(true)
		began := time.Now()
		_, err = resp.Body.Read(make([]byte, 1))
		assert.Error(t, err)
		assert.Equal(t, 45*time.Second, time.Since(began))
		assert.Equal(t, "HTTP/2.0", get(c), "the next request gets a new connection")
	})
}

func TestAConnection(t *testing.T) {
	id := newIdentity(t, "server")
	for law, c := range map[string]struct {
		after time.Duration
		use   func(*testing.T)
	}{
		"is given up if the handshake takes 10 s": {10 * time.Second, func(t *testing.T) {
			c := client(t, Options{}, func(context.Context, string, string) (net.Conn, error) {
				near, far := net.Pipe()
				go io.Copy(io.Discard, far) // ends when the client hangs up
				return near, nil
			})
			assert.Contains(t, get(c), "handshake timeout")
		}},
		"is closed after 90 s without use": {90 * time.Second, func(t *testing.T) {
			s, dial := inBubble(t, id)
			get(client(t, Options{CA: id.certPEM}, dial))
			<-s.gone
		}},
		"is closed by CloseIdleConnections": {0, func(t *testing.T) {
			s, dial := inBubble(t, id)
			c := client(t, Options{CA: id.certPEM}, dial)
			get(c)
			c.CloseIdleConnections()
			<-s.gone
		}},
		"goes through the proxy of the environment by default": {0, func(t *testing.T) {
			c := client(t, Options{}, nil)
			assert.NotNil(t, c.Transport.(*transport).latest.Proxy)
		}},
	} {
		story.Bubble(t, law, func(t *testing.T) {
			began := time.Now()
			c.use(t)
			assert.Equal(t, c.after, time.Since(began))
		})
	}
}
