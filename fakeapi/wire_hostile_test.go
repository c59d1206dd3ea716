package fakeapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
)

// A hostile request is one that no well-meaning client sends. The expected answers are
// those of a real server, where it gives any.
type hostile struct {
	law  string
	send string // the bytes that are sent
	code int    // of the first answer; 0: there is none, the connection ends
	says string // a part of the rest: of the headers, or of the body
}

// TestHostileRequests sends each request to a server of its own. The server has to give
// the expected answer with little memory, must be unharmed afterwards, and must leave no
// goroutine behind (otherwise the bubble fails the test).
func TestHostileRequests(t *testing.T) {
	tables := []struct {
		name  string
		cases []hostile
	}{
		{"path", hostilePaths()}, {"query", hostileQueries()}, {"token", hostileTokens()},
		{"body", hostileBodies()}, {"patch", hostilePatches()}, {"deletion", hostileDeletions()},
		{"http", hostileHTTP()},
	}
	n, most := 0, 0.0
	for _, table := range tables {
		n += len(table.cases)
		t.Run(table.name, func(t *testing.T) {
			for _, h := range table.cases {
				var wrong []string
				bubble(t, Options{}, func(t *testing.T, s *Server) { wrong = h.meet(t, s, &most) })
				for _, w := range wrong {
					t.Errorf("%s: %s\n%.300s", h.law, w, h.send)
				}
			}
		})
	}
	assert.GreaterOrEqual(t, n, 60, "there are fewer than 60 hostile requests")
	t.Logf("%d requests; the most expensive one took %.0f %% of what it may allocate",
		n, 100*most)
}

// meet sends the request to s and returns what went wrong. It raises most to the part of
// the allowed memory that the request took.
func (h hostile) meet(t *testing.T, s *Server, most *float64) (wrong []string) {
	complain := func(format string, args ...any) {
		wrong = append(wrong, fmt.Sprintf(format, args...))
	}
	create(t, s, "web-1", "red")
	before := allocated()
	got := shout(t, s, 0, h.send)
	spent := allocated() - before

	code, rest := statusLine(got)
	if code != h.code || !strings.Contains(rest, h.says) {
		complain("want %d and %q, got\n%.600s", h.code, h.says, got)
	}
	// Reading, decoding, validating and answering allocate memory. The size of the
	// request bounds how much.
	allowed := 32<<20 + 96*uint64(len(h.send))
	if *most = max(*most, float64(spent)/float64(allowed)); spent > allowed {
		complain("%d MB allocated for %d KB", spent>>20, len(h.send)>>10)
	}
	if why := harmed(t, s); why != "" {
		complain("afterwards, %s", why)
	}
	return wrong
}

// harmed says how the server is harmed; empty if it answers the next client and can
// decode all its objects.
func harmed(t *testing.T, s *Server) string {
	t.Helper()
	resp, body := send(t, s, "GET", widgetsPath+"/web-1", "")
	if resp.StatusCode != 200 || !strings.Contains(body, `"name":"web-1"`) {
		return "web-1 is gone"
	}
	items, _, err := s.List("widgets", "")
	require.NoError(t, err)
	for _, item := range items {
		if _, err := object.DecodeTree(item); err != nil {
			return "a stored object cannot be decoded: " + err.Error()
		}
	}
	return ""
}

// ask is a request with a body, the last on its connection.
func ask(method, target, body string, header ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: fakeapi\r\nConnection: close\r\n", method, target)
	for _, h := range header {
		b.WriteString(h + "\r\n")
	}
	if body != "" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	return b.String() + "\r\n" + body
}

func get(target string) string { return ask("GET", target, "") }

func post(body string) string {
	return ask("POST", widgetsPath, body, "Content-Type: application/json")
}

// made is a widget's JSON for a POST, with more fields.
func made(name, more string) string {
	return `{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{"name":"` + name +
		`"}` + more + `}`
}

const (
	noPath  = "404 page not found" // in plain text: no Status below custom resources
	isBad   = `"reason":"BadRequest"`
	missing = `"reason":"NotFound"`
)

// nested is an object that many levels deep.
func nested(levels int) string {
	return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
}

func hostilePaths() []hostile {
	const p = widgetsPath
	const version = "/apis/workshop.example.dev/v1"
	long := strings.Repeat("n", 500_000)
	return []hostile{
		{"dots are not resolved", get("/apis/../api"), 404, ""},
		{"dots within a collection are a name",
			get(p + "/../widgets"), 404, `widgets.workshop.example.dev \"..\" not found`},
		{"a name cannot be two dots",
			get(p + "/.."), 400, `Name parameter invalid: \"..\": may not be '..'`},
		{"a name cannot be one dot", get(p + "/."), 400, `Name parameter invalid: \".\": may not be '.'`},
		{"encoded dots are dots", get(p + "/%2e%2e"), 400, "may not be '..'"},
		{"an encoded slash is a slash", get(p + "/%2e%2e%2fweb-1"), 404, `\"..\" not found`},
		{"an encoded slash in lower case", get(p + "/web-1%2fstatus"), 200, `"name":"web-1"`},
		{"an encoded slash begins a subresource", get(p + "/a%2Fb"), 404, `\"a\" not found`},
		{"a slash encoded twice is a percent sign",
			get(p + "/a%252Fb"), 400, "may not contain '%'"},
		{"two slashes at the start are no path", get("//apis"), 404, ""},
		{"two slashes before a collection are no path", get("/" + p), 404, ""},
		{"two slashes inside make an empty name", get(p + "//web-1"), 404, `\"\" not found`},
		{"two slashes at the end are ignored", get(p + "//"), 200, `"kind":"WidgetList"`},
		{"an empty namespace is all",
			get(version + "/namespaces//widgets"), 200, `"kind":"WidgetList"`},
		{"NUL is the name of no object", get(p + "/%00"), 404, missing},
		{"NUL within a name", get(p + "/a%00b"), 404, missing},
		{"a malformed encoding", get(p + "/%zz"), 400, "400 Bad Request"},
		{"half an encoding", get(p + "/%"), 400, "400 Bad Request"},
		{"an overlong dot is no dot", get(p + "/%c0%ae"), 404, missing},
		{"two overlong dots are no dots", get(p + "/%c0%ae%c0%ae/web-1"), 404, missing},
		{"no UTF-8 at all", get(p + "/%ff%fe"), 404, `"name":"\ufffd\ufffd"`},
		{"a name with a space", get(p + "/web-1%20"), 404, missing},
		{"a name with parameters", get(p + "/web-1;x=1"), 404, missing},
		{"a fragment has no place in a request", get(p + "/web-1#f"), 404, missing},
		{"names are case-sensitive", get(p + "/WEB-1"), 404, missing},
		{"a backslash is no slash", get(p + `/a\b`), 404, missing},
		{"a name of half a megabyte", get(p + "/" + long), 404, missing},
		{"5,000 segments", get(p + "/web-1" + strings.Repeat("/a", 5000)), 404, missing},
		{"a namespace cannot be dots",
			get(version + "/namespaces/%2e%2e/widgets"), 500, "invalid key"},
		{"a namespace with a slash", get(version + "/namespaces/a%2Fb/widgets"), 404, noPath},
		{"a namespace with an invalid name is empty",
			get(version + "/namespaces/UPPER/widgets"), 200, `"items":[]`},
		{"an unknown version", get("/apis/workshop.example.dev/v9/widgets"), 404, noPath},
		{"segments below a subresource are ignored",
			get(p + "/web-1/status/more"), 200, `"name":"web-1"`},
		{"an absolute URI is its path",
			get("http://elsewhere.example" + p + "/web-1"), 200, `"name":"web-1"`},
		{"an absolute URI with any scheme and port",
			get("https://elsewhere.example:99" + p + "/web-1"), 200, `"name":"web-1"`},
		{"a path without a slash", get("apis"), 400, "400 Bad Request"},
		{"a star", get("*"), 404, ""},
		{"OPTIONS for a star", ask("OPTIONS", "*", ""), 200, ""},
		{"CONNECT to elsewhere", ask("CONNECT", "elsewhere.example:443", ""), 404, ""},
		{"CONNECT to a path", ask("CONNECT", p, ""), 405, "MethodNotAllowed"},
		{"the control paths do not exist", ask("POST", "/fakeapi/compact", ""), 404, ""},
	}
}
