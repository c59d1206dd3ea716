package fakeapi

import (
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// shout sends pieces of bytes over a connection of its own, with a pause after each, and
// returns everything that it receives until the server closes the connection, or an hour
// has passed. It does not close its own side before that.
func shout(t *testing.T, s *Server, pause time.Duration, pieces ...string) string {
	t.Helper()
	l := NewPipeListener()
	served := make(chan struct{})
	go func() { defer close(served); _ = s.Serve(l) }()
	c, err := l.DialContext(t.Context(), "", "")
	require.NoError(t, err)

	sent, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(sent)
		for _, piece := range pieces {
			if _, err := io.WriteString(c, piece); err != nil {
				return // the server has closed the connection
			}
			select {
			case <-time.After(pause):
			case <-over:
			}
		}
	}()
	_ = c.SetReadDeadline(time.Now().Add(time.Hour))
	var b strings.Builder
	_, _ = io.Copy(&b, c) // an error ends the answer, too
	close(over)
	_ = c.Close()
	_ = l.Close()
	<-sent
	<-served
	return b.String()
}

// statusLine is the code of the first answer, and everything after its first line.
func statusLine(answer string) (code int, rest string) {
	line, rest, _ := strings.Cut(answer, "\r\n")
	fields := strings.Fields(line)
	if len(fields) > 1 {
		code, _ = strconv.Atoi(fields[1])
	}
	if len(fields) > 2 && code >= 400 { // net/http gives the reason in the status line
		rest = line + "\r\n" + rest
	}
	return code, rest
}

// allocated is how many bytes were allocated so far, by all goroutines.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
