package fakeapi

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// dial opens a connection to s.
func dial(t *testing.T, s *Server) net.Conn {
	t.Helper()
	c := must(s.Client().Transport.(*http.Transport).DialContext(t.Context(), "", ""))
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// shout sends pieces of bytes over a connection of its own, with a pause after each, and
// returns everything that it receives until the server closes the connection, or an hour
// has passed. It does not close its own side before that.
func shout(t *testing.T, s *Server, pause time.Duration, pieces ...string) string {
	t.Helper()
	c := dial(t, s)
	var sending sync.WaitGroup
	t.Cleanup(sending.Wait)
	sending.Go(func() {
		for _, piece := range pieces {
			if _, err := io.WriteString(c, piece); err != nil {
				return // the connection is closed
			}
			time.Sleep(pause)
		}
	})
	_ = c.SetReadDeadline(time.Now().Add(time.Hour))
	var b strings.Builder
	_, _ = io.Copy(&b, c) // an error ends the answer, too
	_ = c.Close()
	return b.String()
}

// statusLine returns the code of the first answer, and everything after its first line.
func statusLine(answer string) (code int, rest string) {
	line, rest, _ := strings.Cut(answer, "\r\n")
	_, words, _ := strings.Cut(line, " ")
	_, _ = fmt.Sscan(words, &code)
	return code, rest
}

// assertUnharmed checks that s answers the next client and that all its objects are whole.
func assertUnharmed(t *testing.T, s *Server, law string) {
	t.Helper()
	_, body := send(t, s, "GET", widgetsPath+"/web-1", "")
	assert.Contains(t, body, `"name":"web-1"`, law)
	assert.NoError(t, check(widgets(t, s)), law)
}

// allocated returns how many bytes were allocated so far, by all goroutines.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// plain returns a request made of lines, to which it adds only the line ends.
func plain(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n\r\n" }

// ask returns a request with a body, the last on its connection.
func ask(method, target, body string, header ...string) string {
	head := append([]string{method + " " + target + " HTTP/1.1", "Host: fakeapi", "Connection: close"},
		header...)
	if body != "" {
		head = append(head, fmt.Sprint("Content-Length: ", len(body)))
	}
	return plain(head...) + body
}

func get(target string) string { return ask("GET", target, "") }

func post(body string) string {
	return ask("POST", widgetsPath, body, "Content-Type: application/json")
}

// made returns a widget's JSON for a POST, with more fields.
func made(name, more string) string {
	return `{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{"name":"` + name +
		`"}` + more + `}`
}

func fullWidget(name string) string { return made(name, "") }

// nested returns an object that many levels deep.
func nested(levels int) string { return repeat(levels, `{"a":`) + "1" + repeat(levels, "}") }

func repeat(n int, s string) string { return strings.Repeat(s, n) }

// numbered returns n members separated by commas, each formatted with its number.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ","+format, i)
	}
	return b.String()[1:]
}
