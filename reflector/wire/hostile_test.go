package wire

import (
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
)

// flood sends head and then pattern until the client closes the connection.
func flood(head, pattern string) reply {
	body := []byte(chunk(strings.Repeat(pattern, 64<<10/len(pattern))))
	return func(c *serverConn) {
		if _, err := io.WriteString(c, head); err != nil {
			return
		}
		for {
			if _, err := c.Write(body); err != nil {
				return
			}
		}
	}
}

// big is a valid frame of at least size bytes.
func big(size int) string {
	return `{"type":"ADDED","object":{"metadata":{"name":"` + strings.Repeat("x", size) + `"}}}`
}

// Whatever a server sends instead of a list or a watch, the error says what it was and a pause
// follows. When the server answers correctly again, the reflector recovers.
func TestHostileServer(t *testing.T) {
	html := "<html><body>Sign in to the hotel network</body></html>"
	for _, c := range []struct {
		says, err string
		reply     reply
	}{
		{"an HTML page",
			`response: want application/json, have a body of type text/html that begins "<html>`,
			answer(200, "text/html; charset=utf-8", html)},
		{"an HTML page in disguise", `want a JSON object, have something that begins "<html>`,
			okJSON(html)},
		{"an HTML page and an error",
			`server says 502 BadGateway: a body of type text/html that begins "<html>`,
			answer(502, "text/html", html)},
		{"JSON, but no Status", `server says 401 Unauthorized: a body of type application/json ` +
			`that begins "{\"error\":\"who are you?\"}"`,
			answer(401, "application/json", `{"error":"who are you?"}`)},
		{"a redirect to nowhere", "server says 302 Found", answer(302, "text/plain", "elsewhere")},
		{"no content", "server says 204 NoContent: no body",
			raw("HTTP/1.1 204 No Content\r\n\r\n")},
		{"no HTTP", "malformed HTTP response", raw("hello\r\n\r\n")},
		{"nothing at all", "EOF", raw("")},
		{"protobuf",
			"want application/json, have a body of type application/vnd.kubernetes.protobuf",
			answer(200, "application/vnd.kubernetes.protobuf", "k8s\x00")},
		{"a long media type", "want application/json, have a body of type text/yyy",
			answer(200, "text/"+strings.Repeat("y", 60000), html)},
		{"a Status instead", "server says 403 Forbidden: go away",
			okJSON(statusBody(403, "Forbidden", "go away"))},
		{"an endless value", "larger than the limit of 65536 bytes",
			flood(streamHead+chunk(`{"a":"`), "x")},
		{"endless whitespace", "larger than the limit of 65536 bytes", flood(streamHead, " ")},
		{"half a document", "unexpected EOF", raw(streamHead, chunk(`{"items":[{"metadata":{"na`))},
		{"a broken chunk", "invalid byte in chunk length", raw(streamHead, "zz\r\n")},
		{"a body shorter than promised", "unexpected EOF",
			raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n",
				`{"items":[`)},
	} {
		t.Run(c.says, func(t *testing.T) {
			hostile(t, c.err, c.reply, okJSON(list("7", "web-1@5")), hanging())
			if c.says != "a Status instead" { // the error says that only for a list
				hostile(t, c.err, okJSON(list("6")), c.reply, okJSON(list("7", "web-1@5")),
					hanging())
			}
		})
	}
}

func TestHostileList(t *testing.T) {
	for _, c := range []struct{ says, err, body string }{
		{"no items", `a document of kind "WidgetList" has no items`, `{"kind":"WidgetList"}`},
		{"items is null", `items: want an array, have something that begins "null}`,
			`{"kind":"WidgetList","items":null}`},
		{"an item without metadata", "item 2: it has no metadata.name",
			`{"items":[` + item("web-1@5") + `,{"spec":{}}]}`},
		{"an item of another form", "item 1: json: cannot unmarshal",
			`{"items":[{"spec":"none"}]}`},
		{"a Table", "it is a Table", `{"kind":"Table","columnDefinitions":[]}`},
		{"a single object", `a document of kind "Widget" has no items`, item("web-1@5")},
		{"an item without a name that has a long namespace", "item 1: it has no metadata.name",
			`{"items":[{"metadata":{"namespace":"` + strings.Repeat("x", 60000) + `"}}]}`},
		{"a number of 60,000 digits", "item 1: json: cannot unmarshal number 111",
			`{"items":[{"spec":{"size":` + strings.Repeat("1", 60000) + `}}]}`},
		{"a time of 60,000 letters", `item 1: parsing time "yyy`,
			`{"items":[{"metadata":{"creationTimestamp":"` + strings.Repeat("y", 60000) + `"}}]}`},
		{"a code of 60,000 digits", "code: json: cannot unmarshal number 111",
			`{"code":` + strings.Repeat("1", 60000) + `}`},
		{"a field whose name is too long", `field "yyy`,
			`{"` + strings.Repeat("y", 60000) + `":tru}`},
		{"an item that is too large", "value is larger than the limit of 65536 bytes",
			`{"items":[{"metadata":{"name":"` + strings.Repeat("x", 65537) + `"}}]}`},
	} {
		t.Run(c.says, func(t *testing.T) {
			hostile(t, c.err, okJSON(c.body), okJSON(list("7", "web-1@5")), hanging())
		})
	}
}

func TestHostileWatch(t *testing.T) {
	for _, c := range []struct{ says, err, frame string }{
		{"an unknown type", `cannot read watch event: unknown type "WHAT"`, `{"type":"WHAT"}`},
		{"no type", "it has no type", `{"object":{}}`},
		{"no JSON", "invalid character", `{"type":ADDED}`},
		{"no object but an array", `want a JSON object, have something that begins "[`, "[]"},
		{"an object of another form", "ADDED event: json: cannot unmarshal",
			`{"type":"ADDED","object":{"spec":"none"}}`},
		{"an error that is no Status", "its object is no Status", `{"type":"ERROR","object":{}}`},
		{"a number of 60,000 digits", "ADDED event: json: cannot unmarshal number 111",
			`{"type":"ADDED","object":{"spec":{"size":` + strings.Repeat("1", 60000) + `}}}`},
		{"a frame that is too large", "frame is larger than the limit of 65536 bytes", big(65537)},
	} {
		t.Run(c.says, func(t *testing.T) {
			hostile(t, c.err, okJSON(list("6")), hanging(bookmark("6"), c.frame),
				okJSON(list("7", "web-1@5")), hanging())
		})
	}
}

// hostile plays replies, of which one is bad. It expects one error with the text want, one pause,
// and the right content of the store at the end.
func hostile(t *testing.T, want string, replies ...reply) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.c.limit = 64 << 10 // a small limit makes the test fast
		g.play(t, replies...)
		g.mu.Lock()
		defer g.mu.Unlock()
		if assert.Len(t, g.errs, 1, "%.300q", g.errs) {
			assert.Contains(t, g.errs[0], want, "the error says what the server sent")
			assert.Contains(t, g.errs[0], "http://server/", "the error gives the URL")
			assert.Less(t, len(g.errs[0]), 400, "the error does not contain the whole body")
		}
		assert.Len(t, g.pauses, 1, "a pause follows the error")
		assert.Equal(t, "web-1@5", g.store.String(), "after the pause the reflector recovers")
	})
}

func TestTheDefaultLimitOfAFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		assert.Equal(t, 16<<20, g.c.limit, "16 MiB, as in client-go")
		g.play(t, okJSON(list("7")), stream(big(20<<20)), okJSON(list("8")), hanging())
		checkErrors(t, g, []string{"frame is larger than the limit of 16777216 bytes"})
	})
}

// However much a server sends, undecoded bytes take no more memory than the largest frame, or
// double that while the buffer grows.
func TestMemoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.replies <- okJSON(list("7"))
		g.replies <- flood(streamHead+chunk(`{"type":"ADDED","object":{"a":"`), "x")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		g.start(t)
		pass(100 * ms) // the flood takes no virtual time
		runtime.ReadMemStats(&after)
		checkErrors(t, g, []string{"frame is larger than the limit"})
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(2*reflector.ObjectLimit+1<<20),
			"an endless frame allocates about twice the limit, counting freed memory as well")
	})
}
