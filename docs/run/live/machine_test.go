package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/words"
)

// source is shared, because it remembers what it has read.
var source = newLines()

// newBareRig makes a machine on which nothing has happened yet.
func newBareRig(t *testing.T, kind string) *machine {
	t.Helper()
	m, err := newFakeMachine(newCollector(source, maxHeld), kind, false)
	require.NoError(t, err)
	t.Cleanup(m.close)
	return m
}

// newRig makes a machine with what is there when the page opens, at rest. It belongs into a bubble.
func newRig(t *testing.T, kind string) *machine {
	t.Helper()
	m := newBareRig(t, kind)
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

// A scenario is what is pressed, one after the other: a button, a key, and arguments. The steps wait
// and elsewhere let time pass, and write to another collection of the server.
var scenarios = map[string][][]string{
	"first list and sync": {},
	"create, update, delete": {
		{"create", "default/web-3"}, {"update", "default/web-3"}, {"delete", "default/web-3"},
		{"create", ""}, {"delete", "default/db-1"},
	},
	"the consumer is held": {
		{"valve", "", "name", "V2", "mode", "held"}, {"update", "default/web-1"},
		{"update", "default/web-1"}, {"delete", "default/web-2"}, {"update", "default/web-1"},
		{"valve", "", "name", "V2", "mode", "open"},
	},
	"one at a time": {
		{"valve", "", "name", "V2", "mode", "one"}, {"update", "default/web-1"},
		{"update", "default/web-2"}, {"update", "default/db-1"}, {"admit", "", "name", "V2"},
		{"update", "default/web-1"}, {"admit", "", "name", "V2"},
		{"valve", "", "name", "V2", "mode", "slow"},
		{"create", ""}, {"wait", "2s"},
	},
	"the watch is dropped": {{"drop", ""}, {"wait", "5s"}, {"update", "default/web-1"}},
	"history is gone": {
		{"wait", "2s"}, {"disconnect", ""}, {"delete", "default/web-2"},
		{"update", "default/web-1"}, {"compact", ""}, {"heal", ""}, {"wait", "1m"},
	},
	"a frame is cut":   {{"cut", ""}, {"update", "default/web-1"}, {"wait", "1m"}},
	"the server hangs": {{"hang", ""}, {"update", "default/web-1"}, {"wait", "3m"}},
	"500s": {
		{"wait", "2s"}, {"update", "default/web-1"}, {"errors", ""}, {"wait", "1m"}, {"heal", ""},
		{"wait", "1m"}, {"errors", ""}, {"wait", "5s"}, {"stop", ""},
	},
	"errors on errors": {
		{"errors", ""}, {"disconnect", ""}, {"wait", "10s"}, {"errors", ""}, {"wait", "10s"},
		{"heal", ""}, {"wait", "1m"}, {"create", ""},
	},
	"a slow handler": {
		{"valve", "", "name", "V4", "mode", "held"}, {"update", "default/web-1"}, {"fill", ""},
		{"update", "default/web-1"}, {"update", "default/web-2"},
		{"valve", "", "name", "V4", "mode", "open"},
	},
	"a late handler": {
		{"fill", ""}, {"fill", ""}, {"add-handler", ""}, {"create", ""},
		{"remove-handler", "", "name", "alpha"}, {"update", "default/web-1"}, {"add-handler", ""},
		{"remove-handler", ""},
	},
	"resync":     {{"resync", ""}, {"create", ""}, {"resync", ""}, {"add-handler", ""}},
	"a bookmark": {{"elsewhere"}, {"wait", "90s"}},
	"an index":   {{"index", ""}, {"create", ""}, {"delete", "default/db-1"}},
	"a panic": {
		{"panic", "", "name", "beta"}, {"update", "default/web-1"}, {"update", "default/web-2"},
		{"wait", "2s"},
	},
	"stop and start": {
		{"stop", ""}, {"create", ""}, {"start", ""}, {"index", ""}, {"stop", ""}, {"start", ""},
		{"update", "default/web-1"},
	},
	"the queue is switched": {
		{"queue", "", "kind", realFIFO}, {"update", "default/web-1"}, {"delete", "default/web-2"},
		{"drop", ""}, {"wait", "5s"}, {"queue", "", "kind", deltaFIFO}, {"create", ""},
	},
	"the watch is held": {
		{"valve", "", "name", "V1", "mode", "held"}, {"update", "default/web-1"},
		{"update", "default/web-2"}, {"valve", "", "name", "V1", "mode", "one"},
		{"admit", "", "name", "V1"}, {"update", "default/web-1"},
		{"valve", "", "name", "V1", "mode", "open"}, {"create", ""},
	},
}

func TestThePictureIsWhatTheStagesSay(t *testing.T) {
	for name, steps := range scenarios {
		for _, kind := range []string{deltaFIFO, realFIFO} {
			t.Run(name+" with a "+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := newRig(t, kind)
					agree(t, m, "the start")
					for _, step := range steps {
						perform(t, m, step)
						agree(t, m, fmt.Sprint(step))
					}
				})
			})
		}
	}
}

// perform is one step of a scenario.
func perform(t *testing.T, m *machine, step []string) {
	t.Helper()
	switch step[0] {
	case "wait":
		d, err := time.ParseDuration(step[1])
		require.NoError(t, err)
		time.Sleep(d)
		synctest.Wait()
	case "elsewhere": // only a bookmark will tell of it
		_, err := m.api.Create("namespaces", map[string]any{"metadata": map[string]any{"name": "elsewhere"}})
		require.NoError(t, err)
	default:
		press(t, m, step[0], step[1], step[2:]...)
	}
}

func TestThereIsRoomForThreeHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		press(t, m, "valve", "", "name", "V4", "mode", held)
		press(t, m, "update", "default/web-1")
		v := m.valve("V4") // its call does not end when it is removed
		require.NoError(t, m.informer.RemoveEventHandler(m.handlers[1].registration))
		m.handlers = m.handlers[:1]
		err := m.do(order{Do: "add-handler", Args: map[string]string{"name": "beta"}})
		assert.ErrorContains(t, err, "there is a handler beta already", "in the picture")
		press(t, m, "add-handler", "")
		_, err = m.handler("gamma")
		assert.NoError(t, err, "a handler without a name gets one that is free")
		err = m.do(order{Do: "add-handler"})
		assert.ErrorContains(t, err, "there are three handlers already")
		v.remove()
		for range 2 {
			press(t, m, "remove-handler", "")
		}
		assert.EqualError(t, m.do(order{Do: "panic"}), "there is no handler: add one first")
	})
}

// The end of a stream is routine, and silence on one that is open is not: the picture says which.
func TestAnOpenWireThatIsSilentSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		time.Sleep(2 * time.Second)
		press(t, m, "drop", "")
		press(t, m, "hang", "")
		press(t, m, "update", "default/web-1")
		s, _, _ := m.seen.list()
		assert.True(t, s.Wire.Open && s.Wire.Silent)
		time.Sleep(2 * idleTimeout)
		synctest.Wait()
		s, _, _ = m.seen.list()
		assert.False(t, s.Wire.Silent, "the next watch is served")
		events, _, _ := m.seen.after(0, maxHeld)
		for _, e := range events {
			if strings.Contains(e.Text, "watching: ended") || made(*e) == "wire end" {
				assert.False(t, e.Fault, e.Text)
			}
		}
	})
}
