package wire

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
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

// A reply is what the server does with one request. It may write anything, or nothing. The
// connection is closed after it.
type reply func(c *serverConn)

// A serverConn is the server's end of a connection that carries a single request.
type serverConn struct {
	net.Conn
	gone chan struct{} // closed when the client has closed the connection
	done chan struct{} // closed when the test is over
}

// A server answers each request with the next reply that it is given, and makes the request wait
// while it has none. Its connections are pipes, so it can be in a bubble with its client.
type server struct {
	replies  chan reply
	done     chan struct{}
	handlers sync.WaitGroup
	asked    func(query string) // called for each request; may be nil

	mu       sync.Mutex
	requests []*http.Request // all so far
}

func newServer(t testing.TB) *server {
	s := &server{replies: make(chan reply, 100), done: make(chan struct{})}
	t.Cleanup(func() {
		close(s.done)
		s.handlers.Wait()
	})
	return s
}

// client returns a client of widgets on the server.
func (s *server) client(t testing.TB, change ...func(*ClientOptions)) *Client {
	opts := ClientOptions{
		URL: "http://server/apis/workshop.example.dev/v1/namespaces/shop/widgets",
		HTTPClient: &http.Client{Transport: &http.Transport{
			DialContext:       s.dial,
			DisableKeepAlives: true,
		}},
	}
	for _, f := range change {
		f(&opts)
	}
	c, err := NewClient[widget](opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (s *server) dial(context.Context, string, string) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	near, far := net.Pipe()
	s.handlers.Go(func() { s.serve(far) })
	return near, nil
}

func (s *server) serve(conn net.Conn) {
	in := bufio.NewReader(conn)
	req, err := http.ReadRequest(in)
	if err != nil {
		conn.Close()
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	if s.asked != nil {
		s.asked(req.URL.RawQuery)
	}
	c := &serverConn{Conn: conn, gone: make(chan struct{}), done: s.done}
	go func() { // joined by the receive below
		io.Copy(io.Discard, in)
		close(c.gone)
	}()
	select {
	case answer := <-s.replies:
		answer(c)
	case <-c.gone:
	case <-c.done:
	}
	conn.Close()
	<-c.gone
}

// requestsOf returns the parameters of all watches, or of all lists.
func (s *server) requestsOf(watch bool) (all []url.Values) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, req := range s.requests {
		if q := req.URL.Query(); q.Has("watch") == watch {
			all = append(all, q)
		}
	}
	return all
}

// raw answers with these bytes, one write for each piece.
func raw(pieces ...string) reply {
	return func(c *serverConn) {
		for _, piece := range pieces {
			if _, err := io.WriteString(c, piece); err != nil {
				return
			}
		}
	}
}

// answer is a response of known length.
func answer(code int, contentType, body string, headers ...string) reply {
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n",
		code, http.StatusText(code), contentType, len(body))
	for _, h := range headers {
		head += h + "\r\n"
	}
	return raw(head+"\r\n", body)
}

func okJSON(body string) reply { return answer(200, "application/json", body) }

const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" +
	"Transfer-Encoding: chunked\r\n\r\n"

// stream answers a watch with these frames, each a chunk of its own, and then ends it in an orderly
// way.
func stream(frames ...string) reply {
	pieces := []string{streamHead}
	for _, f := range frames {
		pieces = append(pieces, chunk(f+"\n"))
	}
	return raw(append(pieces, "0\r\n\r\n")...)
}

// hanging is stream without the end: it stays open until the client closes it.
func hanging(frames ...string) reply {
	return func(c *serverConn) {
		io.WriteString(c, streamHead)
		for _, f := range frames {
			io.WriteString(c, chunk(f+"\n"))
		}
		select {
		case <-c.gone:
		case <-c.done:
		}
	}
}

// live is a stream that is written to while it is open. Closing the channel ends it in an orderly
// way; an empty frame cuts the connection.
func live(frames <-chan string) reply {
	return func(c *serverConn) {
		io.WriteString(c, streamHead)
		for {
			select {
			case f, open := <-frames:
				if !open {
					io.WriteString(c, "0\r\n\r\n")
					return
				}
				if f == "" {
					return
				}
				io.WriteString(c, chunk(f))
			case <-c.gone:
				return
			case <-c.done:
				return
			}
		}
	}
}

func chunk(data string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(data), data) }

// item is a widget on the wire: "web-1@5" is web-1 at version 5.
func item(spec string) string {
	name, version, _ := strings.Cut(spec, "@")
	return fmt.Sprintf(`{"apiVersion":"workshop.example.dev/v1","kind":"Widget",`+
		`"metadata":{"name":%q,"namespace":"shop","resourceVersion":%q}}`, name, version)
}

// event is an event on the wire: event("ADDED", "web-1@5").
func event(eventType reflector.EventType, spec string) string {
	return fmt.Sprintf(`{"type":%q,"object":%s}`, eventType, item(spec))
}

func bookmark(version string) string {
	return fmt.Sprintf(`{"type":"BOOKMARK","object":{"kind":"Widget","apiVersion":`+
		`"workshop.example.dev/v1","metadata":{"resourceVersion":%q}}}`, version)
}

func initialEnd(version string) string {
	return fmt.Sprintf(`{"type":"BOOKMARK","object":{"kind":"Widget","apiVersion":`+
		`"workshop.example.dev/v1","metadata":{"resourceVersion":%q,"annotations":`+
		`{"k8s.io/initial-events-end":"true"}}}}`, version)
}

// errorFrame is an ERROR event with a Status.
func errorFrame(code int, reason, message string) string {
	return fmt.Sprintf(`{"type":"ERROR","object":%s}`, statusBody(code, reason, message))
}

func statusBody(code int, reason, message string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",`+
		`"message":%q,"reason":%q,"code":%d}`, message, reason, code)
}

func refusal(code int, reason, message string) reply {
	return answer(code, "application/json", statusBody(code, reason, message))
}

// list is a list document at a version.
func list(version string, specs ...string) string {
	return page(version, "", specs...)
}

func page(version, token string, specs ...string) string {
	items := make([]string, len(specs))
	for i, spec := range specs {
		items[i] = item(spec)
	}
	return fmt.Sprintf(`{"apiVersion":"workshop.example.dev/v1","items":[%s],"kind":"WidgetList",`+
		`"metadata":{"continue":%q,"resourceVersion":%q}}`, strings.Join(items, ","), token,
		version)
}
