package faults

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// server is an API server with one collection of ConfigMaps, which plays a fault.
type server struct {
	http     *http.Server
	began    time.Time // the fault
	accepted chan net.Conn
	end      chan struct{}        // closed when the run ends
	waits    chan struct{}        // gets a value when a stream has nothing more to say
	goOn     chan func(*exchange) // goes on with the stream that waits

	mu     sync.Mutex
	refuse bool          // connections are refused
	hole   chan struct{} // until it is closed, SYNs are dropped; nil: they are not
	greet  func(*conn)   // what is done with each new connection; nil: nothing
	conns  []*conn
	answer func(*exchange) bool // the fault: answers a request and returns true, or returns false
	world  world
}

// world is what the server holds.
type world struct {
	version string
	objects []string // as JSON
	history []change // since version 10
}

type change struct {
	version     int
	kind, about string
}

// before is what the server holds when a client starts: a and b. afterwards a has changed and b is
// gone. restored is the state of a backup from before.
var (
	before     = world{version: "10", objects: []string{configMap("a", "5"), configMap("b", "6")}}
	restored   = world{version: "7", objects: []string{configMap("a", "5")}}
	afterwards = world{version: "12", objects: []string{configMap("a", "11")}, history: []change{
		{11, "MODIFIED", configMap("a", "11")}, {12, "DELETED", configMap("b", "12")},
	}}
)

func configMap(name, version string) string {
	return fmt.Sprintf(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":%q,"namespace":"d",`+
		`"resourceVersion":%q},"data":{"version":%q}}`, name, version, version)
}

func bookmark(version string, end bool) string {
	return fmt.Sprintf(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":%q,`+
		`"annotations":{"k8s.io/initial-events-end":"%v"}}}`, version, end)
}

func status(code int, reason, message string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,`+
		`"reason":%q,"message":%q}`, code, reason, message)
}

func expired() string { return status(410, "Expired", "too old resource version: 10 (11)") }

const tooLarge = `{"kind":"Status","apiVersion":"v1","status":"Failure","code":504,` +
	`"reason":"Timeout","message":"Timeout: Too large resource version: 10, current: 7","details":` +
	`{"retryAfterSeconds":1,"causes":[{"reason":"ResourceVersionTooLarge"}]}}`

func newServer(http2 bool) *server {
	s := &server{accepted: make(chan net.Conn), end: make(chan struct{}), world: before,
		waits: make(chan struct{}, 1000), goOn: make(chan func(*exchange)), began: time.Now()}
	type key struct{}
	s.http = &http.Server{
		Protocols: protocols(http2),
		ErrorLog:  log.New(io.Discard, "", 0),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, key{}, c)
		},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.serve(w, r, r.Context().Value(key{}).(*half).conn)
		}),
	}
	return s
}

func protocols(http2 bool) *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(!http2)
	p.SetUnencryptedHTTP2(http2)
	return p
}

// close ends the run.
func (s *server) close() {
	close(s.end)
	s.http.Close()
	s.hangUp()
}

// hangUp closes all connections.
func (s *server) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.far.Close()
	}
}

// set changes what mu guards.
func (s *server) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// interrupt lets the stream that waits go on with how.
func (s *server) interrupt(how func(*exchange)) {
	select {
	case s.goOn <- how:
	case <-s.end:
	}
}

// Accept, Close and Addr make it a net.Listener.
func (s *server) Accept() (net.Conn, error) {
	select {
	case c := <-s.accepted:
		return c, nil
	case <-s.end:
		return nil, net.ErrClosed
	}
}

func (s *server) Close() error   { return nil }
func (s *server) Addr() net.Addr { return &net.TCPAddr{} }

// conn is the client's end of a connection, which can be reset, and can be frozen: then nothing
// comes through any more, in neither direction, and nothing says so.
type conn struct {
	net.Conn
	far    net.Conn      // the server's end
	gone   chan struct{} // closed by the client
	once   sync.Once
	mu     sync.Mutex
	failed error // what Read and Write return once the connection is over; nil: io.EOF
	frozen bool
}

// half is the server's end, which knows the client's.
type half struct {
	net.Conn
	conn *conn
}

func (s *server) connect(ctx context.Context, _, _ string) (net.Conn, error) {
	s.mu.Lock()
	refuse, hole, greet := s.refuse, s.hole, s.greet
	s.mu.Unlock()
	if err := s.dial(ctx, refuse, hole); err != nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}
	near, far := net.Pipe()
	c := &conn{Conn: near, far: far, gone: make(chan struct{})}
	s.set(func() { s.conns = append(s.conns, c) })
	if greet != nil {
		go func() { // joined by the end of the connection
			_, _ = far.Read(make([]byte, 64<<10)) // the request
			greet(c)
		}()
		return c, nil
	}
	select {
	case s.accepted <- &half{far, c}:
		return c, nil
	case <-s.end:
		return nil, net.ErrClosed
	}
}

// dial returns what dialing fails with. A dialer whose SYNs are dropped gives up after 30 s.
func (s *server) dial(ctx context.Context, refuse bool, hole chan struct{}) error {
	switch {
	case refuse:
		return syscall.ECONNREFUSED
	case hole == nil:
		return nil
	}
	select {
	case <-time.After(30 * time.Second):
		return os.ErrDeadlineExceeded
	case <-hole:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.end:
		return net.ErrClosed
	}
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	frozen, failed := c.frozen, c.failed
	c.mu.Unlock()
	switch {
	case frozen:
		<-c.gone
		return 0, net.ErrClosed
	case err != nil && failed != nil:
		return n, &net.OpError{Op: "read", Net: "tcp", Err: failed}
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	c.mu.Lock()
	frozen := c.frozen
	c.mu.Unlock()
	if frozen {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

func (c *conn) Close() error {
	c.once.Do(func() { close(c.gone) })
	return c.Conn.Close()
}

// fin closes the connection, reset resets it.
func (c *conn) fin() { c.far.Close() }

func (c *conn) reset() {
	c.mu.Lock()
	c.failed = syscall.ECONNRESET
	c.mu.Unlock()
	c.far.Close()
}

// exchange is one request and its answer.
type exchange struct {
	*server
	w       http.ResponseWriter
	r       *http.Request
	conn    *conn
	kind    string // list, watch, stream
	version string
}

func (s *server) serve(w http.ResponseWriter, r *http.Request, c *conn) {
	x := &exchange{server: s, w: w, r: r, conn: c, kind: kindOf(r),
		version: r.URL.Query().Get("resourceVersion")}
	s.mu.Lock()
	answer := s.answer
	s.mu.Unlock()
	if answer == nil || !answer(x) {
		x.healthy()
	}
}

// kindOf is list, watch, or stream for a streaming list.
func kindOf(r *http.Request) string {
	q := r.URL.Query()
	switch {
	case q.Get("sendInitialEvents") == "true":
		return "stream"
	case q.Get("watch") != "":
		return "watch"
	}
	return "list"
}

// healthy answers as an API server does.
func (x *exchange) healthy() {
	x.mu.Lock()
	now := x.world
	x.mu.Unlock()
	since, _ := strconv.Atoi(x.version)
	switch x.kind {
	case "list":
		x.list(now)
		return
	case "watch":
		x.begin()
		for _, c := range now.history {
			if c.version > since {
				x.event(c.kind, c.about)
			}
		}
	case "stream":
		for _, o := range now.objects {
			x.event("ADDED", o)
		}
		x.event("BOOKMARK", bookmark(now.version, true))
	}
	x.follow()
}

// follow waits until the script goes on with the stream, the client leaves, or the run ends.
func (x *exchange) follow() {
	x.waits <- struct{}{}
	select {
	case how := <-x.goOn:
		how(x)
	case <-x.r.Context().Done():
	case <-x.end:
	}
}

// sleep returns false if the client has left or the run has ended.
func (x *exchange) sleep(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-x.r.Context().Done():
	case <-x.end:
	}
	return false
}

// begin sends the header of a stream.
func (x *exchange) begin() {
	x.w.Header().Set("Content-Type", "application/json")
	_ = http.NewResponseController(x.w).Flush()
}

// raw sends bytes at once.
func (x *exchange) raw(data string) {
	x.w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(x.w, data)
	_ = http.NewResponseController(x.w).Flush()
}

func (x *exchange) event(kind, object string) {
	x.raw(`{"type":"` + kind + `","object":` + object + "}\n")
}

// respond is the whole answer.
func (x *exchange) respond(code int, mediaType, body string) {
	x.w.Header().Set("Content-Type", mediaType)
	x.w.WriteHeader(code)
	_, _ = io.WriteString(x.w, body)
}

const listHead = `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"%s"},"items":[`

func (x *exchange) list(of world) {
	body := fmt.Sprintf(listHead, of.version)
	for i, o := range of.objects {
		if i > 0 {
			body += ","
		}
		body += o
	}
	x.respond(http.StatusOK, "application/json", body+"]}")
}

// fin closes the connection without ending the answer, rst resets it.
func (x *exchange) fin() {
	x.conn.fin()
	panic(http.ErrAbortHandler)
}

func (x *exchange) rst() {
	x.conn.reset()
	panic(http.ErrAbortHandler)
}

// freeze lets nothing more through on this connection.
func (x *exchange) freeze() {
	x.conn.mu.Lock()
	x.conn.frozen = true
	x.conn.mu.Unlock()
	<-x.end
}
