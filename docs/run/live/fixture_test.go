package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/fakeapi"
)

// source is shared, because it remembers what it has read.
var source = newLines()

// newBareFixture makes a machine on which nothing has happened yet.
func newBareFixture(t *testing.T, kind string) *machine {
	t.Helper()
	m, err := newFakeMachine(newCollector(source, maxHeld), kind, false)
	require.NoError(t, err)
	t.Cleanup(m.close)
	return m
}

// newFixture makes a machine with what is there when the page opens, at rest. It belongs into a bubble.
func newFixture(t *testing.T, kind string) *machine {
	t.Helper()
	m := newBareFixture(t, kind)
	require.NoError(t, m.furnish())
	synctest.Wait()
	require.True(t, m.informer.HasSynced())
	return m
}

// press does what a button does, and waits until the machine is at rest.
func press(t *testing.T, m *machine, do, key string, args ...string) {
	t.Helper()
	o := order{Do: do, Key: key, Args: map[string]string{}}
	for i := 0; i < len(args); i += 2 {
		o.Args[args[i]] = args[i+1]
	}
	require.NoError(t, m.do(o), "%s %s", do, key)
	synctest.Wait()
}

// agree compares the picture with what the stages themselves say, at rest.
func agree(t *testing.T, m *machine, after string) {
	t.Helper()
	s, _, _ := m.seen.list()
	inf := m.informer
	shows(t, stored(inf.GetIndexer().List()), s.Cache.Objects, s.Cache.Total, "cache, after "+after)
	assert.Equal(t, inf.HasSynced(), s.Cache.Synced, "HasSynced, after %s", after)
	for _, ix := range s.Cache.Indices {
		var values []string
		for _, v := range ix.Values {
			values = append(values, v.Value)
			found, err := inf.GetIndexer().ByIndex(ix.Name, v.Value)
			require.NoError(t, err)
			var keys []string
			for _, obj := range found {
				keys = append(keys, words.Key(obj))
			}
			assert.Subset(t, keys, v.Keys, "index %s=%s, after %s", ix.Name, v.Value, after)
		}
		all := inf.GetIndexer().ListIndexFuncValues(ix.Name)
		assert.Subset(t, all, values, "index %s, after %s", ix.Name, after)
		if s.Cache.Total == len(s.Cache.Objects) {
			assert.Equal(t, all, values, "index %s, after %s", ix.Name, after)
		}
	}
	assert.Equal(t, m.queue.Len(), s.Queue.Total, "queue, after %s", after)
	assert.Equal(t, isClosed(m.queue.Synced()), s.Queue.Synced, "queue synced, after %s", after)
	assert.Equal(t, inf.LastSyncResourceVersion(), s.Reflector.Version, "version, after %s", after)
	agreeOnHandlers(t, m, s, after)
	agreeOnServer(t, m, s.Server, after)
}

func agreeOnHandlers(t *testing.T, m *machine, s State, after string) {
	t.Helper()
	if m.informer.IsStopped() {
		return // its listeners have ended
	}
	require.Len(t, s.Listeners, len(m.handlers), "listeners, after %s", after)
	for i, h := range m.handlers {
		r, l := h.registration, s.Listeners[i]
		assert.Equal(t, ListenerState{Name: r.Name(), Pending: r.Pending(), High: r.HighWater(),
			Synced: r.HasSynced(), Ring: l.Ring}, l, "listener, after %s", after)
		assert.Equal(t, r.Delivered(), s.Handlers[i].Told, "%s was told, after %s", r.Name(), after)
	}
}

func agreeOnServer(t *testing.T, m *machine, s *ServerState, after string) {
	t.Helper()
	docs, _, err := m.api.List(resource, "")
	require.NoError(t, err)
	var objects []watchglass.Object
	for _, doc := range docs {
		u := &watchglass.Unstructured{}
		require.NoError(t, json.Unmarshal(doc, u))
		objects = append(objects, u)
	}
	shows(t, stored(objects), s.Objects, s.Total, "server, after "+after)
	assert.Equal(t, m.api.ResourceVersion(), fmt.Sprint(s.RV), "server, after %s", after)
	assert.Equal(t, m.api.Watchers(resource), s.Watchers, "watchers, after %s", after)
}

// shows compares all that is there with the rows for it, of which there is a limited number.
func shows(t *testing.T, all, rows []ObjectState, total int, what string) {
	t.Helper()
	assert.Equal(t, len(all), total, what)
	if len(all) <= maxRows {
		assert.Equal(t, all, rows, what)
		return
	}
	assert.NotEmpty(t, rows, what)
	for _, row := range rows {
		if !slices.Contains(all, row) {
			assert.Fail(t, what, "%v is shown and not there", row)
		}
	}
}

// stored draws all objects as rows.
func stored(objects []watchglass.Object) []ObjectState {
	rows := []ObjectState{}
	for _, obj := range objects {
		rows = append(rows, ObjectState{words.Key(obj), obj.GetResourceVersion()})
	}
	slices.SortFunc(rows, func(a, b ObjectState) int { return cmp.Compare(a.Key, b.Key) })
	return rows
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

// site is the page's server on pipes, so that it shares the bubble of the machine.
type site struct {
	t      *testing.T
	page   *page
	client *http.Client
}

const home = "http://localhost"

func newSite(t *testing.T, m *machine) *site {
	p := &page{run: "first", seen: m.seen, machine: m}
	l := fakeapi.NewPipeListener()
	server := &http.Server{Handler: p.handler()}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	transport := &http.Transport{DialContext: l.DialContext}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		<-served
	})
	return &site{t, p, &http.Client{Transport: transport}}
}

// get returns the answer to a request, which is closed at the end of the test at the latest.
func (s *site) get(path string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, home+path, nil)
	require.NoError(s.t, err)
	resp, err := s.client.Do(req)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// list is what a page does first.
func (s *site) list() (l Listing) {
	s.t.Helper()
	resp := s.get("/state")
	defer resp.Body.Close()
	require.NoError(s.t, json.NewDecoder(resp.Body).Decode(&l))
	return l
}

// watch is what a page does then, again and again. Without events it returns the status.
func (s *site) watch(run string, after int64) (events []Event, code int) {
	s.t.Helper()
	resp := s.get(fmt.Sprintf("/events?run=%s&after=%d", run, after))
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		require.NoError(s.t, json.NewDecoder(resp.Body).Decode(&events))
	}
	return events, resp.StatusCode
}

// asked is a request as it reaches the server.
func (s *site) asked(method, path, host, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, home+path, strings.NewReader(body))
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.page.handler().ServeHTTP(w, r)
	return w
}

const aStory = "../../../informer/testdata/07_compaction_relists_and_finds_the_deletion.story"

// TestMain lets a test run this program in a process of its own, as a recording must be made. It
// ends the browsers that the tests have shared.
func TestMain(m *testing.M) {
	if args := os.Getenv("LIVE_ARGS"); args != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		code := program.Func(run).Run(ctx, "live", strings.Split(args, "\n"), os.Stdout, os.Stderr)
		stop()
		os.Exit(code)
	}
	for range cap(browsers) {
		browsers <- nil
	}
	_ = flag.Set("test.parallel", fmt.Sprint(cap(browsers)))
	code := m.Run()
	for range cap(browsers) {
		if b := <-browsers; b != nil {
			b.end()
		}
	}
	os.Exit(code)
}

// command is this program with these flags.
func command(t *testing.T, args []string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "LIVE_ARGS="+strings.Join(args, "\n"))
	return cmd
}

// runProgram runs this program and returns what it prints, and its exit code.
func runProgram(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := command(t, args)
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	_ = cmd.Run() // the code says it
	return out.String(), errors.String(), cmd.ProcessState.ExitCode()
}
