package cluster

import (
	"bufio"
	"context"
	"errors"
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
)

// open opens a stream, which lasts until the test is over, and returns a func that sends a line
// through it.
func open(t testing.TB, c *http.Client, s *server) (send func(line string) (string, error)) {
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, "GET", "https://server/stream", nil)
	require.NoError(t, err)
	resp, err := c.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() {
		cancel()
		_ = resp.Body.Close()
	})
	lines := bufio.NewReader(resp.Body)
	return func(line string) (string, error) {
		s.stream <- line
		return lines.ReadString('\n')
	}
}

// API servers look at the certificate of a connection for each request. A connection over HTTP/2
// is shared by all watches, so without these laws one that was made with an old certificate would
// be used for as long as any watch is open.
func TestAClientCertificateThatIsReplaced(t *testing.T) {
	id, old, renewed :=
		newIdentity(t, "server"), newIdentity(t, "old"), newIdentity(t, "renewed")
	play := func(law string, f func(*testing.T, *server, *http.Client, func(identity))) {
		t.Run(law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				replace := func(by identity) {
					write(t, dir, "cert", by.certPEM)
					write(t, dir, "key", by.keyPEM)
				}
				replace(old)
				s, dial := inBubble(t, id)
				f(t, s, client(t, Options{CA: id.certPEM, CertFile: dir + "/cert",
					KeyFile: dir + "/key"}, dial), replace)
			})
		})
	}
	play("is presented from the next request on, although watches are open on the old connection",
		func(t *testing.T, s *server, c *http.Client, replace func(identity)) {
			open(t, c, s)
			replace(renewed)
			answer, err := get(c)
			require.NoError(t, err)
			assert.Contains(t, answer, "HTTP/2.0 renewed")
			answer, err = get(c)
			require.NoError(t, err)
			assert.Contains(t, answer, "HTTP/2.0 renewed")
			assert.EqualValues(t, 2, s.conns.Load(), "one new connection for all new requests")
		})
	play("does not end the watches that are open",
		func(t *testing.T, s *server, c *http.Client, replace func(identity)) {
			send := open(t, c, s)
			replace(renewed)
			_, err := get(c)
			require.NoError(t, err)
			time.Sleep(10 * time.Minute)
			line, err := send("still here")
			require.NoError(t, err)
			assert.Equal(t, "still here\n", line)
		})
	play("closes an old connection on which no watch is open",
		func(t *testing.T, s *server, c *http.Client, replace func(identity)) {
			_, err := get(c)
			require.NoError(t, err)
			began := time.Now()
			replace(renewed)
			_, err = get(c)
			require.NoError(t, err)
			<-s.gone
			assert.Zero(t, time.Since(began))
		})
	play("does no harm while its files do not fit together",
		func(t *testing.T, s *server, c *http.Client, replace func(identity)) {
			file := c.Transport.(*transport).opts.CertFile
			require.NoError(t, os.WriteFile(file, renewed.certPEM, 0o600)) // the key is still the old one
			answer, err := get(c)
			require.NoError(t, err)
			assert.Contains(t, answer, " old ")
			require.NoError(t, os.Remove(file))
			answer, err = get(c)
			require.NoError(t, err)
			assert.Contains(t, answer, " old ")
		})
	play("by a file that cannot be used is named when the server refuses the old one",
		func(t *testing.T, s *server, c *http.Client, replace func(identity)) {
			name := "old"
			s.refuses.Store(&name)
			answer, err := get(c)
			require.NoError(t, err)
			assert.Equal(t, "401 Unauthorized", answer, "as long as the files are as they were")
			require.NoError(t, os.Remove(c.Transport.(*transport).opts.CertFile))
			_, err = get(c)
			var credentials *CredentialsError
			require.ErrorAs(t, err, &credentials)
			assert.ErrorIs(t, err, os.ErrNotExist)
			replace(renewed)
			answer, err = get(c)
			require.NoError(t, err)
			assert.Contains(t, answer, " renewed ")
		})
	play("by a file that cannot be used is named when the server cannot be reached",
		func(t *testing.T, s *server, c *http.Client, replace func(identity)) {
			down := errors.New("connection refused")
			c.Transport.(*transport).latest.DialContext = func(
				context.Context, string, string) (net.Conn, error) {
				return nil, down
			}
			require.NoError(t, os.Remove(c.Transport.(*transport).opts.KeyFile))
			_, err := get(c)
			assert.ErrorIs(t, err, down, "it stays what it is")
			assert.ErrorContains(t, err, "TLS: client key: open ")
			var credentials *CredentialsError
			assert.NotErrorAs(t, err, &credentials, "asking again may help")
		})
}

func TestAuthoritiesThatAreReplacedAreTrustedFromTheNextRequestOn(t *testing.T) {
	old, renewed := newIdentity(t, "server"), newIdentity(t, "server")
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s, dial := inBubble(t, old)
		c := client(t, Options{CAFile: write(t, dir, "ca", old.certPEM)}, dial)
		send := open(t, c, s)
		write(t, dir, "ca", renewed.certPEM)
		s.present.Store(&renewed.cert)
		_, err := get(c)
		require.NoError(t, err)
		_, err = send("still here")
		assert.NoError(t, err, "a watch that is open goes on")
	})
}

func TestARedirectToAnotherHostGetsNoToken(t *testing.T) {
	var seen []string
	note := func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Authorization"))
	}
	far := httptest.NewServer(http.HandlerFunc(note))
	defer far.Close()
	near := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note(w, r)
		switch r.URL.Path {
		case "/":
			http.Redirect(w, r, "/next", http.StatusFound)
		case "/next":
			http.Redirect(w, r, far.URL, http.StatusFound)
		}
	}))
	defer near.Close()
	c, err := NewHTTPClient(Options{Token: "secret"})
	require.NoError(t, err)
	defer c.CloseIdleConnections()
	resp, err := c.Get(near.URL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, []string{"Bearer secret", "Bearer secret", ""}, seen)
}

func TestAnAuthorizationOfTheRequestIsLeftAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		id := newIdentity(t, "server")
		_, dial := inBubble(t, id)
		c := client(t, Options{CA: id.certPEM, Token: "secret"}, dial)
		req, err := http.NewRequestWithContext(t.Context(), "GET", "https://server/", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "mine")
		resp, err := c.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.Contains(t, string(answer), " mine ")
	})
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
		_, err = get(c)
		require.NoError(t, err)
		assert.EqualValues(t, 1, s.conns.Load(), "over HTTP/2 all requests share a connection")
		forgotten.Store(true)
		began := time.Now()
		_, err = resp.Body.Read(make([]byte, 1))
		assert.Error(t, err)
		assert.Equal(t, pingAfter+pingTimeout, time.Since(began))
		_, err = get(c)
		assert.NoError(t, err, "the next request gets a new connection")
	})
}

func TestAHandshakeInSilenceIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, Options{}, func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			go io.Copy(io.Discard, far) // ends when the client hangs up
			return near, nil
		})
		began := time.Now()
		_, err := get(c)
		assert.Error(t, err)
		assert.Equal(t, 10*time.Second, time.Since(began))
	})
}

func TestAnUnusedConnectionIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		id := newIdentity(t, "server")
		s, dial := inBubble(t, id)
		c := client(t, Options{CA: id.certPEM}, dial)
		_, err := get(c)
		require.NoError(t, err)
		began := time.Now()
		<-s.gone
		assert.Equal(t, 90*time.Second, time.Since(began))
	})
}

func TestTheProxyOfTheEnvironmentIsTheDefault(t *testing.T) {
	c, err := NewHTTPClient(Options{})
	require.NoError(t, err)
	assert.NotNil(t, c.Transport.(*transport).latest.Proxy)
}
