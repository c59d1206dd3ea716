package tape

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

// source is shared, because it remembers what it has read.
var source = OpenSource()

// newFixture makes a machine with what is there when the page opens, at rest. It belongs into a
// bubble.
func newFixture(t *testing.T, kind string) *Machine {
	t.Helper()
	m, err := New(Options{Source: source, Queue: kind})
	require.NoError(t, err)
	t.Cleanup(m.Close)
	require.NoError(t, m.Open())
	synctest.Wait()
	require.True(t, m.informer.HasSynced())
	return m
}

// press does what a button does, and waits until the machine is at rest.
func press(t *testing.T, m *Machine, do, key string, args ...string) {
	t.Helper()
	o := Order{Do: do, Key: key, Args: map[string]string{}}
	for i := 0; i < len(args); i += 2 {
		o.Args[args[i]] = args[i+1]
	}
	require.NoError(t, m.Do(o), "%s %s", do, key)
	synctest.Wait()
}

// agree compares the picture with what the stages themselves say, at rest.
func agree(t *testing.T, m *Machine, after string) {
	t.Helper()
	s, _, _ := m.seen.list()
	inf := m.informer
	shows(t, stored(inf.GetIndexer().List()), s.Cache.Objects, s.Cache.Total, "cache, after "+after)
	assert.Equal(t, inf.HasSynced(), s.Cache.Synced, "HasSynced, after %s", after)
	for _, v := range s.Cache.Indices[0].Values {
		found, err := inf.GetIndexer().ByIndex("app", v.Value)
		require.NoError(t, err)
		assert.Subset(t, keys(stored(found)), v.Keys, "index app=%s, after %s", v.Value, after)
	}
	assert.Equal(t, m.queue.Len(), s.Queue.Total, "queue, after %s", after)
	select {
	case <-m.queue.Synced():
		assert.True(t, s.Queue.Synced, "queue synced, after %s", after)
	default:
		assert.False(t, s.Queue.Synced, "queue synced, after %s", after)
	}
	assert.Equal(t, inf.LastSyncResourceVersion(), s.Reflector.Version, "version, after %s", after)
	agreeOnHandlers(t, m, s, after)
	agreeOnServer(t, m, s.Server, after)
}

func agreeOnHandlers(t *testing.T, m *Machine, s State, after string) {
	t.Helper()
	if m.informer.IsStopped() {
		return // its listeners have ended
	}
	require.Len(t, s.Listeners, len(m.handlers), "listeners, after %s", after)
	for i, h := range m.handlers {
		r, l := h.registration, s.Listeners[i]
		want := ListenerState{
			Name: r.Name(), Pending: r.Pending(), High: max(l.High, r.HighWater()),
			Synced: r.HasSynced(), Ring: l.Ring,
		}
		assert.Equal(t, want, l, "listener, after %s", after)
		assert.Equal(t, r.Delivered(), s.Handlers[i].Told, "%s was told, after %s", r.Name(), after)
	}
}

func agreeOnServer(t *testing.T, m *Machine, s *ServerState, after string) {
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
		rows = append(rows, ObjectState{keyOf(obj), obj.GetResourceVersion()})
	}
	slices.SortFunc(rows, func(a, b ObjectState) int { return cmp.Compare(a.Key, b.Key) })
	return rows
}

// What a stage calls in this program, other than a trace: a handler, the valve's Pop or Read, and
// the way to the server.
var calledHere = regexp.MustCompile(`\b(Pop|PopBatch|Read|Close|Do|OnAdd|OnUpdate|OnDelete)\(`)

// A trace is called by its name, or by another name of the server's, the queue's or the
// processor's.
var traceCall = regexp.MustCompile(`\b([tT]race\.\w+|committed|onSynced|onPanic)\(`)

// knowTheirLines checks that each event knows the line that acted, in the source as it is now, and
// the line that reported it. One event of a kind is enough.
func (s *sights) knowTheirLines(t *testing.T, events []*Event) {
	for _, e := range events {
		if !s.kinds[e.made()] {
			s.kinds[e.made()] = true
			checkLine(t, e)
		}
	}
}

func checkLine(t *testing.T, e *Event) {
	t.Helper()
	what := e.made() + ": " + e.Text
	if e.Lane == laneYou {
		assert.Empty(t, e.File, "%s: no stage reports it", what)
		return
	}
	require.NotEmpty(t, e.File, what)
	excerpt, err := source.Excerpt(e.File, e.Line)
	require.NoError(t, err, what)
	require.NotEmpty(t, e.Func, what)
	assert.Equal(t, e.Func, excerpt.Func, what)
	assert.LessOrEqual(t, len(excerpt.Lines), maxExcerpt, what)
	acted := textAt(t, e.File, e.Line)
	known := acts[e.made()]
	if known == nil {
		assert.Regexp(t, calledHere, acted, "%s at %s:%d", what, e.File, e.Line)
		assert.Empty(t, e.Report, what)
	} else {
		in := path.Dir(e.File) + "/" + e.Func
		i := slices.IndexFunc(known, func(a act) bool {
			return a.in == in && strings.Contains(acted, a.text)
		})
		assert.GreaterOrEqual(t, i, 0, "%s: %s has %q", what, in, acted)
		file, line, _ := strings.Cut(e.Report, ":")
		n, err := strconv.Atoi(line)
		require.NoError(t, err, what)
		assert.Regexp(t, traceCall, textAt(t, file, n), "%s, reported at %s", what, e.Report)
	}
	stage := map[string]string{
		API: "fakeapi/", Wire: "reflector/", Reflector: "reflector/", Queue: "deltafifo/",
		Cache: "indexer/", Processor: "processor/",
	}[e.Lane]
	if e.Means == "cache synced" {
		stage = "informer/"
	}
	assert.Truef(t, strings.HasPrefix(e.File, stage), "%s is reported by %s", what, e.File)
}

// textAt is a line of the source.
func textAt(t *testing.T, file string, line int) string {
	t.Helper()
	excerpt, err := source.Excerpt(file, line)
	require.NoError(t, err)
	i := slices.IndexFunc(excerpt.Lines, func(l SourceLine) bool { return l.N == line })
	return excerpt.Lines[i].Text
}

// Also the acts of which no scenario makes an event are lines of the source, one each.
func TestEveryActIsALineOfItsFunction(t *testing.T) {
	for _, a := range slices.Concat(slices.Collect(maps.Values(acts))...) {
		files, err := fs.Glob(source.root, path.Dir(a.in)+"/*.go")
		require.NoError(t, err)
		found := 0
		for _, file := range files {
			f, err := source.file(file)
			require.NoError(t, err)
			for _, fn := range f.functions {
				if fn.name == path.Base(a.in) {
					found += strings.Count(strings.Join(f.lines[fn.first-1:fn.last], "\n"), a.text)
				}
			}
		}
		assert.Equal(t, 1, found, "%s has one line with %s", a.in, a.text)
	}
}
