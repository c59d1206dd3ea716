package fakeapi

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/status"
)

// A hostile request is one that no well-meaning client sends. The expected answers are
// those of a real server, where it gives any.
type hostile struct {
	law  string
	send string // the bytes that are sent
	code int    // of the first answer
	says string // a part of the rest: of the headers, or of the body
}

// Each request goes to a server of its own. The server has to give the expected answer with
// little memory, a refusal in few bytes; it must be unharmed afterwards, and leave no
// goroutine behind (otherwise the bubble fails the test).
func TestHostileRequests(t *testing.T) {
	for name, cases := range map[string][]hostile{"path": hostilePaths(), "query": hostileQueries(),
		"token": hostileTokens(), "body": hostileBodies(), "patch": hostilePatches(),
		"deletion": hostileDeletions(), "http": hostileHTTP()} {
		t.Run(name, func(t *testing.T) {
			for _, h := range cases {
				bubble(t, Options{}, h.meet)
			}
		})
	}
}

// meet sends the request to s.
func (h hostile) meet(t *testing.T, s *Server) {
	create(t, s, "web-1", "red")
	before := allocated()
	got := shout(t, s, 0, h.send)
	spent := allocated() - before
	code, rest := statusLine(got)
	if code != h.code || !strings.Contains(rest, h.says) {
		t.Errorf("%s: want %d and %q, got\n%.600s", h.law, h.code, h.says, got)
	}
	assert.Less(t, spent, 32<<20+96*uint64(len(h.send)), "%s: bytes allocated", h.law)
	assert.True(t, code < 300 || len(got) < 256<<10, "%s: %d bytes answered", h.law, len(got))
	assert.Empty(t, harmed(t, s), h.law)
}

const (
	isBad   = `"reason":"BadRequest"`
	missing = `"reason":"NotFound"`
)

func hostilePaths() []hostile {
	const p, version = widgetsPath, "/apis/workshop.example.dev/v1"
	return []hostile{
		{"dots are not resolved", get("/apis/../api"), 404, ""},
		{"a name cannot be two dots", get(p + "/%2e%2e"), 400, `Name parameter invalid: \"..\"`},
		{"a name cannot be one dot", get(p + "/."), 400, "may not be '.'"},
		{"an encoded slash is a slash", get(p + "/web-1%2fstatus"), 200, `"name":"web-1"`},
		{"a slash encoded twice is a percent sign", get(p + "/a%252Fb"), 400, "may not contain '%'"},
		{"two slashes at the start are no path", get("//apis"), 404, ""},
		{"two slashes inside make an empty name", get(p + "//web-1"), 404, `\"\" not found`},
		{"two slashes at the end are ignored", get(p + "//"), 200, `"kind":"WidgetList"`},
		{"an empty namespace is all", get(version + "/namespaces//widgets"), 200, "WidgetList"},
		{"NUL within a name", get(p + "/a%00b"), 404, missing},
		{"no UTF-8 at all", get(p + "/%ff%fe"), 404, `"name":"\ufffd\ufffd"`},
		{"names are case-sensitive", get(p + "/WEB-1"), 404, missing},
		{"a name of half a megabyte", get(p + "/" + repeat(500_000, "n")), 404, missing},
		{"5,000 segments", get(p + "/web-1" + repeat(5000, "/a")), 404, missing},
		{"a namespace cannot be dots", get(version + "/namespaces/%2e%2e/widgets"), 500, "invalid key"},
		{"an unknown version", get("/apis/workshop.example.dev/v9/widgets"), 404, "404 page not found"},
		{"segments below a subresource are ignored", get(p + "/web-1/status/more"), 200, "web-1"},
		{"an absolute URI is its path", get("https://elsewhere.example:99" + p + "/web-1"), 200, "web-1"},
		{"CONNECT to elsewhere", ask("CONNECT", "elsewhere.example:443", ""), 404, ""},
		{"the control paths do not exist", ask("POST", "/fakeapi/compact", ""), 404, ""},
	}
}

// hostileHTTP has what this server decides, and not net/http.
func hostileHTTP() []hostile {
	const p = widgetsPath
	chunked := plain("POST "+p+" HTTP/1.1", "Host: fakeapi", "Connection: close",
		"Content-Type: application/json", "Transfer-Encoding: chunked")
	header := func(h string) string { return ask("GET", p+"/web-1", "", h) }
	return []hostile{
		{"a watch over HTTP/1.0 has no chunks", plain("GET " + p + "?watch=1&timeoutSeconds=1 HTTP/1.0"),
			200, "\r\n\r\n{\"type\":\"ADDED\""},
		{"an unknown method", ask("BREW", p, ""), 405, "MethodNotAllowed"},
		{"HEAD of a watch gets only headers", ask("HEAD", p+"?watch=1&timeoutSeconds=1", ""), 200, ""},
		{"an Accept of 10,000 types", header("Accept: " + repeat(10_000, "a/b;q=0.1,")), 406,
			"NotAcceptable"},
		{"a malformed Accept-Encoding", header("Accept-Encoding: gzip;q=x, *"), 200, "web-1"},
		{"an upgrade to WebSocket is ignored", ask("GET", p+"?watch=1&timeoutSeconds=1", "",
			"Upgrade: websocket"), 200, `"type":"ADDED"`},
		{"a malformed chunk", chunked + "ZZZ\r\n{}\r\n0\r\n\r\n", 500, "invalid byte in chunk length"},
		{"chunks without end", chunked + repeat(5, "100000\r\n"+repeat(1<<20, "x")+"\r\n"), 413,
			"limit is 3145728"},
		{"a request that is pipelined after a watch waits for the watch's end",
			plain("GET "+p+"?watch=1&timeoutSeconds=5 HTTP/1.1", "Host: fakeapi") + get(p+"/web-9"),
			200, `\"web-9\" not found`},
	}
}

func hostileQueries() []hostile {
	q := func(query string) string { return get(widgetsPath + "?" + query) }
	many := "labelSelector=" + repeat(340_000, "a,") + "a"
	return []hostile{
		{"a limit that is no UTF-8", q("limit=%FF"), 400, `\\xff`},
		{"the largest version does not exist yet", q("resourceVersion=18446744073709551615"), 504,
			"Too large resource version"},
		{"a version of 100,000 digits", q("resourceVersion=" + repeat(100_000, "9")), 400,
			"value out of range"},
		{"a watch from the largest version", q("watch=1&resourceVersion=18446744073709551615" +
			"&timeoutSeconds=1"), 200, "\r\n\r\n0\r\n"},
		{"watch with any value but false is a watch", q("watch=%00&timeoutSeconds=1"), 200, "ADDED"},
		{"a large body on a watch, which is read before the answer like any other",
			ask("GET", widgetsPath+"?watch=1&timeoutSeconds=1", repeat(4<<20, "x")), 413, "3145728"},
		{"100,000 values", q("labelSelector=a%20in%20(" + numbered(100_000, "%d") + ")"), 200, "[]"},
		{"340,000 requirements", q(many), 400, "more than 1000 requirements"},
		{"a watch with 340,000 requirements", q("watch=1&" + many), 400, "more than 1000 requirements"},
		{"a deletecollection with them", ask("DELETE", widgetsPath+"?"+many, ""), 400,
			"more than 1000 requirements"},
		{"a line break makes no header", q("labelSelector=a%0d%0aSet-Cookie:%20x=1"), 400,
			"found 'Set-Cookie:'"},
		{"50,000 fields", q("fieldSelector=" + repeat(50_000, "metadata.name!=x,")), 400,
			"more than 1000 terms"},
		{"a parameter with a malformed encoding is left out", q("limit=5%zz&a=%zz"), 200, "web-1"},
		{"20,000 parameters", q(repeat(20_000, "p=1&")), 200, "web-1"},
	}
}

func hostileTokens() []hostile {
	token := func(json string) string {
		return get(widgetsPath + "?limit=1&continue=" + base64.RawURLEncoding.EncodeToString([]byte(json)))
	}
	const v = `{"v":"meta.k8s.io/v1",`
	return []hostile{
		{"100 KB of nothing", get(widgetsPath + "?continue=" + repeat(100_000, "A")), 400, isBad},
		{"a version in the future", token(v + `"rv":9223372036854775807,"start":"/\u0000"}`), 504,
			"Too large resource version"},
		{"a version before the beginning", token(v + `"rv":1,"start":"/\u0000"}`), 200, `"items":[]`},
		{"any version below zero is the present", token(v + `"rv":-9223372036854775808,` +
			`"start":"/\u0000"}`), 200, `"name":"web-1"`},
		{"a start outside the selection", token(v + `"rv":2,"start":"/../../nodes/"}`), 400, isBad},
		{"deeply nested", token(v + `"rv":` + nested(20_000) + `}`), 400, isBad},
	}
}

// mistakes are metadata with a great many errors, or with an error in a very long value.
func mistakes() map[string]string {
	long, bad := repeat(60_000, `\u0001`), `-`+repeat(100, `\u0001`)
	many := func(format string) string {
		return numbered(3*status.MaxErrors, strings.ReplaceAll(format, "%s", bad+"%[1]d"))
	}
	return map[string]string{
		"labels":            `"labels":{` + many(`"%s":"%s"`) + `}`,
		"a long label":      `"labels":{"` + long + `":"` + long + `"}`,
		"a long annotation": `"annotations":{"` + long + `":"v"}`,
		"finalizers":        `"finalizers":[` + many(`"%s"`) + `]`,
		"owners":            `"ownerReferences":[` + many(`{"apiVersion":"a/b/%s"}`) + `]`,
		"controllers":       `"ownerReferences":[` + many(`{"kind":"%s","controller":true}`) + `]`,
		"a long time":       `"creationTimestamp":"` + long + `"`,
		"a long version":    `"resourceVersion":"` + long + `"`,
		"a number":          `"labels":{"` + long + `":5}`,
		"unknown fields":    many(`"%s":1`),
	}
}

// Each error quotes the beginning of a value, and there are a hundred errors at most.
func TestHoweverBadARequestIsItsAnswerIsShort(t *testing.T) {
	const patched = widgetsPath + "/web-1"
	for name, metadata := range mistakes() {
		body := `{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{"name":"web-1",` +
			metadata + `}}`
		merge := `{"metadata":{` + metadata + `}}`
		pod := strings.NewReplacer("Widget", "Pod", "workshop.example.dev/", "").Replace(body)
		for _, c := range []struct{ way, method, path, body, media string }{
			{"create", "POST", widgetsPath, strings.Replace(body, "web-1", "web-2", 1), ""},
			{"strict", "POST", widgetsPath + "?fieldValidation=Strict", body, ""},
			{"update, built-in", "PUT", podsPath + "/web-1", pod, ""},
			{"status", "PUT", podsPath + "/web-1/status", pod, ""},
			{"merge patch", "PATCH", patched, merge, patch.MediaMerge},
			{"strategic", "PATCH", podsPath + "/web-1", merge, patch.MediaStrategic},
			{"JSON patch", "PATCH", patched, `[{"op":"add","path":"/metadata","value":{"name":` +
				`"web-1",` + metadata + `}}]`, patch.MediaJSON},
		} {
			assertShort(t, name+": "+c.way, c.method, c.path, c.body, c.media)
		}
	}
	evil := repeat(60_000, "%01")
	for _, param := range []string{"fieldManager", "fieldValidation", "dryRun", "fieldSelector", "timeout",
		"labelSelector", "resourceVersionMatch", "continue", "limit", "propagationPolicy", "uid"} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			assertShort(t, method+" "+param, method, widgetsPath+"?"+param+"="+evil, fullWidget("web-2"), "")
		}
	}
}

// assertShort: the request is refused, or accepted, in few bytes and with little memory.
func assertShort(t *testing.T, law, method, path, body, media string) {
	t.Helper()
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		_, err := s.Create("pods", `{"metadata":{"name":"web-1"}}`)
		require.NoError(t, err)
		before := allocated()
		resp, answer := send(t, s, method, path, body, "Content-Type", media)
		spent := allocated() - before
		assert.True(t, resp.StatusCode < 300 || len(answer) < 256<<10, "%s: %d bytes", law, len(answer))
		assert.Less(t, len(fmt.Sprint(resp.Header)), 16<<10, "bytes of headers, %s", law)
		assert.LessOrEqual(t, resp.StatusCode, 500, law)
		assert.Less(t, spent, 16<<20+40*uint64(len(path)+len(body)), "bytes allocated, %s", law)
	})
}
