package tape

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A scenario is what is pressed, one after the other: a button, and the name of an object, a valve or a handler, or
// the kind of a queue. The steps wait and elsewhere let time pass, and write to another collection of the server.
var scenarios = map[string]string{
	"first list and sync":    "",
	"create, update, delete": "create web-3; update web-3; delete web-3; create; delete db-1",
	"the consumer is held":   "valve V2 held; update web-1; update web-1; delete web-2; update web-1; valve V2 open",
	"one at a time": "valve V2 one; update web-1; update web-2; update db-1; admit V2; update web-1; admit V2; " +
		"valve V2 slow; create; wait 2s",
	"the watch is dropped":   "drop; wait 5s; update web-1",
	"history is gone":        "wait 2s; disconnect; delete web-2; update web-1; compact; heal; wait 1m",
	"two deletions in a row": "valve V2 held; delete web-2; wait 2s; disconnect; update web-1; compact; heal; wait 1m; valve V2 open",
	"a stop while valves are held": "valve V2 held; update web-1; valve V1 held; update web-1; stop; valve V1 open; valve V2 open; " +
		"start",
	"a frame is cut":   "cut; update web-1; wait 1m",
	"the server hangs": "hang; update web-1; wait 3m",
	"500s":             "wait 2s; update web-1; errors; wait 1m; heal; wait 1m; errors; wait 5s; stop",
	"errors on errors": "errors; disconnect; wait 1m; errors; wait 1m; heal; wait 1m; create",
	"a slow handler":   "valve V4 held; update web-1; fill; update web-1; update web-2; valve V4 open",
	"a late handler": "fill; fill; add-handler; create; remove-handler alpha; update web-1; add-handler; " +
		"remove-handler",
	"resync":                "resync; create; resync; add-handler",
	"a bookmark":            "elsewhere; wait 90s",
	"a panic":               "panic beta; update web-1; update web-2; wait 2s",
	"stop and start":        "stop; create; start; stop; start; update web-1",
	"the queue is switched": "queue RealFIFO; update web-1; delete web-2; drop; wait 5s; queue DeltaFIFO; create",
	"the watch is held": "valve V1 held; update web-1; update web-2; valve V1 one; admit V1; update web-1; valve V1 open; " +
		"create",
}

// Each scenario is played once, and each law about pictures and events is tried on it.
func TestScenarios(t *testing.T) {
	seen := sights{held: map[string]bool{}, faults: map[string]bool{}, kinds: map[string]bool{},
		legend: map[int]bool{}}
	for name, steps := range scenarios {
		for _, kind := range []string{DeltaFIFO, RealFIFO} {
			t.Run(name+" with a "+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := newFixture(t, kind)
					agree(t, m, "the start")
					shown := map[*Event]string{}
					for step := range strings.SplitSeq(steps, "; ") {
						perform(t, m, step)
						agree(t, m, step)
						_, seq, _ := m.seen.list()
						last, _, _ := m.seen.after(seq-1, 1)
						shown[last[0]] = string(encoded(last[0]))
					}
					events, _, _ := m.seen.after(m.seen.log.floor-1, MaxHeld)
					for e, text := range shown {
						assert.Equal(t, text, string(encoded(e)), "event %d has changed after it", e.Seq)
					}
					seen.knowTheirLines(t, events)
					seen.areNeverNowhere(t, events)
					seen.areExplained(t, events)
					s, _, _ := m.seen.list()
					assert.Empty(t, s.Queue.Rows, "a bookmark, too, leaves the queue")
					assert.Empty(t, s.Queue.Popped)
					assert.Nil(t, s.Reflector.Hand)
					assert.Empty(t, s.Wire.Behind)
				})
			})
		}
	}
	seen.areComplete(t)
}

// sights are what the scenarios have shown so far.
type sights struct {
	held   map[string]bool // kinds of queues with the types of their deltas
	faults map[string]bool // texts of events
	kinds  map[string]bool // of events
	legend map[int]bool    // entries
}

// areExplained checks that the legend has an entry for each event that a stage reports.
func (s *sights) areExplained(t *testing.T, events []*Event) {
	for _, e := range events {
		n := explained(e)
		s.legend[n] = true
		if lane := e.lane(); lane != laneYou && lane != laneStory {
			assert.GreaterOrEqual(t, n, 0, "%s: %s", made(*e), e.Brief)
		}
	}
}

// perform is one step of a scenario.
func perform(t *testing.T, m *Machine, step string) {
	t.Helper()
	words := append(strings.Fields(step), "", "", "")
	switch do, about := words[0], words[1]; do {
	case "":
	case "wait":
		d, err := time.ParseDuration(about)
		require.NoError(t, err)
		time.Sleep(d)
		synctest.Wait()
	case "elsewhere": // only a bookmark will tell of it
		_, err := m.api.Create("namespaces", map[string]any{"metadata": map[string]any{"name": "elsewhere"}})
		require.NoError(t, err)
	case "create", "update", "delete":
		press(t, m, do, strings.TrimSuffix("default/"+about, "default/"))
	default:
		press(t, m, do, "", "name", about, "kind", about, "mode", words[2])
	}
}

// The client that wrote gets an error, the server has stored the object, and the watch brings it.
func TestALostAnswerIsOfAStoredObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newFixture(t, DeltaFIFO)
		press(t, m, "lose", "")
		agree(t, m, "a lost answer")
		_, there, _ := m.informer.GetIndexer().GetByKey("default/web-3")
		assert.True(t, there, "the informer has it")
		events, _, _ := m.seen.after(m.seen.log.floor-1, MaxHeld)
		assert.Contains(t, string(encoded(events)), "the client gets an error (EOF), and web-3 is stored")
		press(t, m, "errors", "")
		assert.ErrorContains(t, m.Do(Order{Do: "lose"}), "heal first")
	})
}

// V2 holds up the process loop, which pops one key at a time.
func TestAValveHoldsUpWhatComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newFixture(t, DeltaFIFO)
		turn := func(mode string) { press(t, m, "valve", "", "name", "V2", "mode", mode) }
		after := func(d time.Duration, queued int, law string) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			assert.Equal(t, queued, m.queue.Len(), law)
		}
		admit := Order{Do: "admit", Args: map[string]string{"name": "V2"}}
		turn(held)
		press(t, m, "fill", "")
		after(time.Hour, 100, "held")
		assert.EqualError(t, m.Do(admit), `V2 is held: only a valve in mode "one" lets one pass`)
		turn(one)
		after(time.Hour, 100, "the mode alone lets nothing pass")
		require.NoError(t, m.Do(admit))
		after(time.Hour, 99, "one for a press")
		turn(slow)
		after(slowPause-time.Millisecond, 99, "slow")
		after(2*time.Millisecond, 98, "slow")
		turn(held)
		after(time.Hour, 98, "a valve that is closed holds what a slow one had begun")
		turn(open)
		after(0, 0, "open: all at once")
		turn(one)
		assert.EqualError(t, m.Do(admit), "nothing waits at V2")
		press(t, m, "update", "default/web-1")
		after(time.Hour, 1, "no press is kept for what comes later")
		s, _, _ := m.seen.list()
		assert.Equal(t, ValveState{Name: "V2", Label: "before Pop", Mode: one, Waiting: 1}, s.Valves[1])
	})
}

func TestAStoppedMachineFreesWhatValvesHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newFixture(t, DeltaFIFO)
		for _, v := range []string{"V1", "V2", "V3", "V4"} {
			press(t, m, "valve", "", "name", v, "mode", held)
		}
		press(t, m, "update", "default/web-1")
		m.Close()
		assert.ErrorIs(t, m.Do(Order{Do: "start"}), errClosed, "nothing starts after the end")
	}) // the bubble fails if a goroutine is left
}
