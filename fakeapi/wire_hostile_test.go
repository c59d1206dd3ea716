package fakeapi

import (
	"encoding/base64"
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

	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/status"
)

// A hostile request is one that no well-meaning client sends. The expected answers are
// those of a real server, where it gives any.
type hostile struct {
	law  string
	send string // the bytes that are sent
	code int    // of the first answer; 0: any below 501
	says string // a part of the rest: of the headers, or of the body
}

// The server has to give the expected answer with little memory, a refusal in few bytes; it must be
// unharmed afterwards, and leave no goroutine behind (otherwise the bubble fails the test).
func TestHostileRequests(t *testing.T) {
	for name, cases := range map[string][]hostile{"query": hostileQueries(), "body": hostileBodies(),
		"patch": hostilePatches(), "http": hostileHTTP(), "mistakes": mistakes()} {
		t.Run(name, func(t *testing.T) {
			if underRace { // what is allocated is not measured
				t.Parallel()
			}
			for i, h := range cases {
				if !underRace || i%16 == 0 { // a request that is alone has no races
					bubble(t, Options{}, h.meet)
				}
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
	if h.code != 0 && code != h.code || code > 500 || !strings.Contains(rest, h.says) {
		t.Errorf("%s: want %d and %q, got\n%.600s", h.law, h.code, h.says, got)
	}
	if !underRace { // whose pools forget
		assert.Less(t, spent, 32<<20+96*uint64(len(h.send)), "%s: bytes allocated", h.law)
	}
	head, _, _ := strings.Cut(rest, "\r\n\r\n")
	assert.Less(t, len(head), 16<<10, "bytes of headers, %s", h.law)
	assert.True(t, code < 300 || len(got) < 256<<10, "%s: %d bytes answered", h.law, len(got))
	assertUnharmed(t, s, h.law)
}

// hostileHTTP has what this server decides, and not net/http.
func hostileHTTP() []hostile {
	const p = widgetsPath
	chunked := plain("POST "+p+" HTTP/1.1", "Host: fakeapi", "Connection: close",
		"Content-Type: application/json", "Transfer-Encoding: chunked")
	return []hostile{
		{"a name of half a megabyte", get(p + "/" + repeat(500_000, "n")), 404, "NotFound"},
		{"a long manager", ask("POST", p+"?fieldManager="+repeat(129, "m"), "{}"), 422, "than 128 bytes"},
		{"5,000 segments", get(p + "/web-1" + repeat(5000, "/a")), 404, "NotFound"},
		{"an absolute URI is its path", get("https://elsewhere.example:99" + p + "/web-1"), 200, "web-1"},
		{"CONNECT to elsewhere", ask("CONNECT", "elsewhere.example:443", ""), 404, ""},
		{"a watch over HTTP/1.0 has no chunks", plain("GET " + p + "?watch=1&timeoutSeconds=1 HTTP/1.0"),
			200, "\r\n\r\n{\"type\":\"ADDED\""},
		{"an Accept of 10,000 types", ask("GET", p, "", "Accept: "+repeat(10_000, "a/b;q=0.1,")), 406,
			"NotAcceptable"},
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
	many := "labelSelector=" + repeat(100_000, "a,") + "a"
	nest := base64.RawURLEncoding.EncodeToString([]byte(`{"rv":` + nested(20_000) + `}`))
	return []hostile{
		{"a version of 100,000 digits", q("resourceVersion=" + repeat(100_000, "9")), 400,
			"value out of range"},
		{"a large body on a watch, which is read before the answer like any other",
			ask("GET", widgetsPath+"?watch=1&timeoutSeconds=1", repeat(4<<20, "x")), 413, "3145728"},
		{"10,000 values", q("labelSelector=a%20in%20(" + numbered(10_000, "%d") + ")"), 200, "[]"},
		{"100,000 requirements", q(many), 400, "more than 1000 requirements"},
		{"a deletecollection with them", ask("DELETE", widgetsPath+"?"+many, ""), 400,
			"more than 1000 requirements"},
		{"10,000 fields", q("fieldSelector=" + repeat(10_000, "metadata.name!=x,")), 400,
			"more than 1000 terms"},
		{"20,000 parameters", q(repeat(20_000, "p=1&")), 200, "web-1"},
		{"a token of 100 KB", q("continue=" + repeat(100_000, "A")), 400, "BadRequest"},
		{"a token that is deeply nested", q("limit=1&continue=" + nest), 400, "BadRequest"},
	}
}

func hostileBodies() []hostile {
	const very, tooLarge = 5_000, "etcdserver: request is too large"
	object := func(metadata string) string {
		return post(`{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":` + metadata + `}`)
	}
	spec := func(json string) string { return post(made("web-9", `,"spec":`+json)) }
	del := func(body string) string {
		return ask("DELETE", widgetsPath+"/web-1", body, "Content-Type: application/json")
	}
	return []hostile{
		{"a number of 100,000 digits", spec(`{"n":` + repeat(100_000, "9") + `}`), 400, "BadRequest"},
		{"a value that is no UTF-8", spec("{\"color\":\"\xff\"}"), 201, "\"color\":\"\ufffd\""},
		{"9,998 levels", spec(nested(9_998)), 201, `{"a":{"a":`},
		{"10,001 levels", spec(nested(10_001)), 400, "exceeded max depth"},
		{"a name of 200 KB", post(fullWidget(repeat(200_000, "n"))), 422, "253 characters"},
		{"very many finalizers", object(`{"name":"web-9","finalizers":[` + numbered(very, `"f%d"`) + `]}`),
			201, `"name":"web-9"`},
		{"very many empty owners", object(`{"name":"web-9","ownerReferences":[` +
			numbered(very/4, `{"kind":"%d"}`) + `]}`), 422, "metadata.ownerReferences[0].uid"},
		{"very many unknown fields", object(`{"name":"web-9",` + numbered(very, `"x%d":1`) + `}`), 201,
			`unknown field`},
		{"duplicate fields, deeply nested", spec(repeat(5_000, `{"a":`) + `{` +
			numbered(very/2, `"x%[1]d":1,"x%[1]d":1`) + `}` + repeat(5_000, "}")), 201, "duplicate field"},
		{"an object of 1.4 MB", spec(`{"a":"` + repeat(1_400_000, "y") + `"}`), 201, `"a":"yyyy`},
		{"an object of 1.6 MB", spec(`{"a":"` + repeat(1_600_000, "x") + `"}`), 500, tooLarge},
		{"an object that grows when it is encoded", spec(`{"a":"` + repeat(300_000, "<") + `"}`), 500,
			tooLarge},
		{"a body of 4 MiB", post(repeat(4<<20, " ")), 413, "Request entity too large: limit is 3145728"},
		{"options with too many levels", del(nested(20_000)), 400, "exceeded max depth"},
	}
}

func hostilePatches() []hostile {
	as := func(kind, body string) string {
		return ask("PATCH", widgetsPath+"/web-1", body, "Content-Type: "+kind)
	}
	steps := func(steps ...string) string {
		return as(patch.MediaJSON, "["+strings.Join(steps, ",")+"]")
	}
	copies := []string{`{"op":"add","path":"/spec/a","value":"` + repeat(1000, "x") + `"}`}
	for i := range 40 {
		copies = append(copies, fmt.Sprintf(`{"op":"copy","from":"/spec","path":"/spec/c%d"}`, i))
	}
	deep := `{"op":"add","path":"/spec/deep","value":` + nested(6000) + `}`
	deeper := `{"op":"copy","from":"/spec/deep","path":"/spec/deep` + repeat(5999, "/a") + `"}`
	// Each chain of arrays is no deeper than a body may be, but the patch moves chains below chains.
	chain := repeat(9_000, "[") + repeat(9_000, "]")
	chains := []string{`{"op":"add","path":"/spec/a","value":` + chain + `}`}
	for range 3 {
		chains = append(chains, `{"op":"add","path":"/spec/b","value":`+chain+`}`,
			`{"op":"move","from":"/spec/a","path":"/spec/b`+repeat(9_000, "/0")+`"}`,
			`{"op":"move","from":"/spec/b","path":"/spec/a"}`)
	}
	inserts := []string{`{"op":"add","path":"/spec/a","value":[0` + repeat(700_000, ",0") + `]}`,
		numbered(100, `{"op":"add","path":"/spec/a/0","value":%d}`)}
	const rejects = "the server rejected our request due to an error in our request"
	return []hostile{
		{"too many levels", as(patch.MediaMerge, `{"spec":`+nested(20_000)+`}`), 400, "invalid JSON patch"},
		{"10,001 operations", steps(numbered(10_001, `{"op":"test","path":"/kind","value":%d}`)), 413,
			"The allowed maximum operations in a JSON patch is 10000, got 10001"},
		{"10,000 operations", steps(numbered(10_000, `{"op":"test","path":"/kind","value":%d}`)), 422,
			rejects},
		{"moves of many elements", steps(inserts...), 413, "moves more than 67108864 list elements"},
		{"copies of copies", steps(copies...), 422, rejects},
		{"deeper and deeper", steps(deep, deeper), 422, rejects},
		{"36,000 levels, in small steps", steps(chains...), 422, rejects},
		{"a path of 200 KB", steps(`{"op":"add","path":"` + repeat(100_000, "/a") + `","value":1}`), 422,
			rejects},
	}
}

// mistakes has a great many errors, or an error in a very long value. Each error quotes the
// beginning of a value, and there are a hundred errors at most.
func mistakes() (all []hostile) {
	long, bad := repeat(45_000, `\u0001`), `-`+repeat(100, `\u0001`)
	many := func(format string) string {
		return numbered(3*status.MaxErrors, strings.ReplaceAll(format, "%s", bad+"%[1]d"))
	}
	for law, metadata := range map[string]string{
		"labels":         `"labels":{` + many(`"%s":"%s"`) + `}`,
		"a long label":   `"labels":{"` + long + `":"v"}`,
		"finalizers":     `"finalizers":[` + many(`"%s"`) + `]`,
		"owners":         `"ownerReferences":[` + many(`{"apiVersion":"a/b/%s","controller":true}`) + `]`,
		"a long time":    `"creationTimestamp":"` + long + `"`,
		"a number":       `"labels":{"` + long + `":5}`,
		"unknown fields": many(`"%s":1`),
	} {
		body := strings.Replace(fullWidget("web-2"), `"name"`, metadata+`,"name"`, 1)
		all = append(all, hostile{law, post(body), 0, ""},
			hostile{law + ", patched", ask("PATCH", widgetsPath+"/web-1?fieldValidation=Strict",
				`{"metadata":{`+metadata+`}}`, "Content-Type: "+patch.MediaMerge), 0, ""})
	}
	for _, query := range strings.Fields("POST?fieldManager POST?fieldValidation POST?dryRun " +
		"DELETE?propagationPolicy DELETE?uid GET?fieldSelector GET?labelSelector GET?timeout " +
		"GET?resourceVersionMatch GET?continue GET?limit") {
		method, param, _ := strings.Cut(query, "?")
		all = append(all, hostile{param, ask(method, widgetsPath+"?"+param+"="+repeat(45_000, "%01"),
			fullWidget("web-2")), 0, ""})
	}
	return all
}

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
