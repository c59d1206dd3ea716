package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/tape"
	"example.com/watchglass/fakeapi"
)

// The page is a reflector: it lists, it watches from there, and after a break it resumes.
func TestAListAndItsWatchMissNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newFixture(t)
		s := newSite(t, m)
		l := s.list()
		start := time.Now()
		sent, code := s.watch(l.Run, l.Seq)
		assert.Empty(t, sent, "nothing has happened since the list")
		assert.Equal(t, http.StatusOK, code)
		assert.Equal(t, lull, time.Since(start), "and so it answers in the end")

		time.AfterFunc(lull/2, func() { _ = m.Do(tape.Order{Do: "update", Key: "default/web-1"}) })
		start = time.Now()
		sent, _ = s.watch(l.Run, l.Seq)
		assert.NotEmpty(t, sent)
		assert.Equal(t, lull/2, time.Since(start), "what happens ends the wait")
		synctest.Wait()
		sent, _ = s.watch(l.Run, l.Seq)
		now := s.list()
		for i, e := range sent {
			assert.Equal(t, l.Seq+int64(i)+1, e.Seq, "the numbers have no gap")
		}
		last := sent[len(sent)-1]
		assert.Equal(t, now.Seq, last.Seq)
		// The reflector and the process loop may have gone on since, without an event of their own.
		reflector := *last.State.Reflector
		reflector.Version = now.State.Reflector.Version
		last.State.Reflector, last.State.Queue = &reflector, now.State.Queue
		assert.Equal(t, now.State, last.State, "the state of the last event is the one that is listed")
		again, _ := s.watch(l.Run, sent[2].Seq)
		assert.Equal(t, sent[3:], again, "it goes on after the last event that the page has got")
	})
}

// What the reader has not seen begin would have to be explained: the machine begins with the first
// page, and is at rest when that is answered.
func TestTheMachineBeginsWithTheFirstPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := tape.New(tape.Options{Source: source})
		require.NoError(t, err)
		t.Cleanup(m.Close)
		s := newSite(t, m)
		s.page.begin = sync.OnceValue(m.Open)
		time.Sleep(time.Hour)
		assert.EqualValues(t, 1, m.Listing().State.Server.RV)
		first := s.list()
		assert.True(t, first.State.Cache.Synced && first.State.Handlers[1].Told == 3)
		events, _, _ := m.After(0, tape.MaxHeld)
		assert.Zero(t, events[0].At, "the clock begins as well")
		assert.Equal(t, first.State, s.list().State, "once")
	})
}

func TestAPageThatFellBehindIsToldThatItsEventsAreGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := tape.New(tape.Options{Source: source, Held: 40})
		require.NoError(t, err)
		t.Cleanup(m.Close)
		require.NoError(t, m.Open())
		s := newSite(t, m)
		old := s.list()
		for range 20 {
			require.NoError(t, m.Do(tape.Order{Do: "update", Key: "default/web-1"}))
			synctest.Wait()
			now := s.list()
			assert.Less(t, now.Seq-now.Floor, int64(50), "the log is bounded")
		}
		now := s.list()
		assert.Greater(t, now.Floor, old.Seq+1, "old events were compacted")
		events, _ := s.watch(now.Run, now.Floor-1)
		assert.Len(t, events, int(now.Seq-now.Floor+1), "the oldest that is held is not gone")
		for law, from := range map[string]tape.Listing{
			"the one before it is":                  {Run: now.Run, Seq: now.Floor - 2},
			"no event of the run before is of this": {Run: "before", Seq: now.Seq},
			"no event has that number yet":          {Run: now.Run, Seq: 100_000},
		} {
			_, code := s.watch(from.Run, from.Seq)
			assert.Equal(t, http.StatusGone, code, law)
		}
	})
}

// A name that is shown cannot become a script, and no page elsewhere can put a frame around this
// one. (package program refuses what other pages ask for.)
func TestThePageRunsItsOwnScriptOnly(t *testing.T) {
	s := &site{t: t, page: &page{}}
	assert.Equal(t, policy, s.asked("GET", "/", "").Header().Get("Content-Security-Policy"))
	assert.NotContains(t, policy, "unsafe")
	assert.Contains(t, policy, "default-src 'none'; script-src 'self';")
	assert.Contains(t, policy, "frame-ancestors 'none'")
}

// A page that reads a real server runs no code of its readers.
func TestThePageOfARealServerHasNoWorkbench(t *testing.T) {
	s := &site{t: t, page: &page{}}
	for _, path := range []string{"/bench/index.json", "/bench/frame.html", "/assets/bench.js"} {
		assert.Equal(t, http.StatusNotFound, s.asked("GET", path, "").Code, path)
	}
	assert.NotContains(t, s.asked("GET", "/", "").Body.String(), "data-bench")
	assert.NotContains(t, policy, "frame-src")
}

func TestAWrongOrderIsAnsweredWithASentence(t *testing.T) {
	for _, c := range []struct{ body, says string }{
		{`{"do":"fly"}`, "there is no button"},
		{`{"do":"update"}`, "needs the key of an object"},
		{`{"do":"update","key":"default/web-9"}`, `the API server answers: widgets.workshop`},
		{`{"do":"delete","key":"default/web-9"}`, `"web-9" not found`},
		{`{"do":"create","key":"default/web-1"}`, `already exists`},
		{`{"do":"create","key":"default/No Name"}`, `Invalid value`},
		{`{"do":"valve","args":{"name":"V7","mode":"held"}}`, "there is no valve"},
		{`{"do":"valve","args":{"name":"V1","mode":"ajar"}}`, "the mode of a valve"},
		{`{"do":"admit","args":{"name":"V1"}}`, "V1 is open"},
		{`{"do":"queue","args":{"kind":"LIFO"}}`, "the kind of a queue"},
		{`{"do":"start"}`, "runs already"},
		{`{"do":"add-handler","args":{"name":"alpha"}}`, "there is a handler alpha already"},
		{`{"do":"remove-handler","args":{"name":"none"}}`, "there is no handler"},
		{`{"do":"panic"}`, "there is no handler"},
		{`{"do":"update","key":7}`, "cannot unmarshal number"},
		{`{"do":"update","key":"` + strings.Repeat("k", 16<<10) + `"}`, "request body too large"},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newFixture(t)
			s := &site{t: t, page: &page{machine: m}}
			w := s.asked("POST", "/do", c.body)
			var answer map[string]string
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer), "%.50s: %s", c.body, w.Body)
			assert.Equal(t, http.StatusBadRequest, w.Code, "%.50s", c.body)
			assert.Contains(t, answer["error"], c.says, "%.50s", c.body)
			assert.NotContains(t, answer["error"], "fakeapi", "%.50s", c.body)
			assert.Less(t, len(answer["error"]), 1000, "%.50s", c.body)
		})
	}
}

// What lies outside the module, or is no Go file of it, is not shown.
func TestOnlyGoFilesOfTheModuleAreShown(t *testing.T) {
	s := &site{t: t, page: &page{module: source}}
	for path, code := range map[string]int{
		"deltafifo/enqueue.go&line=30": 200, "deltafifo/enqueue.go&line=100000": 404,
		"deltafifo/enqueue.go&line=0": 404, "deltafifo/enqueue.go&line=x": 400,
		"deltafifo/none.go&line=1": 404,
		"go.mod&line=1":            404, "../outside.go&line=1": 404, "deltafifo/../key.go&line=1": 404,
	} {
		assert.Equal(t, code, s.asked("GET", "/source?file="+path, "").Code, path)
	}
}

// source is shared, because it remembers what it has read.
var source = tape.OpenSource()

// newFixture makes a machine with what is there when the page opens, at rest. It belongs into a
// bubble.
func newFixture(t *testing.T) *tape.Machine {
	t.Helper()
	m, err := tape.New(tape.Options{Source: source})
	require.NoError(t, err)
	t.Cleanup(m.Close)
	require.NoError(t, m.Open())
	synctest.Wait()
	require.True(t, m.Listing().State.Cache.Synced)
	return m
}

// site is the page's handler, in the bubble of the machine.
type site struct {
	t    *testing.T
	page *page
}

func newSite(t *testing.T, m *tape.Machine) *site {
	return &site{t, &page{run: "first", machine: m, module: source}}
}

// list is what a page does first.
func (s *site) list() (l tape.Listing) {
	s.t.Helper()
	require.NoError(s.t, json.NewDecoder(s.asked("GET", "/state", "").Body).Decode(&l))
	return l
}

// watch is what a page does then, again and again. Without events it returns the status.
func (s *site) watch(run string, after int64) (events []tape.Event, code int) {
	s.t.Helper()
	w := s.asked("GET", fmt.Sprintf("/events?run=%s&after=%d", run, after), "")
	if w.Code == http.StatusOK {
		require.NoError(s.t, json.NewDecoder(w.Body).Decode(&events))
	}
	return events, w.Code
}

// asked is a request as it reaches the server.
func (s *site) asked(method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.page.handler().ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w
}

func TestFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"extra", `"extra" is not a flag`},
		{"-server http://h -queue LIFO", "neither DeltaFIFO nor RealFIFO"},
		{"-server http://h -addr 0.0.0.0:80", "no loopback address"},
		{"-server http://h -kubeconfig k", "give one of them"},
		{"", "-server or -kubeconfig"},
		{"-server ftp://h", "ftp"},
		{"-server http://h -resource pods", "must begin with a slash"},
		{"-kubeconfig none", "kubeconfig:"},
	} {
		var stdout, stderr bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // none of them serves anything
		code := program.Func(run).Run(ctx, "live", strings.Fields(c.args), &stdout, &stderr)
		cancel()
		assert.NotZero(t, code, c.args)
		assert.Contains(t, stderr.String(), c.says, c.args)
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
		assert.Empty(t, stdout.String(), c.args)
	}
}

// A kubeconfig leads to the real list, with the token of its user, which the page does not show.
// The program ends when it is interrupted, streams included.
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
		"contexts": [{"name": "dev", "context": {"cluster": "here", "user": "me"}}],
		"clusters": [{"name": "here", "cluster": {"server": %q}}],
		"users": [{"name": "me", "user": {"token": %q}}]}`,
		server.URL, bearer), 0o600))

	ctx, interrupt := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, []string{"-addr", "127.0.0.1:0", "-kubeconfig", file, "-resource", widgets}, in)
		in.CloseWithError(err)
		ended <- err
	}()
	url, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	get := func(what string) string {
		resp, err := http.Get(strings.TrimSpace(url) + what)
		require.NoError(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return string(text)
	}
	until := func(shows string) (l tape.Listing, text string) {
		for deadline := time.Now().Add(2 * time.Minute); !strings.Contains(text, shows); {
			require.True(t, time.Now().Before(deadline), "the page never came to this: %s", text)
			text = get("state")
		}
		require.NoError(t, json.Unmarshal([]byte(text), &l))
		return l, text
	}
	until(`"objects":[{"key":"default/web-1","rv":"2"},{"key":"default/web-2","rv":"3"}]`)
	require.NoError(t, api.Delete("widgets", "default", "web-1"))
	l, text := until(`"objects":[{"key":"default/web-2","rv":"3"}]`)
	assert.Contains(t, text, fmt.Sprintf(`"readOnly":true,"server":%q`, server.URL+widgets), "the page says which server it is")
	assert.NotContains(t, text+get(fmt.Sprintf("events?run=%s&after=%d", l.Run, l.Floor-1)), bearer)
	interrupt()
	assert.NoError(t, <-ended)
}
