package main

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
					m := newFixture(t, kind)
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
		m := newFixture(t, deltaFIFO)
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
		m := newFixture(t, deltaFIFO)
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
