package fakeapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFaultsOfARequest(t *testing.T) {
	for _, c := range []struct {
		law   string
		fault Fault
		want  string
	}{
		{"a status without a code is a 500", Fault{Kind: FaultStatus},
			"500 InternalError: injected fault: 500"},
		{"a status has the fault's code, message and Retry-After",
			Fault{Kind: FaultStatus, Code: 503, Message: "no", RetryAfter: 1500 * time.Millisecond},
			"503 ServiceUnavailable: no, retry after 2"},
		{"a reset is no answer", Fault{Kind: FaultReset}, "EOF"},
		{"a hanging request is not answered before the client gives up", Fault{Kind: FaultHang},
			"context deadline exceeded after 1h0m0s"},
		{"a delayed request is served after the delay", Fault{Kind: FaultDelay, Delay: time.Minute},
			"200 after 1m0s"},
		{"a delay longer than the client's timeout is not answered",
			Fault{Kind: FaultDelay, Delay: 2 * time.Hour}, "context deadline exceeded after 1h0m0s"},
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
