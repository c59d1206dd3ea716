package fakeapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/stream"
)

func TestFaultsOfARequest(t *testing.T) {
	for _, c := range []struct {
		law   string
		fault Fault
		want  string
	}{
		{"a status without a code is a 500", Fault{Kind: FaultStatus}, "500 InternalError: injected fault: 500"},
		{"a status has the fault's code, message and Retry-After",
			Fault{Kind: FaultStatus, Code: 503, Message: "no", RetryAfter: 1500 * time.Millisecond},
			"503 ServiceUnavailable: no, retry after 2"},
		{"a reset is no answer", Fault{Kind: FaultReset}, "EOF"},
		{"a hanging request is not answered before the client gives up", Fault{Kind: FaultHang},
			"context deadline exceeded after 1h0m0s"},
		{"a delayed request is served after the delay", Fault{Kind: FaultDelay, Delay: time.Minute},
			"200 after 1m0s"},
	} {
		var traced []FaultKind
		trace := &Trace{Fault: func(_ Request, f Fault) { traced = append(traced, f.Kind) }}
		bubble(t, Options{Trace: trace}, func(t *testing.T, s *Server) {
			s.Inject(c.fault)
			assert.Contains(t, attempt(t, s), c.want, c.law)
			assert.Equal(t, "200 after 0s", attempt(t, s), "%s: it takes effect once", c.law)
		})
		assert.Equal(t, []FaultKind{c.fault.Kind}, traced, "the trace reports it")
	}
}

// attempt lists widgets with a timeout of an hour and describes the answer, or the error and the
// time that it took.
func attempt(t *testing.T, s *Server) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	begin := time.Now()
	req := must(http.NewRequestWithContext(ctx, "GET", URL+widgetsPath, nil))
	resp, err := s.Client().Do(req)
	took := time.Since(begin)
	if err != nil {
		return fmt.Sprint(err, " after ", took)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		return fmt.Sprint("200 after ", took)
	}
	var st Status
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&st))
	answer := fmt.Sprintf("%d %s: %s", resp.StatusCode, st.Reason, st.Message)
	if after := resp.Header.Get("Retry-After"); after != "" {
		assert.Equal(t, after, fmt.Sprint(st.Details.RetryAfterSeconds), "header and body agree")
		answer += ", retry after " + after
	}
	return answer
}

// net/http notices that a client disconnects only when the request's body has been read.
func TestARequestThatIsNotAnsweredEndsAtOnce(t *testing.T) {
	disconnect := func(_ *Server, conn net.Conn) { conn.Close() }
	shut := func(s *Server, _ net.Conn) { s.Close() }
	for _, c := range []struct {
		law  string
		kind FaultKind
		end  func(*Server, net.Conn)
	}{
		{"a reset waits for nothing", FaultReset, func(*Server, net.Conn) {}},
		{"a hang ends when its client disconnects", FaultHang, disconnect},
		{"a hang ends when the faults are healed", FaultHang, func(s *Server, _ net.Conn) { s.Heal() }},
		{"a hang ends when the server closes", FaultHang, shut},
		{"a delay ends when the server closes", FaultDelay, shut},
	} {
		for _, body := range []string{"0\r\n\r\n", "2\r\n\r\n{}", "100\r\n\r\n{"} {
			bubble(t, Options{}, func(t *testing.T, s *Server) {
				conn := dial(t, s)
				s.Inject(Fault{Kind: c.kind, Delay: time.Hour})
				begin := time.Now()
				must(io.WriteString(conn,
					"POST "+widgetsPath+" HTTP/1.1\r\nHost: x\r\nContent-Length: "+body))
				synctest.Wait()
				assert.Equal(t, c.kind != FaultReset, len(s.connections()) == 1, c.law)
				c.end(s, conn)
				synctest.Wait()
				assert.Empty(t, s.connections(), "%s: Content-Length %q", c.law, body)
				assert.Less(t, time.Since(begin), time.Second, "%s: Content-Length %q", c.law, body)
			})
		}
	}
}

// The time of a delay counts for the server and not for the client, whose body comes after it.
func TestAFaultMayTakeLongerThanABody(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		s.Inject(Fault{Kind: FaultDelay, Delay: 10 * time.Minute})
		body, late := io.Pipe()
		time.AfterFunc(10*time.Minute+time.Second, func() {
			_, _ = io.WriteString(late, fullWidget("web-1"))
			late.Close()
		})
		resp, err := s.Client().Post(URL+widgetsPath, "", body)
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, 201, resp.StatusCode)
	})
}

func TestADelayedWriteIsMadeWithoutItsClient(t *testing.T) {
	for _, name := range []string{"", "web-1"} { // with a name, the body is read before the delay
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			s.Inject(Fault{Kind: FaultDelay, Delay: time.Hour, Name: name})
			client := http.Client{Transport: s.Client().Transport, Timeout: time.Minute}
			_, err := client.Post(URL+widgetsPath, "", strings.NewReader(fullWidget("web-1")))
			require.Error(t, err)
			time.Sleep(time.Hour)
			synctest.Wait()
			_, err = s.Get("widgets", "default", "web-1")
			assert.NoError(t, err, "named %q", name)
		})
	}
}

func TestSilenceOutlastsTheTimeout(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		w := open(t, s, "resourceVersion=1&timeoutSeconds=10")
		s.Inject(Fault{Kind: FaultSilence})
		create(t, s, "a", "red")
		end := make(chan string, 1)
		go func() { end <- w.next() }()
		time.Sleep(time.Hour)
		s.Heal()
		time.Sleep(time.Hour)
		assert.Empty(t, end, "a silent stream stays silent")
		s.Close()
		<-end
	})
}

// The answers to commands that are refused are in testdata/answers.txt, section control.
func TestControlDoesWhatItIsAskedFor(t *testing.T) {
	bubble(t, Options{Control: true}, func(t *testing.T, s *Server) {
		command := func(name, body string, code int) {
			t.Helper()
			resp, answer := send(t, s, "POST", "/fakeapi/"+name, body)
			assert.Equal(t, code, resp.StatusCode, "%s %s: %s", name, body, answer)
		}
		create(t, s, "a", "red")
		w := open(t, s, "resourceVersion=2")
		command("compact", "", 204)
		assert.Equal(t, "ERROR 410 too old resource version: 1 (2)",
			open(t, s, "resourceVersion=1").next(), "history is gone before the answer is sent")
		create(t, s, "c", "red")
		assert.Equal(t, "ADDED c@3", w.next(), "open watches go on")
		command("drop-watches", "", 204)
		assert.Equal(t, []string{"EOF"}, w.rest(), "a clean end")

		w = open(t, s, "resourceVersion=3")
		settled()
		command("drop", "", 204)
		assert.NotEqual(t, "EOF", w.next(), "the connection breaks")
		assert.Equal(t, "200 after 0s", attempt(t, s), "clients can reconnect")
		w = open(t, s, "resourceVersion=3")
		settled()
		command("inject", `{"kind":"refuse","count":2}`, 204)
		assert.NotEqual(t, "EOF", w.next(), "a refusal breaks open connections, too")
		assert.Contains(t, attempt(t, s), "connection refused")
		assert.Contains(t, attempt(t, s), "connection refused")
		command("inject", `{"kind":"status","verb":"list","resource":"widgets","count":-1,`+
			`"after":1,"code":503,"message":"no","retryAfter":"2s"}`, 204)
		assert.Equal(t, "200 after 0s", attempt(t, s))
		assert.Equal(t, "503 ServiceUnavailable: no, retry after 2", attempt(t, s))
		command("heal", "", 204)
		command("inject", `{"kind":"delay","resource":"widgets.workshop.example.dev","delay":"90s"}`, 204)
		time.AfterFunc(time.Minute, s.Heal)
		assert.Equal(t, "200 after 1m0s", attempt(t, s), "a delay ends")
		command("inject", `{"kind":"reset","message":"`+strings.Repeat("x", 1<<13)+`"}`, 400)
	})
}

// On real sockets a reset may overtake what was sent before it. The client that asked for the drop
// must receive its answer nevertheless.
func TestARequestForADropIsAnswered(t *testing.T) {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	s := New(Options{Control: true})
	served := make(chan error)
	go func() { served <- s.Serve(l) }() // received from at the end
	dial := func(line string) net.Conn {
		c := must(net.Dial("tcp", l.Addr().String()))
		must(io.WriteString(c, plain(line+" HTTP/1.1", "Host: x")))
		return c
	}
	other := dial("GET " + widgetsPath + "?watch=1")
	defer other.Close()
	_, err := other.Read(make([]byte, 1)) // then the server has accepted the connection
	require.NoError(t, err)
	own := dial("POST /fakeapi/drop")
	defer own.Close()
	answer, err := io.ReadAll(own)
	assert.NoError(t, err, "its connection is closed after the answer")
	assert.Contains(t, string(answer), "HTTP/1.1 204 No Content\r\n")
	_, err = io.Copy(io.Discard, other)
	assert.ErrorIs(t, err, syscall.ECONNRESET, "other connections are reset")
	s.Close()
	assert.NoError(t, <-served)
}

// A reconnector is a client that opens a new connection as soon as it is answered.
type reconnector struct {
	http.ResponseWriter
	connect func()
}

func (c reconnector) Flush() { c.connect() }

func TestAClientThatReconnectsIsNotDroppedAgain(t *testing.T) {
	s := New(Options{Control: true})
	defer s.Close()
	before, _ := net.Pipe()
	after, _ := net.Pipe()
	s.connState(before, http.StateNew)
	s.dropFromHTTP(reconnector{httptest.NewRecorder(), func() { s.connState(after, http.StateNew) }},
		httptest.NewRequest("POST", "/fakeapi/drop", nil))
	assert.ErrorIs(t, before.SetDeadline(time.Time{}), io.ErrClosedPipe, "it is dropped")
	assert.NoError(t, after.SetDeadline(time.Time{}), "this one is opened after the answer")
	s.connState(before, http.StateClosed)
	s.connState(after, http.StateClosed)
}

func TestValuesThatMakeNoSenseAreRefused(t *testing.T) {
	for want, f := range map[string]Fault{
		"after (-1)":               {Kind: FaultCut, After: -1},
		"retryAfter (-1s)":         {Kind: FaultStatus, RetryAfter: -time.Second},
		"delay (-1s)":              {Kind: FaultDelay, Delay: -time.Second},
		"the code 200 is not":      {Kind: FaultStatus, Code: 200},
		"the code 600 is not":      {Kind: FaultError, Code: 600},
		"a delay needs a duration": {Kind: FaultDelay},
		"expected no verb (list)":  {Kind: FaultRefuse, Verb: "list"},
		"userAgent (a/)":           {Kind: FaultRefuse, UserAgent: "a/"},
		"name (web-1)":             {Kind: FaultRefuse, Name: "web-1"},
		"a list of the subresource \"status\" never happens": {
			Kind: FaultLost, Verb: "list", Subresource: "status"},
		"a watch of the subresource \"status\" never happens": {Kind: FaultCut, Subresource: "status"},
	} {
		assert.ErrorContains(t, f.Check([]string{"list"}), want)
	}
	assert.PanicsWithValue(t, `fakeapi: Inject: a delay needs a duration, such as "delay":"5s"`,
		func() { new(Server).Inject(Fault{Kind: FaultDelay}) })
	for _, f := range []Fault{{Kind: FaultRefuse}, {Kind: FaultCut, Subresource: "-", Name: "web-1"},
		{Kind: FaultLost, Verb: "update", Subresource: "scale", Namespace: "default", UserAgent: "a/"}} {
		assert.NoError(t, f.Check([]string{"update"}))
	}
}

func TestAFaultStrikesWhatItNames(t *testing.T) {
	const struck, all = 599, "GET /apis/workshop.example.dev/v1/widgets"
	const get, status = "GET " + widgetsPath + "/web-1", "GET " + widgetsPath + "/web-1/status"
	const list, post = "GET " + widgetsPath + "?fieldSelector=", "POST " + widgetsPath + " "
	second, generated := fullWidget("web-2"), made(`","generateName":"gen-`, "")
	for law, c := range map[string]struct {
		fault   Fault
		request string // method, path and body
		code    int
	}{
		"any request, if it names nothing": {Fault{}, get, struck},
		"all or nothing":                   {Fault{Verb: "get", Name: "web-2"}, get, 200},

		"the verb":             {Fault{Verb: "get"}, get, struck},
		"no other verb":        {Fault{Verb: "list"}, get, 200},
		"the plural":           {Fault{Resource: "widgets"}, all, struck},
		"the plural and group": {Fault{Resource: "widgets.workshop.example.dev"}, all, struck},
		"no other group":       {Fault{Resource: "widgets.example.com"}, all, 200},

		"each subresource, if it names none": {Fault{Resource: "widgets"}, status, struck},
		"the subresource":                    {Fault{Subresource: "status"}, status, struck},
		"no other subresource":               {Fault{Subresource: "scale"}, status, 200},
		"not the object of a subresource":    {Fault{Subresource: "status"}, get, 200},
		"only the object":                    {Fault{Subresource: "-"}, get, struck},
		"not what is below the object":       {Fault{Subresource: "-"}, status, 200},

		"the namespace":                {Fault{Namespace: "default"}, get, struck},
		"no other namespace":           {Fault{Namespace: "shop"}, get, 200},
		"not the sum of all":           {Fault{Namespace: "default"}, all, 200},
		"the name in the path":         {Fault{Name: "web-1"}, status, struck},
		"no other name":                {Fault{Name: "web-2"}, get, 200},
		"no list of objects":           {Fault{Name: "web-1"}, all, 200},
		"the only name that is listed": {Fault{Name: "web-1"}, list + "metadata.name=web-1", struck},
		"the only name that is watched": {Fault{Name: "web-1"},
			list + "metadata.namespace=default,metadata.name=web-1&watch=1", struck},
		"no name that is left out":     {Fault{Name: "web-1"}, list + "metadata.name!=web-1", 200},
		"no selector that is an error": {Fault{Name: "web-1"}, list + "metadata.name=web-1,a", 400},

		"a create of the name":         {Fault{Name: "web-2"}, post + second, struck},
		"a create of the generateName": {Fault{Name: "gen-"}, post + generated, struck},
		"no create of another name":    {Fault{Name: "web"}, post + second, 201},
		"no create that is malformed":  {Fault{Name: "web-2"}, post + "[" + second, 400},
		"no create without a body":     {Fault{Name: "web-2"}, post, 400},
		"no create whose name comes after 256 KiB": {Fault{Name: "web-2"},
			post + repeat(256<<10, " ") + second, 201},

		"the beginning of the User-Agent": {Fault{UserAgent: "guard/"}, get, struck},
		"nothing within it":               {Fault{UserAgent: "v1"}, get, 200},
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red")
			c.fault.Kind, c.fault.Code = FaultStatus, struck
			s.Inject(c.fault)
			request := append(strings.SplitN(c.request, " ", 3), "")
			resp, answer := send(t, s, request[0], request[1], request[2],
				"User-Agent", "guard/v1 (linux)")
			assert.Equal(t, c.code, resp.StatusCode, "%s: %s", law, answer)
		})
	}
}

func TestALostAnswerIsThatOfARequestThatWasServed(t *testing.T) {
	for law, c := range map[string]struct {
		request string // method, path below the widgets and body
		left    string // the objects after it
	}{
		"a create is stored":             {"POST  " + fullWidget("web-2"), "web-1@2 web-2@3"},
		"an object is deleted":           {"DELETE /web-1 ", ""},
		"a refusal is lost, too":         {"POST  " + fullWidget("web-1"), "web-1@2"},
		"a get is not answered":          {"GET /web-1 ", "web-1@2"},
		"a list is not answered":         {"GET  ", "web-1@2"},
		"a watch ends before its header": {"GET ?watch=1&resourceVersion=2 ", "web-1@2"},
	} {
		fields := strings.SplitN(c.request, " ", 3)
		verify := func(t *testing.T, s *Server, url string, client *http.Client) {
			create(t, s, "web-1", "red")
			if fields[0] != "GET" { // net/http repeats no write, even if the connection was used before
				must(io.ReadAll(must(client.Get(url + "/version")).Body)) // after its end it is used again
			}
			s.Inject(Fault{Kind: FaultLost})
			begin := time.Now()
			req := must(http.NewRequestWithContext(t.Context(), fields[0], url+widgetsPath+fields[1],
				strings.NewReader(fields[2])))
			req.Header.Set("Content-Type", "application/json")
			_, err := client.Do(req)
			assert.Error(t, err, law)
			assert.Less(t, time.Since(begin), time.Second, law)
			var left []string
			now := object.PageOf(widgets(t, s).Objects.Snapshot(), &object.Selection{}, "", 0)
			for _, d := range now.Docs {
				left = append(left, fmt.Sprintf("%s@%d", d.Name, d.Version()))
			}
			assert.Equal(t, c.left, strings.Join(left, " "), law)
			assert.Equal(t, 1, s.Requests("", "widgets"), law)
		}
		bubble(t, Options{}, func(t *testing.T, s *Server) { verify(t, s, URL, s.Client()) })
		overHTTP2(t, Options{}, func(t *testing.T, x *secure) { verify(t, x.Server, x.url, x.client) })
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			s.Inject(Fault{Kind: FaultLost})
			w, r := httptest.NewRecorder(), httptest.NewRequest(fields[0], widgetsPath+fields[1],
				strings.NewReader(fields[2]))
			assert.PanicsWithValue(t, http.ErrAbortHandler, func() { s.ServeHTTP(w, r) }, law)
			assert.Equal(t, [3]any{200, 0, false}, [3]any{w.Code, w.Body.Len(), w.Flushed},
				"%s: nothing is sent", law)
		})
	}
}

func TestRequestsAreCountedByVerbAndResource(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red") // no request
		s.Inject(Fault{Kind: FaultStatus, Verb: "list"})
		for _, request := range []string{"GET " + widgetsPath, "GET " + widgetsPath, "GET /api/v1/pods",
			"GET " + widgetsPath + "/web-1", "GET " + widgetsPath + "/web-1/status", "GET /version",
			"POST " + widgetsPath, "PUT " + widgetsPath, "GET /api/v1/gadgets"} {
			method, path, _ := strings.Cut(request, " ")
			send(t, s, method, path, "")
		}
		for law, c := range map[string]struct {
			verb, resource string
			want           int
		}{
			"one that a fault has answered":   {"list", "widgets", 2},
			"those of a qualified name":       {"list", "widgets.workshop.example.dev", 2},
			"those of another resource":       {"list", "pods", 1},
			"those of any resource":           {"list", "", 3},
			"those of a subresource":          {"get", "widgets", 2},
			"one that is refused":             {"create", "widgets", 1},
			"any, but none that has no sense": {"", "", 6},
			"none of an unknown verb":         {"put", "", 0},
		} {
			assert.Equal(t, c.want, s.Requests(c.verb, c.resource), law)
		}
		for n := range 10_000 {
			s.count(faultTarget{Verb: "get", Plural: "old", Qualified: fmt.Sprint("old.", n)})
		}
		assert.Less(t, len(s.counts), 1000, "resources that are not served any more are forgotten")
		assert.Equal(t, 2, s.Requests("list", "widgets"), "and no others")
	})
}

func TestAFaultStrikesAsOftenAsItSays(t *testing.T) {
	for law, c := range map[string]struct {
		faults []Fault
		want   string // the codes of six requests, 0 for one that is not struck
	}{
		"once":                   {[]Fault{{Code: 500}}, "500 0 0 0 0 0"},
		"after one, then always": {[]Fault{{Code: 500, After: 1, Count: -2}}, "0 500 500 500 500 500"},
		"the first that was armed takes effect first": {[]Fault{{Code: 429, Count: 2}, {Code: 410}},
			"429 429 410 0 0 0"},
		"a fault that still lets requests pass does not delay the next": {
			[]Fault{{Code: 429, After: 2}, {Code: 410}}, "410 0 429 0 0 0"},
		"a fault of another moment does not delay it": {
			[]Fault{{Kind: FaultCut, Code: 429}, {Code: 410}}, "410 0 0 0 0 0"},
	} {
		var s faultSet
		for _, f := range c.faults {
			if f.Kind == "" {
				f.Kind = FaultStatus
			}
			s.arm(f)
		}
		var codes []string
		for range 6 {
			code := 0
			if hit := s.trigger(faultTarget{Verb: "get"}, atRequest); hit != nil {
				code = hit.Code
			}
			codes = append(codes, fmt.Sprint(code))
		}
		assert.Equal(t, c.want, strings.Join(codes, " "), law)
	}
}

// A frameWords is a sink that keeps what the client gets, a word for each line.
type frameWords struct{ got, pending []string }

func (r *frameWords) Begin() error { return nil }

func (r *frameWords) Send(f stream.Frame) (bool, error) {
	line := string(slices.Concat(f.Line...))
	switch {
	case strings.Contains(line, "not JSON"):
		line = "garbage"
	case strings.Contains(line, "Alien"):
		line = "alien"
	case strings.Contains(line, `"code":410`):
		line = "410"
	}
	r.pending = append(r.pending, line)
	return true, nil
}

func (r *frameWords) Flush() error {
	r.got, r.pending = append(r.got, r.pending...), nil
	return nil
}

// A stream of three events, a bookmark, the bookmark that ends the initial events, and an event.
func TestFaultsOfAStream(t *testing.T) {
	const all = "aa bb cc mark end dd"
	for law, c := range map[string]struct {
		fault Fault
		want  string
		end   error
	}{
		"half a frame comes, and the connection breaks":        {Fault{Kind: FaultCut}, "a", stream.ErrBroken},
		"garbage comes on a line of its own and loses nothing": {Fault{Kind: FaultGarbage}, "garbage " + all, nil},
		"an ERROR takes the frame's place and ends the stream": {
			Fault{Kind: FaultError, Code: 410}, "410", stream.ErrEnded},
		"silence begins with a frame, and what came before it was sent": {
			Fault{Kind: FaultSilence, After: 1}, "aa pause", stream.ErrEnded},
		"a frame comes twice":          {Fault{Kind: FaultRepeat}, "aa " + all, nil},
		"a frame comes after the next": {Fault{Kind: FaultReorder}, "bb aa " + all[6:], nil},
		"two frames come later":        {Fault{Kind: FaultReorder, Count: 2}, "aa cc bb " + all[9:], nil},
		"an alien comes first":         {Fault{Kind: FaultAlien}, "alien " + all, nil},
		"a watch ends at its start":    {Fault{Kind: FaultClose}, "", stream.ErrEnded},
		"a bookmark is withheld":       {Fault{Kind: FaultNoBookmark}, "aa bb cc end dd", nil},
		"the initial end is withheld":  {Fault{Kind: FaultNoInitialEnd}, "aa bb cc mark dd", nil},
	} {
		var set faultSet
		set.arm(c.fault)
		to := &frameWords{}
		trigger := func(m faultMoment) *faultHit { return set.trigger(faultTarget{Verb: "watch"}, m) }
		sink := newFaultSink(to, trigger, func() { to.got = append(to.got, "pause") })
		err := sink.Begin()
		for _, text := range strings.Fields(all) {
			if err != nil {
				break
			}
			f := stream.Frame{Line: [][]byte{[]byte(text)}, EndsInitial: text == "end"}
			if text == "mark" || text == "end" {
				f.Type = string(stream.Bookmark)
			}
			_, err = sink.Send(f)
		}
		assert.True(t, errors.Is(err, c.end), "%s: %v", law, err)
		if err == nil {
			err = sink.Flush()
			require.NoError(t, err)
		}
		assert.Equal(t, c.want, strings.Join(to.got, " "), law)
	}
}
