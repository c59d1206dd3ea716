package tape

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/words"
)

// source is shared, because it remembers what it has read.
var source = OpenSource()

// newFixture makes a machine with what is there when the page opens, at rest. It belongs into a bubble.
func newFixture(t *testing.T, kind string) *Machine {
	t.Helper()
	m, err := New(Options{Source: source, Queue: kind})
	require.NoError(t, err)
	t.Cleanup(m.Close)
	require.NoError(t, m.furnish())
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
	assert.Equal(t, isClosed(m.queue.Synced()), s.Queue.Synced, "queue synced, after %s", after)
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
		assert.Equal(t, ListenerState{Name: r.Name(), Pending: r.Pending(), High: max(l.High, r.HighWater()),
			Synced: r.HasSynced(), Ring: l.Ring}, l, "listener, after %s", after)
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
