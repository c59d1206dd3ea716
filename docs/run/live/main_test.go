package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector/wire"
)

func TestFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"extra", `"extra" is not a flag`},
		{"-speed 2", "-h lists the flags"},
		{"-queue LIFO", "neither DeltaFIFO nor RealFIFO"},
		{"-addr 0.0.0.0:80", "no loopback address"},
		{"-addr :8098", "no loopback address"},
		{"-addr example.com:80", "no loopback address"},
		{"-export x.html", "-export is of no use without -story"},
		{"-context prod", "-context is of no use without -kubeconfig"},
		{"-resource /api/v1/pods", "-resource is of no use"},
		{"-server http://h -kubeconfig k", "give one of them"},
		{"-server http://h -story s", "only read"},
		{"-server h", "is no URL"},
		{"-server ftp://h", "is no URL"},
		{"-server http://me:secret@h", "more than scheme, host and path"},
		{"-server http://h?x=1", "more than scheme, host and path"},
		{"-server http://h -resource pods", "must begin with a slash"},
		{"-kubeconfig none", "kubeconfig:"},
	} {
		var stdout, stderr bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // none of them serves anything
		code := program.Func(run).Run(ctx, "live", strings.Fields(c.args), &stdout, &stderr)
		cancel()
		assert.NotZero(t, code, c.args)
		assert.Contains(t, stderr.String(), c.says, c.args)
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
		assert.Empty(t, stdout.String(), c.args)
	}
}

// A real server is only read: whatever is pressed, it gets lists and watches.
func TestARealServerIsOnlyRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var verbs []string
		api := fakeapi.New(fakeapi.Options{Trace: &fakeapi.Trace{
			Request: func(q fakeapi.Request) { verbs = append(verbs, q.Verb) },
		}})
		defer api.Close()
		_, err := api.Create("services", `{"metadata":{"name":"web-1"},"spec":{"ports":[{"port":80}]}}`)
		require.NoError(t, err)
		m, err := newMachine(newCollector(source, maxHeld), deltaFIFO, wire.ClientOptions{
			URL: fakeapi.URL + "/api/v1/services", HTTPClient: api.Client()})
		require.NoError(t, err)
		m.renew()
		defer m.close()
		require.NoError(t, m.furnish())
		synctest.Wait()
		for _, b := range buttons {
			_ = m.do(order{Do: b.Do, Key: "default/web-1", Args: map[string]string{"kind": realFIFO}})
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		for _, verb := range verbs {
			assert.Contains(t, []string{"list", "watch"}, verb)
		}
		for _, b := range m.meta().Buttons {
			assert.False(t, b.writes, "there is no button %s", b.Do)
		}
		assert.True(t, m.meta().ReadOnly)
		assert.ErrorContains(t, m.do(order{Do: "create"}), "this one is real, and only read")
		s, _, _ := m.seen.list()
		assert.Contains(t, s.Cache.Objects, ObjectState{"default/web-1", "2"})
		assert.Empty(t, s.Server.Objects, "a real server has no trace")
	})
}

// What the page is sent is what the types say: nothing is null where the page expects a list.
func TestListsAreNeverNull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newBareFixture(t, deltaFIFO)
		data, err := json.Marshal(newSite(t, m).list())
		require.NoError(t, err)
		assert.Equal(t, 2, bytes.Count(data, []byte("null")), "only last and hand: %s", data)
	})
}

// A streaming list is a watch: with -stream the server gets no list, and the picture is as true.
func TestAStreamingListIsStreamedFromTheFirstInformerOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := newFakeMachine(newCollector(source, maxHeld), deltaFIFO, true)
		require.NoError(t, err)
		t.Cleanup(m.close)
		require.NoError(t, m.furnish())
		synctest.Wait()
		agree(t, m, "a streaming list")
		for _, do := range []string{"disconnect", "heal", "stop", "start", "update"} {
			perform(t, m, []string{"wait", "2s"})
			perform(t, m, []string{do, "default/web-1"})
			perform(t, m, []string{"wait", "1m"})
			if do != "disconnect" {
				agree(t, m, do)
			}
		}
		events, _, _ := m.seen.after(0, maxHeld)
		streamed := 0
		for _, e := range events {
			assert.NotEqual(t, "list", e.Kind, "event %d: %s", e.Seq, e.Text)
			if strings.Contains(e.Text, ": streamed") {
				streamed++
			}
			assert.Contains(t, append(m.meta().States, "stopped"), e.State.Reflector.State)
		}
		assert.Equal(t, 2, streamed, "by each of the two informers")
	})
}

// startProgram runs the program with these flags until the test ends, and returns its URL.
func startProgram(t *testing.T, args ...string) (url string) {
	t.Helper()
	cmd := command(t, append([]string{"-addr", "127.0.0.1:0"}, args...))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		assert.NoError(t, cmd.Process.Signal(os.Interrupt))
		assert.NoError(t, cmd.Wait())
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line)
}

// watched asks for a page's events until a condition holds for one, and returns that one and the
// text of all.
func watched(t *testing.T, url string, condition func(Event) bool) (e Event, text string) {
	t.Helper()
	get := func(path string, answer any) {
		resp, err := http.Get(url + path)
		require.NoError(t, err)
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, answer))
		text += string(data)
	}
	var l Listing
	get("state", &l)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		var events []Event
		get(fmt.Sprintf("events?run=%s&after=%d", l.Run, e.Seq), &events)
		for _, e = range events {
			if condition(e) {
				return e, text
			}
		}
	}
	require.FailNow(t, "the page never came to this", text)
	return e, text
}

// A kubeconfig leads to the real list, with the token of its user. The page shows neither the token
// nor, without one, more than that it was refused. It ends when it is interrupted, streams included.
func TestAKubeconfigLeadsToTheServer(t *testing.T) {
	const bearer, widgets = "a-secret-token", "/apis/workshop.example.dev/v1/widgets"
	api := fakeapi.New(fakeapi.Options{Token: bearer})
	defer api.Close()
	for _, name := range []string{"web-1", "web-2"} {
		_, err := api.Create("widgets", fmt.Sprintf(`{"metadata":{"name":%q}}`, name))
		require.NoError(t, err)
	}
	server := httptest.NewServer(api)
	defer server.Close()
	defer server.CloseClientConnections() // a watch would never end
	file := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `{"current-context": "dev",
		"contexts": [{"name": "dev", "context": {"cluster": "here", "user": "me"}},
			{"name": "stranger", "context": {"cluster": "here", "user": "without-token"}}],
		"clusters": [{"name": "here", "cluster": {"server": %q}}],
		"users": [{"name": "me", "user": {"token": %q}}, {"name": "without-token", "user": {}}]}`,
		server.URL, bearer), 0o600))

	url := startProgram(t, "-kubeconfig", file, "-resource", widgets, "-stream")
	watched(t, url, func(e Event) bool { return e.State.Cache.Synced })
	require.NoError(t, api.Delete("widgets", "default", "web-1"))
	e, text := watched(t, url, func(e Event) bool { return made(e) == "cache delete" })
	assert.Equal(t, []ObjectState{{"default/web-2", "3"}}, e.State.Cache.Objects)
	assert.NotContains(t, text, bearer)
	assert.Contains(t, text, ": streamed", "-stream is for a real server, too")
	assert.Contains(t, text, fmt.Sprintf(`"readOnly":true,"server":%q`, server.URL+widgets),
		"the page says which server it is")

	url = startProgram(t, "-kubeconfig", file, "-context", "stranger", "-resource", widgets)
	e, text = watched(t, url, func(e Event) bool { return e.State.Reflector.Failures > 0 })
	assert.Zero(t, e.State.Cache.Total)
	assert.Contains(t, text, "401")
}

// The program begins with the lessons or, with -story, with that story, which asks nothing. It ends
// when it is interrupted.
func TestTheProgramServesItsScenes(t *testing.T) {
	get := func(url string, answer any) int {
		resp, err := http.Get(url)
		require.NoError(t, err)
		defer resp.Body.Close()
		require.NoError(t, json.NewDecoder(resp.Body).Decode(answer))
		return resp.StatusCode
	}
	var told []Lesson
	var tape Tape
	url := startProgram(t)
	get(url+"scenes", &told)
	assert.Equal(t, len(lessons), len(told))
	assert.Equal(t, http.StatusOK, get(url+"scene/ordered-queue", &tape))
	assert.Equal(t, realFIFO, tape.Meta.Queue)
	assert.Equal(t, "Nothing has happened yet.", tape.Events[0].Text)
	assert.Equal(t, http.StatusNotFound, get(url+"scene/none", &tape))

	url = startProgram(t, "-story", aStory)
	get(url+"scenes", &told)
	assert.Equal(t, []Lesson{{Name: "story", Title: "the story", Answers: []string{}}}, told)
	get(url+"scene/story", &tape)
	assert.Equal(t, filepath.Base(aStory), tape.Meta.Story)
}

// A roundTripper answers without a server.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// status answers every request in the same way.
func status(code int, body string) roundTripper {
	return func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: code, Status: http.StatusText(code), Request: r,
			Header: http.Header{"Content-Type": {"application/json"}},
			Body:   io.NopCloser(strings.NewReader(body))}, nil
	}
}

// Whatever a real server does, the page goes on, says that there is no stream, and never shows the
// token.
func TestARealServerMayFail(t *testing.T) {
	const secret = "a-secret-token"
	list := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}`
	lists := func(watch roundTripper) roundTripper {
		return func(r *http.Request) (*http.Response, error) {
			if r.URL.Query().Has("watch") {
				return watch(r)
			}
			return status(200, list)(r)
		}
	}
	refused := roundTripper(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("connection refused")
	})
	for what, c := range map[string]struct {
		server roundTripper
		says   string
	}{
		"refuses connections":      {refused, "list: connection refused"},
		"refuses each watch":       {lists(refused), "watch: connection refused"},
		"answers 401":              {status(401, ""), "list: Unauthorized"},
		"answers 403":              {status(403, `{"kind":"Status","code":403,"message":"no"}`), "list: Forbidden"},
		"answers 500":              {status(500, "<html>"), "list: Internal Server Error"},
		"answers a watch with 403": {lists(status(403, "no")), "watch: Forbidden"},
		"answers with no JSON":     {status(200, "<html>"), "list: OK"},
		"ends each watch":          {lists(status(200, "")), "stream ended"},
		"sends no event":           {lists(status(200, "{}\n")), "part of a frame"},
		"sends half an event":      {lists(status(200, `{"type":"ADDED"`)), "part of a frame"},
		"says that it is too late": {lists(status(200, `{"type":"ERROR","object":{"kind":"Status","code":410}}`)), "ERROR 410"},
	} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			server := func(r *http.Request) (*http.Response, error) {
				asked++
				return c.server(r)
			}
			m, err := newMachine(newCollector(source, maxHeld), deltaFIFO, wire.ClientOptions{
				URL:        "https://cluster.example/api/v1/pods",
				HTTPClient: &http.Client{Transport: roundTripper(server)},
				Header:     http.Header{"Authorization": {"Bearer " + secret}}})
			require.NoError(t, err)
			defer m.close()
			m.renew()
			require.NoError(t, m.furnish())
			time.Sleep(5 * time.Minute)
			synctest.Wait()
			s := newSite(t, m)
			l := s.list()
			assert.False(t, l.State.Wire.Open, what)
			assert.Zero(t, l.State.Wire.Held, what)
			assert.Less(t, asked, 60, "%s: it waits longer and longer", what)
			assert.Greater(t, asked, 5, "%s: it tries again", what)
			events, _, _ := m.seen.after(0, maxHeld)
			said := false
			for _, e := range events {
				said = said || e.Text == c.says
				assert.Equal(t, strings.HasPrefix(e.Text, "ERROR"), e.Fault && e.Kind == "frame", e.Text)
				assert.NotContains(t, string(encoded(e)), secret, what)
			}
			assert.True(t, said, "%s: no event says %q", what, c.says)
			page, err := json.Marshal(l)
			require.NoError(t, err)
			assert.NotContains(t, string(page), secret, what)
		})
	}
}

// A request that the reflector itself has given up is no failure of the server.
func TestAStopIsNoFailureOfTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := roundTripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		m, err := newMachine(newCollector(source, maxHeld), deltaFIFO, wire.ClientOptions{
			URL: "https://cluster.example/api/v1/pods", HTTPClient: &http.Client{Transport: server}})
		require.NoError(t, err)
		defer m.close()
		m.renew()
		require.NoError(t, m.furnish())
		synctest.Wait()
		press(t, m, "stop", "")
		assert.ErrorIs(t, m.do(order{Do: "resync"}), errNotRunning)
		s, seq, _ := m.seen.list()
		assert.Equal(t, "stopped", s.Reflector.State)
		events, _, _ := m.seen.after(0, int(seq))
		for _, e := range events {
			assert.NotEqual(t, words.Wire, e.Lane, "%d: %s", e.Seq, e.Text)
		}
	})
}
