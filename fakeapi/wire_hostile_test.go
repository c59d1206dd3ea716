package fakeapi

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		if _, err := decodeTree(item); err != nil {
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

func hostileQueries() []hostile {
	q := func(query string) string { return get(widgetsPath + "?" + query) }
	values := strings.TrimSuffix(strings.Repeat("v,", 100_000), ",")
	return []hostile{
		{"a limit below zero is no limit", q("limit=-1"), 200, `"name":"web-1"`},
		{"the smallest number is no limit", q("limit=-9223372036854775808"), 200, `"name":"web-1"`},
		{"a limit that is too large", q("limit=9223372036854775808"), 400, "value out of range"},
		{"a limit in words", q("limit=many"), 400, "invalid syntax"},
		{"a limit with an exponent", q("limit=1e3"), 400, "invalid syntax"},
		{"a plus is a space", q("limit=+5"), 400, "invalid syntax"},
		{"a limit that is no UTF-8", q("limit=%FF"), 400, `\\xff`},
		{"a space in the request line", q("limit= 5"), 400, "400 Bad Request"},
		{"the first of two limits counts", q("limit=5&limit=many"), 200, `"name":"web-1"`},
		{"a version below zero", q("resourceVersion=-1"), 400, "invalid resource version"},
		{"a version with a leading zero", q("resourceVersion=01"), 200, `"name":"web-1"`},
		{"a version in hexadecimal", q("resourceVersion=0x10"), 400, "invalid syntax"},
		{"a version in other digits", q("resourceVersion=%D9%A1"), 400, "invalid syntax"},
		{"the largest version does not exist yet",
			q("resourceVersion=18446744073709551615"), 504, "Too large resource version"},
		{"one more is no version",
			q("resourceVersion=18446744073709551616"), 400, "value out of range"},
		{"a version of 100,000 digits",
			q("resourceVersion=" + strings.Repeat("9", 100_000)), 400, "value out of range"},
		{"a watch from a version below zero",
			q("watch=1&resourceVersion=-5"), 500, "invalid syntax"},
		{"a watch from the largest version",
			q("watch=1&resourceVersion=18446744073709551615&timeoutSeconds=1"),
			200, "\r\n\r\n0\r\n"},
		{"a watch with a limit", q("watch=1&limit=-5&timeoutSeconds=1"), 200, `"type":"ADDED"`},
		{"a watch with a continue token",
			q("watch=1&continue=x&timeoutSeconds=1"), 422, "forbidden when continue is provided"},
		{"watch with any value but false is a watch",
			q("watch=%00&timeoutSeconds=1"), 200, `"type":"ADDED"`},
		{"a timeout that is too large",
			q("watch=1&timeoutSeconds=99999999999999999999"), 400, "value out of range"},
		{"a timeout that overflows a duration",
			q("watch=1&timeoutSeconds=9223372036854775807&resourceVersion=1&labelSelector=%21%21"),
			400, isBad},
		{"a fractional timeout", q("watch=1&timeoutSeconds=1.5"), 400, "invalid syntax"},
		{"a timeout below zero is no timeout", q("timeoutSeconds=-5"), 200, `"name":"web-1"`},
		{"a body on a watch",
			ask("GET", widgetsPath+"?watch=1&timeoutSeconds=1", `{"kind":"Widget"}`),
			200, `"type":"ADDED"`},
		{"a large body on a watch, which is read before the answer like any other",
			ask("GET", widgetsPath+"?watch=1&timeoutSeconds=1", strings.Repeat("x", 4<<20)),
			413, "limit is 3145728"},
		{"100,000 values", q("labelSelector=a%20in%20(" + values + ")"), 200, `"items":[]`},
		{"1,000 requirements",
			q("labelSelector=" + strings.Repeat("a=b,", 999) + "a"), 200, `"items":[]`},
		{"340,000 requirements", q("labelSelector=" + strings.Repeat("a,", 340_000) + "a"), 400,
			"the label selector has more than 1000 requirements"},
		{"a watch with 340,000 requirements",
			q("watch=1&labelSelector=" + strings.Repeat("a,", 340_000) + "a"),
			400, "the label selector has more than 1000 requirements"},
		{"a deletecollection with 340,000 requirements",
			ask("DELETE", widgetsPath+"?labelSelector="+strings.Repeat("a,", 340_000)+"a", ""), 400,
			"the label selector has more than 1000 requirements"},
		{"a thousand brackets", q("labelSelector=" + strings.Repeat("(", 1000)), 400, "found '('"},
		{"a thousand negations",
			q("labelSelector=" + strings.Repeat("!", 1000)), 400, "unable to parse requirement"},
		{"a label that is no UTF-8", q("labelSelector=%FF%FE"), 400, "unable to parse requirement"},
		{"a label's value of 64 bytes",
			q("labelSelector=a=" + strings.Repeat("b", 64)), 400, "must be no more than 63 bytes"},
		{"a bound that is too large",
			q("labelSelector=a%3E99999999999999999999"), 400, "must be an integer"},
		{"half a set", q("labelSelector=a+in+(b"), 400, isBad},
		{"a line break makes no header",
			q("labelSelector=a%0d%0aSet-Cookie:%20x=1"), 400, "found 'Set-Cookie:'"},
		{"a line break in a quoted value makes no header",
			q("resourceVersionMatch=a%0d%0aX-Evil:%201&resourceVersion=1"), 422, `\\r\\nX-Evil: 1`},
		{"1,000 fields", q("fieldSelector=" + strings.Repeat("metadata.name!=x,", 1_000)),
			200, `"name":"web-1"`},
		{"50,000 fields", q("fieldSelector=" + strings.Repeat("metadata.name!=x,", 50_000)),
			400, "the field selector has more than 1000 terms"},
		{"a field of 100 KB",
			q("fieldSelector=metadata.name=" + strings.Repeat("n", 100_000)), 200, `"items":[]`},
		{"a field without an index",
			q("fieldSelector=spec.secret=x"), 400, "field label not supported: spec.secret"},
		{"a backslash at the end", q(`fieldSelector=metadata.name=a%5C`), 400, isBad},
		{"a field selector without sense", q("fieldSelector=%00"), 400, "can't understand"},
		{"a parameter with a malformed encoding is left out",
			q("limit=5%zz&a=%zz"), 200, `"name":"web-1"`},
		{"20,000 parameters", q(strings.Repeat("p=1&", 20_000)), 200, `"name":"web-1"`},
		{"parameters without names", q("=&=&=="), 200, `"name":"web-1"`},
		{"a query of 900 KB", q("x=" + strings.Repeat("y", 900_000)), 200, `"name":"web-1"`},
		{"a query of 1.1 MB",
			q("x=" + strings.Repeat("y", 1_100_000)), 431, "431 Request Header Fields Too Large"},
	}
}

func hostileTokens() []hostile {
	token := func(json string) string {
		text := base64.RawURLEncoding.EncodeToString([]byte(json))
		return get(widgetsPath + "?limit=1&continue=" + text)
	}
	const v = `{"v":"meta.k8s.io/v1",`
	return []hostile{
		{"no base64", get(widgetsPath + "?continue=%FF%FE"), 400, "continue key is not valid"},
		{"no JSON", token("garbage"), 400, "continue key is not valid"},
		{"100 KB of nothing", get(widgetsPath + "?continue=" + strings.Repeat("A", 100_000)),
			400, "continue key is not valid"},
		{"a list", token("[1,2]"), 400, isBad},
		{"null", token("null"), 400, isBad},
		{"another version of tokens", token(`{"v":"v9","rv":5,"start":"/"}`), 400, isBad},
		{"no version", token(v + `"rv":0,"start":"/"}`), 400, isBad},
		{"a version in the future", token(v + `"rv":9223372036854775807,"start":"/\u0000"}`),
			504, "Too large resource version"},
		{"a version that is too large", token(v + `"rv":1e30,"start":"/\u0000"}`), 400, isBad},
		{"a version before the beginning",
			token(v + `"rv":1,"start":"/\u0000"}`), 200, `"items":[]`},
		{"any version below zero is the present",
			token(v + `"rv":-9223372036854775808,"start":"/\u0000"}`), 200, `"name":"web-1"`},
		{"no start", token(v + `"rv":2,"start":""}`), 400, isBad},
		{"a start outside the selection", token(v + `"rv":2,"start":"/../../nodes/"}`), 400, isBad},
		{"a start beyond the end", token(v + `"rv":2,"start":"x/y/z"}`), 200, `"items":[]`},
		{"deeply nested", token(v + `"rv":` + nested(20_000) + `}`), 400, isBad},
	}
}
