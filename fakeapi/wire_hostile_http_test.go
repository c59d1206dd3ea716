package fakeapi

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// plain is a request made of lines, to which it adds only the line ends.
func plain(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n\r\n" }

func hostileHTTP() []hostile {
	const p = widgetsPath
	json := "Content-Type: application/json"
	chunk := "100000\r\n" + repeat(1<<20, "x") + "\r\n"
	chunked := plain("POST "+p+" HTTP/1.1", "Host: fakeapi", "Connection: close", json,
		"Transfer-Encoding: chunked")
	header := func(h string) string { return ask("GET", p+"/web-1", "", h) }
	return []hostile{
		{"HTTP/1.0 gets an answer, and the connection is closed",
			plain("GET " + p + "/web-1 HTTP/1.0"), 200, `"name":"web-1"`},
		{"a watch over HTTP/1.0 has no chunks", plain("GET " + p + "?watch=1&timeoutSeconds=1 HTTP/1.0"),
			200, "\r\n\r\n{\"type\":\"ADDED\""},
		{"HTTP/0.9", plain("GET " + p), 400, "400 Bad Request"},
		{"HTTP/2 in a request line of HTTP/1",
			plain("GET / HTTP/2.0", "Host: fakeapi"), 505, "unsupported protocol version"},
		{"HTTP/2 without TLS", plain("PRI * HTTP/2.0", "", "SM"), 404, ""},
		{"another protocol", plain("GET "+p+" HTCPCP/1.0", "Host: pot"), 400, "400 Bad Request"},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400, "400 Bad Request"},
		{"NULs", repeat(100, "\x00") + "\r\n\r\n", 400, "400 Bad Request"},
		{"no method", plain(" / HTTP/1.1", "Host: fakeapi"), 400, "400 Bad Request"},
		{"a method in lower case", ask("get", p+"/web-1", ""), 405, "MethodNotAllowed"},
		{"an unknown method", ask("BREW", p, ""), 405, "MethodNotAllowed"},
		{"TRACE", ask("TRACE", p, ""), 405, "MethodNotAllowed"},
		{"OPTIONS", ask("OPTIONS", p, ""), 405, "MethodNotAllowed"},
		{"HEAD of a watch gets only headers",
			ask("HEAD", p+"?watch=1&timeoutSeconds=1", ""), 200, "Content-Type: application/json"},
		{"no host", plain("GET /version HTTP/1.1"), 400, "missing required Host header"},
		{"two hosts", plain("GET /version HTTP/1.1", "Host: a", "Host: b"), 400, "400 Bad Request"},
		{"a header of 1.1 MB",
			header("X-Big: " + repeat(1_100_000, "y")), 431, "431 Request Header Fields Too Large"},
		{"10,000 headers", header(strings.TrimSuffix(repeat(10_000, "X-Many: y\r\n"), "\r\n")),
			200, `"name":"web-1"`},
		{"a header in a header", header("X-A: a\rX-B: b"), 400, "400 Bad Request"},
		{"NUL in a header", header("X-A: a\x00b"), 400, "400 Bad Request"},
		{"a space before the colon", header("X-A : b"), 400, "invalid header name"},
		{"a malformed header name", header("X(A): b"), 400, "400 Bad Request"},
		{"a header on two lines", header("X-A: b\r\n  c"), 200, `"name":"web-1"`},
		{"a malformed Accept", header("Accept: ;;;,,,\xff"), 406, "NotAcceptable"},
		{"an Accept of 10,000 types",
			header("Accept: " + repeat(10_000, "a/b;q=0.1,") + "a/b"), 406, "NotAcceptable"},
		{"a malformed Accept-Encoding",
			header("Accept-Encoding: gzip;q=x, *, identity;q=0"), 200, `"name":"web-1"`},
		{"a Range is ignored", header("Range: bytes=0-1"), 200, `"name":"web-1"`},
		{"an upgrade to WebSocket is ignored",
			ask("GET", p+"?watch=1&timeoutSeconds=1", "", "Upgrade: websocket",
				"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
			200, `"type":"ADDED"`},
		{"an upgrade to HTTP/2 is ignored",
			header("Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"),
			200, `"name":"web-1"`},
		{"Expect: 100-continue is answered with 100",
			ask("POST", p, made("web-9", ""), json, "Expect: 100-continue"),
			100, "HTTP/1.1 201 Created"},
		{"any other Expect is refused",
			ask("POST", p, made("web-9", ""), json, "Expect: 200-ok"), 417, ""},
		{"a length below zero",
			plain("POST "+p+" HTTP/1.1", "Host: fakeapi", json, "Content-Length: -5"),
			400, "400 Bad Request"},
		{"two lengths",
			plain("POST "+p+" HTTP/1.1", "Host: fakeapi", json, "Content-Length: 5",
				"Content-Length: 6") + "12345",
			400, "400 Bad Request"},
		{"a length that is too large for a number",
			plain("POST "+p+" HTTP/1.1", "Host: fakeapi", json,
				"Content-Length: 99999999999999999999"),
			400, "400 Bad Request"},
		{"length and chunks",
			plain("POST "+p+" HTTP/1.1", "Host: fakeapi", "Connection: close", json,
				"Content-Length: 5", "Transfer-Encoding: chunked") + "0\r\n\r\n",
			400, "unexpected end of JSON input"},
		{"an unknown Transfer-Encoding",
			plain("POST "+p+" HTTP/1.1", "Host: fakeapi", "Transfer-Encoding: gzip"),
			501, "Unsupported transfer encoding"},
		{"a malformed chunk",
			chunked + "ZZZ\r\n{}\r\n0\r\n\r\n", 500, "invalid byte in chunk length"},
		{"a chunk's length that overflows",
			chunked + "FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n", 500, "chunk"},
		{"a chunk extension of 100 KB",
			chunked + "2;" + repeat(100_000, "e") + "\r\n{}\r\n0\r\n\r\n",
			500, "header line too long"},
		{"chunks without end", chunked + repeat(5, chunk), 413, "limit is 3145728"},
		{"a body longer than its length is another request",
			plain("POST "+p+" HTTP/1.1", "Host: fakeapi", json, "Content-Length: 2") +
				"{}GARBAGE / HTTP/1.1\r\n\r\n",
			400, "missing required Host header"},
		{"pipelined requests",
			repeat(3, plain("GET "+p+"/web-1 HTTP/1.1", "Host: fakeapi")) + get(p+"/web-9"),
			200, `\"web-9\" not found`},
		{"a request that is pipelined after a watch waits for the watch's end",
			plain("GET "+p+"?watch=1&timeoutSeconds=5 HTTP/1.1", "Host: fakeapi") + get(p+"/web-9"),
			200, `\"web-9\" not found`},
	}
}

// TestSlowRequests: the server closes the connection of a client that takes too long to
// send its request, and other clients do not wait for it.
func TestSlowRequests(t *testing.T) {
	letters := func(s string) []string { return strings.Split(s, "") }
	start := func(method, target string, length int, more ...string) string {
		return plain(append([]string{method + " " + target + " HTTP/1.1", "Host: fakeapi",
			"Connection: close", "Content-Type: application/json",
			"Content-Length: " + strconv.Itoa(length)}, more...)...)
	}
	create, watch := start("POST", widgetsPath, 200), widgetsPath+"?watch=1&timeoutSeconds=300"
	for _, c := range []struct {
		law    string
		pieces []string
		pause  time.Duration
		code   int
		took   time.Duration
	}{
		{"headers have to come within 32 seconds, as in the real server",
			letters(get("/version")), time.Second, 0, 32 * time.Second},
		{"a client that sends nothing has no more time", []string{""}, time.Hour, 0, 32 * time.Second},
		{"headers that come slowly, but in time",
			letters(get("/version")), 100 * time.Millisecond, 200, 5800 * time.Millisecond},
		{"a body that comes within a minute", append([]string{start("POST", widgetsPath, 7)},
			letters("[1,2,3]")...), 8 * time.Second, 400, 56 * time.Second},
		{"a body that takes longer than a minute, as in the real server",
			append([]string{create}, letters(repeat(200, "["))...), time.Second, 504, time.Minute},
		{"a body that never ends", []string{create + "{"}, 0, 504, time.Minute},
		{"a body in chunks that never ends", []string{plain("POST "+widgetsPath+" HTTP/1.1",
			"Host: fakeapi", "Transfer-Encoding: chunked") + "1\r\n{\r\n"}, 0, 504, time.Minute},
		{"a body of a GET that never ends", []string{start("GET", widgetsPath, 200) + "{"},
			0, 504, time.Minute},
		{"a body of a watch that never ends",
			[]string{start("GET", watch, 200) + "{"}, 0, 504, time.Minute},
		{"a watch with a complete body lasts until its timeout",
			[]string{start("GET", watch, 2) + "{}"}, 0, 200, 5 * time.Minute},
		{"a body that never ends, on a path that reads none",
			[]string{plain("POST /api HTTP/1.1", "Host: fakeapi", "Content-Length: 200") + "{"},
			0, 405, time.Minute},
		{"a body that never ends, for the control endpoint",
			[]string{start("POST", "/fakeapi/inject", 200) + "{"}, 0, 400, time.Minute},
		{"a connection that is kept and not used is closed after 90 seconds, as in the real server",
			[]string{plain("GET /version HTTP/1.1", "Host: fakeapi")}, time.Hour, 200,
			90 * time.Second},
	} {
		bubble(t, Options{Control: true}, func(t *testing.T, s *Server) {
			_, err := s.Create("widgets", widget("web-1", "red"))
			assert.NoError(t, err)
			begin := time.Now()
			done := make(chan struct{})
			go func() { // other clients are served meanwhile
				defer close(done)
				time.Sleep(5 * time.Second)
				assert.Empty(t, harmed(t, s), c.law)
			}()
			got := shout(t, s, c.pause, c.pieces...)
			took := time.Since(begin)
			<-done
			code, _ := statusLine(got)
			assert.Equal(t, c.code, code, "%s\n%s", c.law, got)
			assert.Equal(t, c.took, took, "%s", c.law)
		})
	}
}

// TestAClientThatDisconnectsLeavesNothingBehind: at whatever byte of a request the client
// disconnects, the server keeps no watch and no goroutine.
func TestAClientThatDisconnectsLeavesNothingBehind(t *testing.T) {
	whole := post(made("web-9", `,"spec":{"color":"red"}`))
	for _, request := range []string{whole, get(widgetsPath + "?watch=1"),
		get(widgetsPath + "?resourceVersion=999")} {
		for cut := 0; cut <= len(request); cut += max(1, len(request)/23) {
			bubble(t, Options{}, func(t *testing.T, s *Server) {
				l := NewPipeListener()
				served := make(chan struct{})
				go func() { defer close(served); _ = s.Serve(l) }()
				c, err := l.DialContext(t.Context(), "", "")
				if !assert.NoError(t, err) {
					return
				}
				_, _ = c.Write([]byte(request[:cut]))
				synctest.Wait()
				_ = c.Close()
				_ = l.Close()
				synctest.Wait()
				assert.Zero(t, s.Watchers("widgets"), "%d bytes of %q", cut, request)
				<-served
			})
		}
	}
}
