package main

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newCluster is a server with two pods.
func newCluster(t *testing.T, o fakeapi.Options, start func(*httptest.Server)) (
	*fakeapi.Server, *httptest.Server,
) {
	t.Helper()
	api := fakeapi.New(o)
	server := httptest.NewUnstartedServer(api)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that are meant to fail
	start(server)
	t.Cleanup(server.Close)
	t.Cleanup(api.Close) // first: it ends the watches that server.Close would wait for
	for _, name := range []string{"web-1", "web-2"} {
		create(t, server, o.Token, name)
	}
	return api, server
}

// create makes a pod. It is called while the tour waits, so it must not end the test.
func create(t *testing.T, server *httptest.Server, token, name string) {
	body := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `"}}`
	req, err := http.NewRequest(http.MethodPost, server.URL+"/api/v1/namespaces/default/pods",
		strings.NewReader(body))
	if !assert.NoError(t, err) {
		return
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := server.Client().Do(req)
	if assert.NoError(t, err) {
		resp.Body.Close()
		assert.Equal(t, http.StatusCreated, resp.StatusCode)
	}
}

func fileWith(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

func TestLiveDrawsWhatHappensOnARealServer(t *testing.T) {
	_, server := newCluster(t, fakeapi.Options{}, (*httptest.Server).Start)
	stdout, stderr := &eye{upon: "watch opened"}, &bytes.Buffer{}
	stdout.do = func() { create(t, server, "", "db-1") }
	args := []string{"-fast", "-server", server.URL + "/", "-n", "3"}
	require.Equal(t, exitOK, run(t.Context(), args, stdout, stderr), stderr.String())
	assert.Empty(t, stderr.String())
	for _, words := range []string{ // which of them share a line depends on how busy we are
		"Watchglass: an informer for " + server.URL + "/api/v1/pods\n", "list: 2 objects @3\n",
		"list: 200", "list from 0", "2 items @3", "web-1: Replaced@2", "web-2: Replaced@3",
		"pop web-1", "pop web-2", "add web-1", "add web-2", "you OnAdd web-1\n", "you OnAdd web-2\n",
		"watch from 3", "watch: 200", "watch opened", "synced",
		"ADDED default/db-1 @4\n", "ADDED@4", "db-1: Added@4", "pop db-1", "you OnAdd db-1\n",
		"Done. The watch is closed: 1 list, 1 watch, 1 event from the server, 3 calls of the handler.",
	} {
		assert.Contains(t, stdout.String(), words)
	}
	assert.Equal(t, 2, strings.Count(stdout.String(), "add db-1 "), "by indexer and processor")
	nothingRuns(t, "reflector|deltafifo|processor|informer") // the server does
	assert.NotContains(t, stdout.String(), "\x1b")
}

func TestLiveOverTLSWithTokenAndCA(t *testing.T) {
	_, server := newCluster(t, fakeapi.Options{Token: "secret"}, (*httptest.Server).StartTLS)
	ca := fileWith(t, string(pem.EncodeToMemory(
		&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	token := fileWith(t, "secret\n")
	args := []string{"-server", server.URL, "-n", "2", "-token-file", token, "-ca-file", ca}

	var stdout, stderr bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), args, &stdout, &stderr), stderr.String())
	assert.Contains(t, stdout.String(), "you OnAdd web-2")

	refused := func(args []string, says ...string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		assert.Equal(t, exitFailed, run(t.Context(), args, &stdout, &stderr))
		oneSentence(t, stderr.String(), says...)
	}
	refused(args[:6], "signed by nobody we trust", "-ca-file")
	refused(append(args[:4:4], "-ca-file", ca), "wants to know who asks (401", "-token-file")
	refused(append(args[:4:4], "-ca-file", ca, "-token-file", fileWith(t, "wrong")),
		"does not accept the token", "401")
	refused(append(args[:4:4], "-ca-file", token), "no certificate in PEM form")
	refused(append(args[:4:4], "-ca-file", ca+"-not"), "-ca-file: ", "no such file")
	refused(append(args[:4:4], "-token-file", ca+"-not"), "-token-file: open", "no such file")
	refused(append(args[:4:4], "-token-file", fileWith(t, " \n")), "is empty")
	refused([]string{"-server", strings.Replace(server.URL, "https", "http", 1)}, "speaks TLS", "https")
	name := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	refused(append([]string{"-server", name}, args[4:]...), "its certificate is for another name")
}

func TestInterruptEndsLiveCleanly(t *testing.T) {
	for _, upon := range []string{"Watchglass", "watch opened"} {
		_, server := newCluster(t, fakeapi.Options{}, (*httptest.Server).Start)
		ctx, cancel := context.WithCancel(t.Context())
		stdout, stderr := &eye{upon: upon, do: cancel}, &bytes.Buffer{}
		assert.Equal(t, exitOK, run(ctx, []string{"-server", server.URL}, stdout, stderr), upon)
		assert.Contains(t, stdout.String(), "Interrupted. The watch is closed:", upon)
		assert.Empty(t, stderr.String(), upon)
	}
}

func TestLiveGoesOnWhenTheWatchEnds(t *testing.T) {
	api, server := newCluster(t, fakeapi.Options{}, (*httptest.Server).Start)
	ctx, cancel := context.WithCancel(t.Context())
	stdout, stderr := &eye{upon: "watch opened"}, &bytes.Buffer{}
	stdout.do = func() {
		create(t, server, "", "db-1")
		stdout.upon, stdout.do = "OnAdd db-1", func() {
			api.DropWatches()
			stdout.upon, stdout.do = "watch from 4", cancel
		}
	}
	assert.Equal(t, exitOK, run(ctx, []string{"-server", server.URL}, stdout, stderr), stderr.String())
	assert.Contains(t, stdout.String(), "end of watch after 1 event\n")
	assert.Contains(t, stdout.String(), " 1 list, ", "nothing is listed again")
}

func TestServersThatCannotBeWatched(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	_, cluster := newCluster(t, fakeapi.Options{}, (*httptest.Server).Start)
	answering := func(code int, contentType, body string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	forbidden := `{"kind":"Status","status":"Failure","reason":"Forbidden","code":403,` +
		`"message":"pods is forbidden: User \"you\" cannot list"}`
	cases := []struct{ name, server, resource, says string }{
		{"closed port", closed.URL, "", "nobody listens there"},
		{"no such host", "http://no-such-host.invalid", "", "cannot be resolved"},
		{"no TLS there", strings.Replace(cluster.URL, "http", "https", 1), "", "does not speak TLS"},
		{"wrong path", cluster.URL, "/api/v2/pods", "has no /api/v2/pods (404 Not Found)"},
		{"an object", cluster.URL, "/api/v1/namespaces/default/pods/web-1", "has no items"},
		{"403", answering(403, "application/json", forbidden), "",
			`(403 Forbidden): pods is forbidden: User "you" cannot list`},
		{"403 of a proxy", answering(403, "text/html", "<html>\n<h1>no</h1>\n</html>"), "",
			"does not let you list and watch"},
		{"500", answering(500, "text/plain", "out of order"), "", "out of order"},
		{"HTML", answering(200, "text/html", "<!DOCTYPE html>\n<p>Welcome</p>"), "",
			"does not answer as the collection"},
		{"no JSON", answering(200, "application/json", "hello"), "", "cannot read list"},
	}
	for _, c := range cases {
		args := []string{"-server", c.server}
		if c.resource != "" {
			args = append(args, "-resource", c.resource)
		}
		var stdout, stderr bytes.Buffer
		assert.Equal(t, exitFailed, run(t.Context(), args, &stdout, &stderr), c.name)
		oneSentence(t, stderr.String(), c.says)
		assert.NotContains(t, stdout.String(), "list from", "%s: nothing is drawn of it", c.name)
	}
}

func TestAWatchThatIsForbiddenEndsTheTourToo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Has("watch") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_, _ = io.WriteString(w, `{"kind":"PodList","metadata":{"resourceVersion":"5"},"items":[]}`)
	}))
	defer server.Close()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, exitFailed, run(t.Context(), []string{"-server", server.URL}, &stdout, &stderr))
	oneSentence(t, stderr.String(), "does not let you list and watch /api/v1/pods (403 Forbidden)")
}

func TestTheNamesOfTheLanesComeAgainOnEachScreen(t *testing.T) {
	var out bytes.Buffer
	teller := newTeller(&out, true)
	teller.sinceHeader = aScreen
	for range 2 * aScreen {
		teller.episode(t.Context(), []mark{{lane: queueing, text: "synced"}}, []string{"a", "b"})
	}
	names := strings.Count(out.String(), "api server")
	assert.Equal(t, 2*aScreen*4/aScreen, names, "an episode has four lines here")
}

func TestTransitionsAreDrawnOnlyIfAnErrorCausedThem(t *testing.T) {
	failed := errors.New("no")
	cases := []struct {
		law  string
		of   reflector.Transition
		err  error
		want []mark
	}{
		{"what went well shows in what follows",
			reflector.Transition{On: reflector.Listed, To: reflector.OpeningWatch}, nil, nil},
		{"what leads to a pause is an alarm",
			reflector.Transition{On: reflector.Expired, Do: reflector.BackOff}, failed,
			[]mark{{lane: reflecting, text: "expired → listing", alarm: true}}},
		{"what does not is none",
			reflector.Transition{On: reflector.Ended, To: reflector.OpeningWatch}, failed,
			[]mark{{lane: reflecting, text: "ended → opening watch"}}},
		{"the end is always told", reflector.Transition{On: reflector.Stop, To: reflector.Stopped},
			context.Canceled, []mark{{lane: reflecting, text: "stopped"}}},
	}
	for _, c := range cases {
		r := newRecorder()
		r.transition(c.of, c.err)
		marks, _ := r.take()
		assert.Equal(t, c.want, marks, c.law)
	}
}

func TestOnlyBeforeTheFirstListAFailureEndsTheTour(t *testing.T) {
	refused := make(chan error, 1)
	tell := giveUp(func(reflector.Transition, error) {}, refused)
	away := errors.New("connection refused")
	failedList := reflector.Transition{
		From: reflector.Listing, On: reflector.Failed, Do: reflector.BackOff, To: reflector.Listing,
	}
	tell(reflector.Transition{From: reflector.Listing, On: reflector.Listed}, nil)
	tell(failedList, away)
	assert.Empty(t, refused, "after a list, a server that is away is waited for")
	tell(failedList, &reflector.StatusError{Code: http.StatusForbidden})
	assert.Len(t, refused, 1, "one that refuses is not: asking again would not help")
	<-refused

	giveUp(func(reflector.Transition, error) {}, refused)(failedList, away)
	assert.Equal(t, away, <-refused, "before the first list, any failure is the end")
}
