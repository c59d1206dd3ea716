package fakeapi

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/wire"
)

// The laws of this file are about clients that send or keep too much. Each names a bound that the
// package doc promises.

const jsonType = "Content-Type: application/json"

// A hostile request is one that no well-meaning client sends.
type hostile struct {
	law  string
	send string // the bytes that are sent
	code int    // of the first answer
	says string // a part of the rest: of the headers, or of the body
}

func hostileRequests() []hostile {
	as := func(kind, body string) string {
		return ask("PATCH", widgetsPath+"/web-1", body, "Content-Type: "+kind)
	}
	spec := func(json string) string { return post(made("web-9", `,"spec":`+json)) }
	chunked := plain("POST "+widgetsPath+" HTTP/1.1", "Host: fakeapi", "Connection: close", jsonType,
		"Transfer-Encoding: chunked")
	const p, q, rejects = widgetsPath, widgetsPath + "?", "the server rejected our request"
	token := base64.RawURLEncoding.EncodeToString([]byte(`{"rv":` + nested(2_000) + `}`))
	return []hostile{
		{"a header of more than 16 KiB", ask("GET", p, "", "X: "+repeat(20<<10, "x")), 431, ""},
		{"a query of more than 16 KiB", get(q + "labelSelector=" + repeat(12_000, "a,")), 431, ""},
		{"101 parameters", get(q + repeat(101, "a&")), 400, "more than 100 parameters"},
		{"5,000 segments", get(p + "/web-1" + repeat(5000, "/a")), 404, "NotFound"},
		{"CONNECT to elsewhere", ask("CONNECT", "elsewhere.example:443", ""), 404, ""},
		{"an Accept of 1,000 types", ask("GET", p, "", "Accept: "+repeat(1_000, "a/b;q=0.1,")), 406,
			"NotAcceptable"},
		{"a malformed chunk", chunked + "ZZZ\r\n{}\r\n0\r\n\r\n", 500, "invalid byte in chunk length"},
		{"chunks without end", chunked + repeat(5, "100000\r\n"+repeat(1<<20, "x")+"\r\n"), 413,
			"limit is 3145728"},
		{"a version of 10,000 digits", get(q + "resourceVersion=" + repeat(10_000, "9")), 400,
			"invalid resource version"},
		{"a large body on a watch", ask("GET", q+"watch=1&timeoutSeconds=1", repeat(4<<20, "x")), 413, "3145728"},
		{"a token that is deeply nested", get(q + "limit=1&continue=" + token), 400, "BadRequest"},
		{"9,998 levels", spec(nested(9_998)), 201, `{"a":{"a":`},
		{"10,001 levels", spec(nested(10_001)), 400, "exceeded max depth"},
		{"an object of 1.6 MB", spec(`{"a":"` + repeat(1_600_000, "x") + `"}`), 500,
			"etcdserver: request is too large"},
		{"an object that grows when it is encoded", spec(`{"a":"` + repeat(300_000, "<") + `"}`), 500,
			"etcdserver: request is too large"},
		{"a body of 4 MiB", post(repeat(4<<20, " ")), 413, "Request entity too large: limit is 3145728"},
		{"5,000 unknown fields", post(strings.Replace(fullWidget("web-9"), "{",
			"{"+numbered(5_000, `"x%d":1`)+",", 1)), 201, "web-9"},
		{"a patch of 20,000 levels", as(object.MediaMergePatch, `{"spec":`+nested(20_000)+`}`), 400,
			"exceeded max depth"},
		{"10,001 operations", as(object.MediaJSONPatch, "["+numbered(10_001,
			`{"op":"test","path":"/kind","value":%d}`)+"]"), 413, "10000"},
		{"a path of 200 KB", as(object.MediaJSONPatch, `[{"op":"add","path":"`+repeat(100_000, "/a")+
			`","value":1}]`), 422, rejects},
		{"a label of a megabyte", post(strings.Replace(fullWidget("web-9"), `"name"`,
			`"labels":{"`+repeat(1<<20, "x")+`":"v"},"name"`, 1)), 422, "metadata.labels"},
		{"a request that is pipelined after a watch waits for the watch's end",
			plain("GET "+q+"watch=1&timeoutSeconds=5 HTTP/1.1", "Host: fakeapi") + get(p+"/web-9"),
			200, `\"web-9\" not found`},
	}
}

// The server gives the expected answer with little memory, and a refusal in few bytes. It is
// unharmed afterwards, and leaves no goroutine behind (otherwise the bubble fails the test).
func TestHostileRequests(t *testing.T) {
	for _, h := range hostileRequests() {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red")
			before := story.Allocated()
			got := shout(t, s, 0, h.send)
			spent := story.Allocated() - before
			code, rest := statusLine(got)
			assert.Equal(t, h.code, code, "%s\n%.600s", h.law, got)
			assert.True(t, strings.Contains(rest, h.says), "%s\n%.600s", h.law, got)
			if !underRace { // whose pools forget
				assert.Less(t, spent, 32<<20+96*len(h.send), "%s: bytes allocated", h.law)
			}
			head, _, _ := strings.Cut(rest, "\r\n\r\n")
			assert.Less(t, len(head), 16<<10, "bytes of headers, %s", h.law)
			assert.True(t, code < 300 || len(got) < 64<<10, "%s: %d bytes answered", h.law, len(got))
			assertUnharmed(t, s, h.law)
		})
	}
}

// The server closes the connection of a client that takes too long to send its request, and other
// clients do not wait for it.
func TestSlowRequests(t *testing.T) {
	start := func(method, target string, length int) string {
		return plain(method+" "+target+" HTTP/1.1", "Host: fakeapi", "Connection: close", jsonType,
			fmt.Sprint("Content-Length: ", length))
	}
	watch := widgetsPath + "?watch=1&timeoutSeconds=300"
	for _, c := range []struct {
		law    string
		pieces []string
		code   int
		took   time.Duration
	}{
		{"headers have to come within 10 seconds", append([]string{"GET /version HTTP/1.1\r\n"},
			strings.Split("Host: fakeapi\r\n\r\n", "")...), 0, 10 * time.Second},
		{"a body that comes within 10 seconds", append([]string{start("POST", widgetsPath, 7)},
			strings.Split("[1,2,3]", "")...), 400, 7 * time.Second},
		{"a body that does not", []string{start("POST", widgetsPath, 200) + "{"}, 504, 10 * time.Second},
		{"a body has no more time than its request",
			[]string{start("POST", widgetsPath+"?timeout=5s", 200) + "{"}, 504, 5 * time.Second},
		{"a body of a watch that never ends", []string{start("GET", watch, 200) + "{"}, 504, 10 * time.Second},
		{"a watch with a complete body lasts until its timeout", []string{start("GET", watch, 2) + "{}"},
			200, 5 * time.Minute},
		{"a body that never ends, on a path that reads none", []string{plain("POST /api HTTP/1.1",
			"Host: fakeapi", "Content-Length: 200") + "{"}, 405, 10 * time.Second},
		{"a body that never ends, for the control endpoint",
			[]string{start("POST", "/fakeapi/inject", 200) + "{"}, 400, 10 * time.Second},
	} {
		bubble(t, Options{Control: true}, func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red")
			begin, done := time.Now(), make(chan struct{})
			go func() { // other clients are served meanwhile
				defer close(done)
				time.Sleep(5 * time.Second)
				assertUnharmed(t, s, c.law)
			}()
			got := shout(t, s, time.Second, c.pieces...)
			took := time.Since(begin)
			<-done
			code, _ := statusLine(got)
			assert.Equal(t, c.code, code, "%s\n%s", c.law, got)
			assert.Equal(t, c.took, took, c.law)
		})
	}
}

// hold takes a turn, and ends it after a time.
func hold(s *Server, d time.Duration) {
	go s.registry.Turns.Do(context.Background(), 0, func() error { time.Sleep(d); return nil })
	settled()
}

// What decodes a document waits for its turn, whatever the size. What only sends it does not.
func TestRequestsComputeOneAtATime(t *testing.T) {
	const one, json = widgetsPath + "/web-1", "application/json"
	for _, r := range []struct {
		method, path, body, header, value string
		waits                             bool
	}{
		{"POST", widgetsPath, fullWidget("web-2"), "Content-Type", json, true},
		{"GET", one, "", "Accept", acceptTable, true},
		{"GET", widgetsPath, "", "Accept", acceptTable, true},
		{"GET", widgetsPath + "?watch=1&timeoutSeconds=1", "", "Accept", acceptTable, true},
		{"PATCH", one, `{"spec":{"color":"blue"}}`, "Content-Type", object.MediaMergePatch, true},
		{"PUT", one, made(`web-1","resourceVersion":"2`, ""), "Content-Type", json, true},
		{"DELETE", widgetsPath, "", "Accept", json, true},
		// Fields that a definition makes selectable later are decoded from older objects.
		{"GET", leversPath + "?fieldSelector=spec.size%3D", "", "Accept", json, true},
		// Selectors are parsed.
		{"GET", widgetsPath + "?labelSelector=a", "", "Accept", json, true},
		{"GET", widgetsPath + "?fieldSelector=metadata.name%3Da", "", "Accept", json, true},
		{"GET", one, "", "Accept", json, false},
		{"GET", widgetsPath, "", "Accept", json, false},
		{"GET", "/openapi/v3/apis/example.dev/v1", "", "Accept", json, false},
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red")
			must(s.Create("customresourcedefinitions", levers(nil)))
			must(s.Create("levers", lever("web-1", "")))
			must(s.Update("customresourcedefinitions", levers(func(d object.Tree) {
				version := object.At[[]any](d, ".spec.versions")[0].(object.Tree)
				version["selectableFields"] = []any{object.Tree{"jsonPath": ".spec.size"}}
			})))
			hold(s, time.Second)
			begin := time.Now()
			resp, answer := send(t, s, r.method, r.path, r.body, r.header, r.value)
			assert.Less(t, resp.StatusCode, 300, "%s %s %.300s", r.method, r.path, answer)
			assert.Equal(t, r.waits, time.Since(begin) >= time.Second, "%s %s", r.method, r.path)
			time.Sleep(time.Second)
			began := time.Now()
			_ = s.registry.Turns.Do(t.Context(), 0, func() error { return nil })
			assert.Zero(t, time.Since(began), "its turn has ended")
		})
	}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		hold(s, time.Minute)
		begin := time.Now()
		resp, answer := send(t, s, "POST", widgetsPath+"?timeout=2s", fullWidget("web-2"))
		assert.Equal(t, 504, resp.StatusCode)
		assert.Contains(t, answer, "Timeout: request did not complete within the allotted timeout")
		assert.Equal(t, 2*time.Second, time.Since(begin), "a request that waits ends in time")
		resp, _ = send(t, s, "DELETE", one+"?timeout=2s", "no options")
		assert.Equal(t, 504, resp.StatusCode, "the options of a deletion are decoded, too")
		time.Sleep(time.Minute)
	})
}

// The smallest comes first. A small patch of a large object is large.
func TestAWriteIsAsLargeAsWhatItDecodes(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		fill(t, s, 1, 10_000)
		hold(s, time.Second)
		var all sync.WaitGroup
		write := func(method, path, body, media string) {
			all.Go(func() { send(t, s, method, widgetsPath+path, body, "Content-Type", media) })
			settled()
		}
		write("PATCH", "/web-0", `{"a":1}`, object.MediaMergePatch)
		write("POST", "", fullWidget("web-1"), "application/json")
		all.Wait()
		c := widgets(t, s)
		assert.Less(t, c.Get("default/web-1").Version(), c.Get("default/web-0").Version())
	})
}

// drip begins to send a body, and never ends it.
const drip = "POST " + widgetsPath + " HTTP/1.1\r\nHost: fakeapi\r\n" + jsonType +
	"\r\nContent-Length: 3000000\r\n\r\n{"

func TestWhoFindsNoPlaceInTheServerIsToldToComeBack(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		const n = 30 // the server's own number of connections takes the race detector 20 s
		begin := time.Now()
		assert.Equal(t, 600, cap(s.places), "as the package doc says")
		s.places = make(wire.Places, n)
		for range n - 1 {
			go shout(t, s, 0, drip)
		}
		settled()
		resp, _ := send(t, s, "POST", widgetsPath, fullWidget("web-1"))
		assert.Equal(t, 201, resp.StatusCode, "there is one more place")
		go shout(t, s, 0, drip)
		settled()
		for range 5 { // on one connection, which has eight places for reads
			for _, path := range []string{widgetsPath, "/apis"} {
				resp, answer := send(t, s, "GET", path, "")
				assert.Equal(t, 429, resp.StatusCode, answer)
				assert.Equal(t, "1", resp.Header.Get("Retry-After"))
			}
		}
		for _, path := range []string{widgetsPath + "?watch=1&timeoutSeconds=0", "/livez"} {
			resp := do(t, s, "GET", path, "", nil)
			assert.Equal(t, 200, resp.StatusCode, "%s needs no place", path)
			resp.Body.Close()
		}
		assert.Zero(t, time.Since(begin), "nobody has waited")
		time.Sleep(wire.BodyTimeout)
		settled()
		resp, _ = send(t, s, "POST", widgetsPath, fullWidget("web-2"))
		assert.Equal(t, 201, resp.StatusCode, "what does not arrive in time loses its place")
	})
}

// A client of HTTP/2 that does not send, or does not read, keeps only its own requests waiting.
func TestAConnectionHasAFewPlacesOfItsOwn(t *testing.T) {
	overHTTP2(t, Options{}, func(t *testing.T, x *secure) {
		fill(t, x.Server, 5, 40_000) // more than the client's window for a stream
		body, end := io.Pipe()
		go func() {
			resp, err := x.client.Post(x.url+widgetsPath, "application/json", body)
			assert.NoError(t, err)
			assert.Equal(t, 504, resp.StatusCode)
		}()
		settled()
		begin := time.Now()
		assert.Equal(t, 200, x.get(t, widgetsPath+"/web-1").StatusCode, "reads do not wait for writes")
		head, err := x.client.Head(x.url + widgetsPath + "/web-1")
		require.NoError(t, err)
		assert.Equal(t, 200, head.StatusCode)
		resp, _ := send(t, x.Server, "POST", widgetsPath, fullWidget("from-elsewhere"))
		assert.Equal(t, 201, resp.StatusCode)
		assert.Zero(t, time.Since(begin), "another connection does not wait")
		var waiting sync.WaitGroup
		var codes [16]int
		for i := range 16 {
			waiting.Go(func() {
				resp, err := x.client.Post(x.url+widgetsPath, "application/json",
					strings.NewReader(fullWidget(fmt.Sprint("from-here-", i))))
				assert.NoError(t, err)
				assert.Equal(t, resp.StatusCode == 429, time.Since(begin) == 0)
				codes[i] = resp.StatusCode
			})
		}
		waiting.Wait()
		slices.Sort(codes[:])
		assert.Equal(t, wire.BodyTimeout, time.Since(begin), "the next writes come after that one")
		assert.Equal(t, []int{201, 429}, codes[14:], "but for one that was too many")
		end.Close()

		for range 8 {
			x.get(t, widgetsPath) // is not read
		}
		begin = time.Now()
		assert.Equal(t, 504, x.get(t, widgetsPath+"/web-1?timeout=2s").StatusCode, "the ninth waits")
		assert.Equal(t, 2*time.Second, time.Since(begin))
		resp, _ = send(t, x.Server, "GET", widgetsPath, "")
		assert.Equal(t, 200, resp.StatusCode)
		assert.Equal(t, 2*time.Second, time.Since(begin), "another connection does not")
		assert.Equal(t, 200, x.get(t, widgetsPath+"?watch=1").StatusCode, "and a watch needs no place")
	})
}

// Of an HTTP/2 connection, bodies that wait leave room for the one that is read, and a request that
// gives up makes room for another that waits.
func TestBodiesThatWaitLeaveRoom(t *testing.T) {
	overHTTP2(t, Options{}, func(t *testing.T, x *secure) {
		post := func(query string, body io.Reader) int {
			resp, err := x.client.Post(x.url+widgetsPath+query, "application/json", body)
			require.NoError(t, err)
			return resp.StatusCode
		}
		first, open := io.Pipe()
		var all sync.WaitGroup
		all.Go(func() { assert.Equal(t, 201, post("", first)) })
		settled()
		begin := time.Now()
		for range 2 {
			time.Sleep(2 * time.Second)
			for range 15 {
				all.Go(func() {
					assert.Equal(t, 504, post("?timeout=1s", strings.NewReader(repeat(100_000, "x"))))
				})
			}
			settled()
			assert.Less(t, x.sent.Swap(0), int64(15*70_000), "each sends at most 64 KiB")
		}
		must(io.WriteString(open, strings.Replace(fullWidget("web-1"), "{",
			`{"pad":"`+repeat(200_000, "x")+`",`, 1)))
		open.Close()
		settled()
		_, err := x.Get("widgets", "default", "web-1")
		assert.NoError(t, err)
		assert.Equal(t, 4*time.Second, time.Since(begin), "the body that is read arrives")
		all.Wait()
	})
}

// An answer keeps the schemas of its definitions alive.
func TestAnUnreadOpenAPIDocumentIsBrokenOff(t *testing.T) {
	const size = 40_000
	bubble(t, Options{HistoryBytes: 4 * size}, func(t *testing.T, s *Server) {
		describe := func(c string) any {
			return object.Tree{"type": "object", "description": repeat(size, c)}
		}
		at := func(d object.Tree, c string) {
			version := object.At[[]any](d, ".spec.versions")[0].(object.Tree)
			version["schema"] = object.Tree{"openAPIV3Schema": describe(c)}
		}
		must(s.Create("customresourcedefinitions", levers(func(d object.Tree) { at(d, "a") })))
		c := s.registry.Catalog()
		assert.Same(t, s.documentsOf(c), s.documentsOf(c), "documents are made once")
		resp := do(t, s, "GET", "/openapi/v3/apis/example.dev/v1", "", nil)
		defer resp.Body.Close()
		settled()
		for i := range 6 {
			must(s.Update("customresourcedefinitions", levers(func(d object.Tree) {
				at(d, string(rune('b'+i)))
			})))
		}
		settled()
		_, err := io.ReadAll(resp.Body)
		assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	})
}

// fill writes n objects of a size, which do not fit into the buffers on the way to a client that
// does not read. A second call replaces them.
func fill(t *testing.T, s *Server, n, size int) {
	t.Helper()
	pad := repeat(size, "x")
	for i := range n {
		if _, err := s.Patch("widgets", "default", fmt.Sprint("web-", i),
			fmt.Sprintf(`{"version":%d}`, s.store.Version())); err != nil {
			_, err = s.Create("widgets", fmt.Sprintf(`{"metadata":{"name":"web-%d"},"pad":%q}`, i, pad))
			require.NoError(t, err)
		}
	}
}

// A client that does not read its answer occupies a goroutine and the answer's memory.
func TestAnAnswerThatIsNotReadIsBrokenOff(t *testing.T) {
	for _, target := range []string{widgetsPath, widgetsPath + "/web-1?pretty=1", "/livez", "/apis"} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red")
			must(io.WriteString(dial(t, s), plain("GET "+target+" HTTP/1.1", "Host: fakeapi")))
			time.Sleep(time.Minute)
			settled()
			assert.Len(t, s.connections(), 1, "%s: the client has time to read", target)
			time.Sleep(time.Minute)
			settled()
			assert.Empty(t, s.connections(), "%s: after that its connection is closed", target)
		})
	}
	const size, n = 10_000, 8
	for law, c := range map[string]struct{ method, path, accept string }{
		"a list":                         {"GET", widgetsPath, ""},
		"a table":                        {"GET", widgetsPath + "?includeObject=Object", acceptTable},
		"the answer to deletecollection": {"DELETE", widgetsPath, ""},
		"an object":                      {"GET", widgetsPath + "/web-0", ""},
	} {
		bubble(t, Options{HistoryBytes: 4 * size}, func(t *testing.T, s *Server) {
			fill(t, s, n, size)
			first := weak.Make(widgets(t, s).Get("default/web-0"))
			resp := do(t, s, c.method, c.path, "", []string{"Accept", c.accept})
			defer resp.Body.Close()
			settled()
			fill(t, s, n, size)
			fill(t, s, n, size)
			settled()
			runtime.GC()
			assert.Nil(t, first.Value(), "%s that keeps more than the history alive", law)
			_, err := io.ReadAll(resp.Body)
			assert.ErrorIs(t, err, io.ErrUnexpectedEOF, "no clean end: objects are missing")
		})
	}
}

// If the server ends a watch that its client does not read, it waits for the client until
// watchGrace has passed. Then it breaks the connection, because events are missing.
func TestAWatchThatIsNotReadEndsSoonAfterTheServerEndsIt(t *testing.T) {
	for law, end := range map[string]func(*testing.T, *Server){
		"its time is over":        func(*testing.T, *Server) { time.Sleep(time.Minute) },
		"all watches are dropped": func(_ *testing.T, s *Server) { s.DropWatches() },
		"the definition is changed": func(_ *testing.T, s *Server) {
			must(s.Patch("customresourcedefinitions", "", "levers.example.dev",
				`{"spec":{"names":{"shortNames":["le"]}}}`))
		},
	} {
		ended := make(chan EndReason, 1)
		o := Options{Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended <- why }}}
		bubble(t, o, func(t *testing.T, s *Server) {
			must(s.Create("customresourcedefinitions", levers(nil)))
			for i := range 20 {
				must(s.Create("levers", lever(fmt.Sprint("web-", i), repeat(10_000, "x"))))
			}
			resp := do(t, s, "GET", leversPath+"?watch=1&timeoutSeconds=60", "", nil)
			defer resp.Body.Close()
			settled()
			end(t, s)
			time.Sleep(watchGrace - time.Second)
			settled()
			assert.Empty(t, ended, "%s: the client has time to read", law)
			time.Sleep(time.Second)
			settled()
			assert.Len(t, ended, 1, "%s: the watch ends when that time is over", law)
			_, err := io.ReadAll(resp.Body)
			assert.ErrorIs(t, err, io.ErrUnexpectedEOF, "no clean end")
		})
	}
}

// Of an HTTP/2 connection only the streams that are not read end.
func TestAnHTTP2StreamThatIsNotReadEndsAlone(t *testing.T) {
	ended := make(chan EndReason, 2)
	const size, n = 40_000, 5 // together more than the client's window for a stream
	o := Options{HistoryBytes: 4 * size, Trace: &Trace{
		WatchEnded: func(_ Request, why EndReason) { ended <- why }}}
	overHTTP2(t, o, func(t *testing.T, x *secure) {
		fill(t, x.Server, n, size)
		list, w, late := x.get(t, widgetsPath), x.get(t, widgetsPath+"?watch=1&timeoutSeconds=1"),
			x.get(t, widgetsPath+"?watch=1")
		time.Sleep(time.Second + watchGrace)
		settled()
		require.Len(t, ended, 1, "the watch has ended because its time is over")
		assert.Equal(t, EndSlow, <-ended)
		fill(t, x.Server, n, size)
		settled()
		require.Len(t, ended, 1, "the other watch has fallen behind by more than HistoryBytes")
		assert.Equal(t, EndSlow, <-ended)
		for _, resp := range []*http.Response{list, w, late} {
			_, err := io.ReadAll(resp.Body)
			assert.ErrorContains(t, err, "stream error")
		}
		assert.Equal(t, 200, x.get(t, widgetsPath+"/web-1").StatusCode)
		assert.Equal(t, int32(1), x.dials.Load(), "the connection can still be used")
	})
}

// A watch may last for thirty minutes, and it needs little of its request.
func TestAWatchKeepsLittleOfItsRequest(t *testing.T) {
	const n = 5
	query := "?watch=1&resourceVersion=1&labelSelector=" + numbered(250, "!"+repeat(50, "k")+"-%d")
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		before := story.Heap()
		for range n {
			r := httptest.NewRequestWithContext(ctx, "GET", widgetsPath+query, nil)
			go s.ServeHTTP(newSink(func([]byte) {}), r)
		}
		settled()
		assert.Less(t, (story.Heap()-before)/n, 60<<10, "bytes for each watch")
		assert.Equal(t, n, s.Watchers("widgets"))
	})
}

// A reading is one way to read the whole collection.
type reading struct{ name, query string }

var readings = []reading{{"list", ""}, {"list in pages", "limit=500"}, {"streaming list",
	"watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"}}

// perform reads the whole collection and returns how many bytes were sent.
func (r reading) perform(s *Server) (sent int) {
	for next, more := "", true; more; more = next != "" {
		ctx, cancel := context.WithCancel(context.Background())
		req, _ := http.NewRequestWithContext(ctx, "GET", // its Body is nil
			widgetsPath+"?"+r.query+"&continue="+next, nil)
		var end string // of the last piece: it holds the bookmark or the continue token
		s.ServeHTTP(newSink(func(p []byte) {
			sent += len(p)
			if end = string(p[max(0, len(p)-400):]); strings.Contains(end, initialEventsEnd) {
				cancel()
			}
		}), req)
		cancel()
		_, after, _ := strings.Cut(end, `"continue":"`)
		next, _, _ = strings.Cut(after, `"`)
	}
	return sent
}

func TestReadingEverythingCopiesNoDocument(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates, too")
	}
	s, stored := New(Options{HistoryBytes: 256 << 10}), 0
	defer s.Close()
	for i := range 4_000 {
		stored += len(must(s.Create("widgets", fmt.Sprintf(`{"metadata":{"name":"web-%06d"},`+
			`"spec":{"pad":%q}}`, i, repeat(2200, "x")))))
	}
	for _, r := range readings {
		r.perform(s) // fills the pools
		before := story.Allocated()
		assert.Greater(t, r.perform(s), stored, "%s: everything was sent", r.name)
		// Garbage counts too. A reading needs pointers to the documents, in a slice that grows by
		// doubling, and a few buffers.
		assert.Less(t, story.Allocated()-before, stored/5, "%s: a copy would be %d bytes", r.name, stored)
	}
}

// At whatever byte of a request the client disconnects, the server keeps no watch and no goroutine.
func TestAClientThatDisconnectsLeavesNothingBehind(t *testing.T) {
	for _, request := range []string{post(fullWidget("web-9")), get(widgetsPath + "?watch=1"),
		get(widgetsPath + "?resourceVersion=999")} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			for part := range 12 {
				c := dial(t, s)
				must(c.Write([]byte(request[:len(request)*part/11])))
				settled()
				c.Close()
			}
			settled()
			assert.Zero(t, s.Watchers("widgets"), request)
			assert.Empty(t, s.connections(), request)
		})
	}
}
