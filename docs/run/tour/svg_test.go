package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"example.com/watchglass/fakeapi"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A bufferedListener is a listener of pipes with a buffer: as over TCP, the server's writes do not
// wait until the client reads. The order of the events at the two ends depends on it.
type bufferedListener struct{ *fakeapi.PipeListener }

func (l bufferedListener) Accept() (net.Conn, error) {
	conn, err := l.PipeListener.Accept()
	if err != nil {
		return nil, err
	}
	c := &bufferedConn{Conn: conn, sent: make(chan []byte, 100), closed: make(chan struct{})}
	go c.forward()
	return c, nil
}

type bufferedConn struct {
	net.Conn
	sent   chan []byte
	closed chan struct{}
	once   sync.Once
}

func (c *bufferedConn) forward() {
	for {
		select {
		case p := <-c.sent:
			_, _ = c.Conn.Write(p)
		case <-c.closed:
			return
		}
	}
}

func (c *bufferedConn) Write(p []byte) (int, error) {
	select {
	case c.sent <- slices.Clone(p):
		return len(p), nil
	case <-c.closed:
		return 0, net.ErrClosed
	}
}

func (c *bufferedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

func listenInMemory() net.Listener { return bufferedListener{fakeapi.NewPipeListener()} }

// The README shows this picture.
func TestTheCheckedInPictureIsWhatTheTourDraws(t *testing.T) {
	want, err := os.ReadFile("lanes.svg")
	require.NoError(t, err)
	for range 5 { // goroutines run in another order each time
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, drawSVG(t.Context(), &out, listenInMemory()))
			require.True(t, string(want) == out.String(), "the tour draws another picture now: look "+
				"at it and keep it with go run ./docs/run/tour -svg > docs/run/tour/lanes.svg")
		})
	}
	for decoder := xml.NewDecoder(bytes.NewReader(want)); ; {
		if _, err = decoder.Token(); err != nil {
			break
		}
	}
	assert.ErrorIs(t, err, io.EOF, "a picture is well-formed XML, or browsers do not show it")
	assert.True(t, strings.Contains(string(want), "(prefers-color-scheme:dark)"))
}
