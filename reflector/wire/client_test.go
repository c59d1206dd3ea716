package wire

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A countedBody counts how often it was closed.
type countedBody struct {
	io.ReadCloser
	closed *int
}

func (b countedBody) Close() error {
	*b.closed++
	return b.ReadCloser.Close()
}

// countingBodies is a transport that counts the bodies that are opened and closed.
type countingBodies struct {
	http.RoundTripper
	opened, closed int
}

func (c *countingBodies) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.RoundTripper.RoundTrip(req)
	if err == nil {
		c.opened++
		resp.Body = countedBody{resp.Body, &c.closed}
	}
	return resp, err
}

func TestBodiesAreClosed(t *testing.T) {
	for says, r := range map[string]reply{
		"a list":           okJSON(list("7")),
		"a refusal":        refusal(403, "Forbidden", "no"),
		"an HTML page":     answer(200, "text/html", "<html>"),
		"an unusable list": okJSON("[]"),
		"half a list":      raw(streamHead, chunk(`{"items":[`)),
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(t)
			bodies := &countingBodies{}
			c := s.client(t, func(o *ClientOptions) {
				bodies.RoundTripper = o.HTTPClient.Transport
				o.HTTPClient.Transport = bodies
			})
			s.replies <- r
			c.List(t.Context(), reflector.ListOptions{})
			assert.Equal(t, 1, bodies.opened, says)
			assert.Equal(t, 1, bodies.closed, "%s: a body that is left open leaks its connection", says)
			s.replies <- r
			if w, err := c.Watch(t.Context(), reflector.ListOptions{}); err == nil {
				w.Close()
			}
			assert.Equal(t, 2, bodies.closed, "the body is closed: %s in answer to a watch", says)
		})
	}
}

func TestNewClientNeedsTheURLOfACollection(t *testing.T) {
	for _, url := range []string{
		"", "widgets", "/api/v1/pods", "ftp://host", "http:///pods", "http://[/",
	} {
		_, err := NewClient[widget](ClientOptions{URL: url})
		assert.ErrorContains(t, err, "URL of the collection", url)
	}
	c, err := NewClient[widget](ClientOptions{URL: "https://host/api/v1/pods"})
	require.NoError(t, err)
	assert.Equal(t, "https://host/api/v1/pods", c.URL())
}

func TestTimeoutOfTheHTTPClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		frames := make(chan string)
		s.replies <- live(frames)
		c := s.client(t, func(o *ClientOptions) { o.HTTPClient.Timeout = 10 * time.Second })
		w, err := c.Watch(t.Context(), reflector.ListOptions{})
		require.NoError(t, err)
		defer w.Close()
		time.Sleep(time.Hour)
		frames <- event(reflector.Added, "web-1@5")
		_, err = w.Next()
		assert.NoError(t, err, "the timeout of the HTTP client does not end a watch")

		before := time.Now()
		_, err = c.List(t.Context(), reflector.ListOptions{})
		assert.Error(t, err)
		assert.Equal(t, 10*time.Second, time.Since(before), "the timeout of the HTTP client ends a list")
	})
}

func TestCloseFreesNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.replies <- hanging()
		w, err := s.client(t).Watch(t.Context(), reflector.ListOptions{})
		require.NoError(t, err)
		ended := make(chan error)
		go func() { // joined by the receive below
			_, err := w.Next()
			ended <- err
		}()
		synctest.Wait()
		w.Close()
		assert.ErrorIs(t, <-ended, context.Canceled,
			"a Next that waits returns when the watch is closed")
		w.Close() // it may be called again
		_, err = w.Next()
		assert.Error(t, err, "Next returns an error after Close")
	})
}

// A hollow object cannot be decoded: its UnmarshalJSON returns the io.EOF of an empty document.
type hollow struct{ watchglass.ObjectMeta }

func (h *hollow) UnmarshalJSON([]byte) error {
	return json.NewDecoder(strings.NewReader("")).Decode(h)
}

func TestEOFOfADecoderIsNotTheEndOfTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.replies <- hanging(event(reflector.Added, "web-1@5"))
		c, err := NewClient[hollow](s.client(t).opts)
		require.NoError(t, err)
		w, err := c.Watch(t.Context(), reflector.ListOptions{})
		require.NoError(t, err)
		defer w.Close()
		_, err = w.Next()
		_, garbage := errors.AsType[*reflector.DecodeError](err)
		assert.True(t, garbage, "an object whose decoder returns io.EOF does not look like an orderly "+
			"end of the stream: %v", err)
		assert.ErrorIs(t, err, io.EOF, "the error wraps the decoder's")
	})
}

func TestNoEventsAfterTheEnd(t *testing.T) {
	for says, end := range map[string]func(reflector.Watch, func()){
		"the watch is closed": func(w reflector.Watch, _ func()) { w.Close() },
		"its context ends":    func(_ reflector.Watch, cancel func()) { cancel() },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(t)
			all := event(reflector.Added, "web-1@5") + event(reflector.Added, "web-2@6")
			s.replies <- silence(streamHead + chunk(all))
			ctx, cancel := context.WithCancel(t.Context())
			w, err := s.client(t).Watch(ctx, reflector.ListOptions{})
			require.NoError(t, err)
			defer w.Close()
			_, err = w.Next()
			require.NoError(t, err)
			synctest.Wait()
			end(w, cancel)
			for range 2 {
				_, err = w.Next()
				assert.ErrorIs(t, err, context.Canceled,
					"after %s, events that have arrived are not returned any more", says)
			}
		})
	}
}

func TestConnectionIsUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.replies <- func(c *serverConn) {
			okJSON(list("7") + "\n")(c)
			<-c.gone // a second connection would get no reply
		}
		transport := &http.Transport{DialContext: s.dial}
		defer transport.CloseIdleConnections()
		c := s.client(t,
			func(o *ClientOptions) { o.HTTPClient = &http.Client{Transport: transport} })
		_, err := c.List(t.Context(), reflector.ListOptions{})
		require.NoError(t, err)
		synctest.Wait()
		transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("dialled again")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = c.List(ctx, reflector.ListOptions{})
		assert.ErrorIs(t, err, context.DeadlineExceeded,
			"a list is read to its end, with its newline, so that the connection can be used again")
	})
}

// countingTransport counts the calls of CloseIdleConnections.
type countingTransport struct {
	*http.Transport
	closed int
}

func (t *countingTransport) CloseIdleConnections() { t.closed++ }

func TestSilentConnectionIsNotUsedAgain(t *testing.T) {
	const says = "only after a silent connection are idle connections closed"
	for _, replies := range [][]reply{{hanging()}, {}} { // silent before and after the answer
		for cause, want := range map[error]int{
			reflector.ErrIdle: 1, reflector.ErrListTimeout: 1, context.Canceled: 0,
		} {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t)
				for _, r := range replies {
					s.replies <- r
				}
				transport := &countingTransport{}
				c := s.client(t, func(o *ClientOptions) {
					transport.Transport = o.HTTPClient.Transport.(*http.Transport)
					o.HTTPClient.Transport = transport
				})
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(cause) })
				w, err := c.Watch(ctx, reflector.ListOptions{})
				if err == nil {
					_, err = w.Next()
					w.Close()
				}
				assert.Error(t, err)
				assert.Equal(t, want, transport.closed, says)
			})
		}
	}
}

func TestCompressedList(t *testing.T) {
	var body bytes.Buffer
	zip := gzip.NewWriter(&body)
	zip.Write([]byte(list("7", "web-1@5")))
	require.NoError(t, zip.Close())
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.replies <- answer(200, "application/json", body.String(), "Content-Encoding: gzip")
		l, err := s.client(t).List(t.Context(), reflector.ListOptions{})
		require.NoError(t, err)
		assert.Equal(t, []string{"shop/web-1@5 ", "version 7"}, showList(l))
	})
}

func TestTheLimitIsForDecompressedBytes(t *testing.T) {
	var body bytes.Buffer
	zip := gzip.NewWriter(&body)
	zip.Write([]byte(`{"items":[{"a":"`))
	for range 4 {
		zip.Write(bytes.Repeat([]byte("x"), 1<<16))
	}
	require.NoError(t, zip.Close())
	require.Less(t, body.Len(), 1<<12)
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.replies <- answer(200, "application/json", body.String(), "Content-Encoding: gzip")
		c := s.client(t)
		c.limit = 1 << 16
		_, err := c.List(t.Context(), reflector.ListOptions{})
		_, ok := errors.AsType[*reflector.TooLargeError](err)
		assert.True(t, ok, "the limit of a value is for its decompressed bytes: %v", err)
	})
}
