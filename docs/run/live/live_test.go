package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

func TestThePageOpensOnAnInformerThatHasSynced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		press(t, m, "update", "default/web-1")
		s, seq, floor := m.seen.list()
		assert.Positive(t, seq)
		assert.EqualValues(t, 1, floor)
		assert.Equal(t, []ObjectState{{"default/db-1", "2"}, {"default/web-1", "5"},
			{"default/web-2", "4"}}, s.Cache.Objects)
		assert.Equal(t, s.Cache.Objects, s.Server.Objects)
		assert.True(t, s.Cache.Synced)
	})
}

func TestThereAreAsManyHandlersAsKeysForTheirValves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		for n := 3; n <= len(handlerNames); n++ {
			press(t, m, "add-handler", "")
		}
		s, _, _ := m.seen.list()
		assert.Equal(t, "V9", s.Valves[len(s.Valves)-1].Name, "the last valve has the last key")
		err := m.do(order{Do: "add-handler"})
		assert.ErrorContains(t, err, "there are 7 handlers already; remove one first")
		press(t, m, "remove-handler", "", "name", "third")
		press(t, m, "add-handler", "")
		agree(t, m, "a handler has left and come back")
	})
}

func TestANameIsFreeWhenItsHandlerHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		m.seen.amend(func(m *model) { // a handler that was removed and is in its last call
			m.listeners = append(m.listeners, &listenerModel{name: "third"})
		})
		err := m.do(order{Do: "add-handler", Args: map[string]string{"name": "third"}})
		assert.ErrorContains(t, err, "there is a handler third already")
		press(t, m, "add-handler", "")
		assert.NotNil(t, m.handler("fourth"), "a handler without a name gets one that is free")
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
			if strings.Contains(e.Text, "watching: ended") {
				assert.False(t, e.Fault, e.Text)
			}
		}
	})
}

func TestARefusedOrderIsASentence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRig(t, deltaFIFO)
		err := m.do(order{Do: "update", Key: "default/none"})
		assert.ErrorContains(t, err, "the API server answers: ")
		assert.NotContains(t, err.Error(), "fakeapi")
		press(t, m, "remove-handler", "")
		press(t, m, "remove-handler", "")
		assert.EqualError(t, m.do(order{Do: "panic"}), "there is no handler: add one first")
	})
}
