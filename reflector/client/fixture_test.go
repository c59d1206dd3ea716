package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/require"
)

// A widget is what the tests list and watch.
type widget struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct {
		Color string `json:"color,omitempty"`
		Size  int    `json:"size,omitempty"`
	} `json:"spec"`
}

const apiVersion = "workshop.example.dev/v1"

// item is a widget on the wire: "web-1@5" is web-1 at version 5.
func item(spec string) string {
	name, version, _ := strings.Cut(spec, "@")
	return fmt.Sprintf(`{"apiVersion":%q,"kind":"Widget","metadata":{"name":%q,"namespace":"shop",`+
		`"resourceVersion":%q}}`, apiVersion, name, version)
}

// event is an event on the wire: event("ADDED", "web-1@5").
func event(eventType reflector.EventType, spec string) string {
	return fmt.Sprintf(`{"type":%q,"object":%s}`, eventType, item(spec))
}

func bookmark(version, annotations string) string {
	return fmt.Sprintf(`{"type":"BOOKMARK","object":{"kind":"Widget","apiVersion":%q,"metadata":{`+
		`"resourceVersion":%q,"annotations":{%s}}}}`, apiVersion, version, annotations)
}

func statusBody(code int, reason, message string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",`+
		`"message":%q,"reason":%q,"code":%d}`, message, reason, code)
}

// list is a list document at a version.
func list(version string, specs ...string) string {
	items := make([]string, len(specs))
	for i, spec := range specs {
		items[i] = item(spec)
	}
	return fmt.Sprintf(`{"apiVersion":%q,"items":[%s],"kind":"WidgetList","metadata":{"continue":"",`+
		`"resourceVersion":%q}}`, apiVersion, strings.Join(items, ","), version)
}

// show is a list, an event or an error as one line.
func show(v any, err error) string {
	switch v := v.(type) {
	case *widget:
		return fmt.Sprintf("%s@%s %s", v.Name, v.ResourceVersion, v.Spec.Color)
	case *watchglass.Unstructured:
		return fmt.Sprintf("%s@%s %s", v.GetName(), v.GetResourceVersion(), v.StringAt("spec", "color"))
	case *watchglass.Unusable:
		return fmt.Sprintf("%s@%s cannot be used", v.Name, v.ResourceVersion)
	case reflector.Event:
		switch {
		case err != nil:
		case v.InitialEventsEnd:
			return fmt.Sprint(v.Type, " ", v.ResourceVersion, ", end of initial events")
		case v.Object == nil:
			return fmt.Sprint(v.Type, " ", v.ResourceVersion)
		default:
			return fmt.Sprint(v.Type, " ", show(v.Object, nil))
		}
	case *reflector.List:
		if err == nil {
			var lines []string
			for _, item := range v.Items {
				lines = append(lines, show(item, nil))
			}
			return fmt.Sprintf("%s %s %s %q", v.Kind, v.ResourceVersion, v.Continue, lines)
		}
	}
	return err.Error()
}

var bubble = story.Bubble

// is reports whether err is an E or wraps one.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// arrivals are ways in which a reader may hand over its bytes.
var arrivals = map[string]func(io.Reader) io.Reader{
	"all at once":    func(r io.Reader) io.Reader { return r },
	"byte by byte":   iotest.OneByteReader,
	"half at a time": iotest.HalfReader,
	"end with data":  iotest.DataErrReader,
}

// endless returns head and then pattern again and again, and counts the bytes that were read.
type endless struct {
	head, pattern string
	taken         int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.taken == 0 {
		e.taken = copy(p, e.head)
		return e.taken, nil
	}
	for i := range p {
		p[i] = e.pattern[(e.taken+i)%len(e.pattern)]
	}
	e.taken += len(p)
	return len(p), nil
}

// silent is a connection on which nothing arrives until ctx ends.
type silent struct{ ctx context.Context }

func (s silent) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// A reply is what the server does with one request: it writes anything, or nothing. Then the
// connection is closed.
type reply func(conn net.Conn)

// A server answers each request with the next reply that it is given, and is silent when it has
// none. Its connections are pipes, so it can be in a bubble with its client.
type server struct {
	replies chan reply
	asked   chan *http.Request
}

func newServer(replies ...reply) *server {
	s := &server{replies: make(chan reply, 9), asked: make(chan *http.Request, 9)}
	for _, r := range replies {
		s.replies <- r
	}
	return s
}

// client returns a client of widgets on the server.
func (s *server) client(t testing.TB, change ...func(*Options)) *Client[widget] {
	transport := &http.Transport{DialContext: s.dial}
	t.Cleanup(transport.CloseIdleConnections)
	opts := Options{URL: "http://server/widgets", HTTPClient: &http.Client{Transport: transport}}
	for _, f := range change {
		if f != nil {
			f(&opts)
		}
	}
	c, err := New[widget](opts)
	require.NoError(t, err)
	return c
}

func (s *server) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	go func() { // ends when the client has closed its end
		defer far.Close()
		req, err := http.ReadRequest(bufio.NewReader(far))
		if err != nil {
			return
		}
		s.asked <- req
		select {
		case answer := <-s.replies:
			answer(far)
		default:
			silence()(far)
		}
	}()
	return near, nil
}

// raw answers with these bytes, one write for each piece.
func raw(pieces ...string) reply {
	return func(conn net.Conn) {
		for _, piece := range pieces {
			_, _ = io.WriteString(conn, piece)
		}
	}
}

// silence is raw, and then nothing until the client closes the connection.
func silence(pieces ...string) reply {
	return func(conn net.Conn) {
		raw(pieces...)(conn)
		_, _ = io.Copy(io.Discard, conn)
	}
}

// flood sends head and then pattern until the client closes the connection.
func flood(head, pattern string) reply {
	body := []byte(chunk(strings.Repeat(pattern, 64<<10/len(pattern))))
	return func(conn net.Conn) {
		_, err := io.WriteString(conn, head)
		for err == nil {
			_, err = conn.Write(body)
		}
	}
}

// answer is a response of known length.
func answer(code int, contentType, body string) reply {
	return raw(fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", code,
		http.StatusText(code), contentType, len(body)), body)
}

func okJSON(body string) reply { return answer(200, "application/json", body) }

// stream is the beginning of a watch with these frames, each a chunk of its own.
func stream(frames ...string) string {
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, f := range frames {
		head += chunk(f + "\n")
	}
	return head
}

func chunk(data string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(data), data) }

const lastChunk = "0\r\n\r\n"
