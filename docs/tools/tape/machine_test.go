package tape

import (
	"fmt"
	"sync/atomic"
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
	"two deletions in a row": {
		{"valve", "", "name", "V2", "mode", "held"}, {"delete", "default/web-2"}, {"wait", "2s"},
		{"disconnect", ""}, {"update", "default/web-1"}, {"compact", ""}, {"heal", ""}, {"wait", "1m"},
		{"valve", "", "name", "V2", "mode", "open"},
	},
	"a stop while valves are held": {
		{"valve", "", "name", "V2", "mode", "held"}, {"update", "default/web-1"},
		{"valve", "", "name", "V1", "mode", "held"}, {"update", "default/web-1"}, {"stop", ""},
		{"valve", "", "name", "V1", "mode", "open"}, {"valve", "", "name", "V2", "mode", "open"},
		{"start", ""},
	},
	"a frame is cut":   {{"cut", ""}, {"update", "default/web-1"}, {"wait", "1m"}},
	"the server hangs": {{"hang", ""}, {"update", "default/web-1"}, {"wait", "3m"}},
	"500s": {
		{"wait", "2s"}, {"update", "default/web-1"}, {"errors", ""}, {"wait", "1m"}, {"heal", ""},
		{"wait", "1m"}, {"errors", ""}, {"wait", "5s"}, {"stop", ""},
	},
	"errors on errors": {
		{"errors", ""}, {"disconnect", ""}, {"wait", "1m"}, {"errors", ""}, {"wait", "1m"},
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
	"a panic": {
		{"panic", "", "name", "beta"}, {"update", "default/web-1"}, {"update", "default/web-2"},
		{"wait", "2s"},
	},
	"stop and start": {
		{"stop", ""}, {"create", ""}, {"start", ""}, {"stop", ""}, {"start", ""},
		{"update", "default/web-1"},
	},
	"the queue is switched": {
		{"queue", "", "kind", RealFIFO}, {"update", "default/web-1"}, {"delete", "default/web-2"},
		{"drop", ""}, {"wait", "5s"}, {"queue", "", "kind", DeltaFIFO}, {"create", ""},
	},
	"the watch is held": {
		{"valve", "", "name", "V1", "mode", "held"}, {"update", "default/web-1"},
		{"update", "default/web-2"}, {"valve", "", "name", "V1", "mode", "one"},
		{"admit", "", "name", "V1"}, {"update", "default/web-1"},
		{"valve", "", "name", "V1", "mode", "open"}, {"create", ""},
	},
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
					for _, step := range steps {
						perform(t, m, step)
						agree(t, m, fmt.Sprint(step))
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
func perform(t *testing.T, m *Machine, step []string) {
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

// crossings counts what has passed a valve.
type crossings struct {
	valve *valve
	done  chan struct{}
	n     atomic.Int64 // what has passed; a valve that is turned lets one pass at once
	seen  int          // of n, by after
	gave  bool         // pass returned false
}

// newCrossings lets a goroutine cross a valve again and again, with a second between, until the
// test closes done. The valve is held at first.
func newCrossings(t *testing.T) *crossings {
	c := &crossings{valve: newValve(newCollector(source, MaxHeld), "V9", "", "", laneYou),
		done: make(chan struct{})}
	require.NoError(t, c.valve.turn(held, laneYou))
	go func() {
		for c.valve.pass(c.done, "it") {
			c.n.Add(1)
			time.Sleep(time.Second)
		}
		c.gave = true
	}()
	synctest.Wait()
	return c
}

// after lets time pass and returns how often the valve was crossed meanwhile.
func (c *crossings) after(d time.Duration) int {
	before := c.seen
	time.Sleep(d)
	synctest.Wait()
	c.seen = int(c.n.Load())
	return c.seen - before
}

func (c *crossings) state() ValveState {
	s, _, _ := c.valve.seen.list()
	return s.Valves[0]
}

func TestAValveHoldsUpWhatComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrossings(t)
		assert.Zero(t, c.after(time.Hour), "held")
		assert.Equal(t, ValveState{Name: "V9", Mode: held, Waiting: 1}, c.state())
		assert.Error(t, c.valve.admit(), "a held valve lets nothing pass, pressed or not")

		require.NoError(t, c.valve.turn(one, laneYou))
		assert.Zero(t, c.after(time.Hour), "the mode alone lets nothing pass")
		require.NoError(t, c.valve.admit())
		assert.Equal(t, 1, c.after(0), "one for a press")
		assert.EqualError(t, c.valve.admit(), "nothing waits at V9", "the next thing comes in a second")
		assert.Zero(t, c.after(time.Hour), "no press is kept for what comes later")

		require.NoError(t, c.valve.turn(slow, laneYou))
		assert.Zero(t, c.after(slowPause-time.Millisecond))
		assert.Equal(t, 1, c.after(2*time.Millisecond))
		c.after(time.Second) // the next thing has begun to wait
		require.NoError(t, c.valve.turn(held, laneYou))
		assert.Zero(t, c.after(time.Hour), "a valve that is closed holds what a slow one had begun")

		require.NoError(t, c.valve.turn(open, laneYou))
		assert.Equal(t, 3, c.after(2500*time.Millisecond), "open: one at once, and each that comes")
		assert.Equal(t, ValveState{Name: "V9", Mode: open}, c.state())
		require.NoError(t, c.valve.turn(held, laneYou))
		assert.Zero(t, c.after(time.Hour))
		close(c.done)
		synctest.Wait()
		assert.True(t, c.gave, "what is over gives up")
		assert.Zero(t, c.state().Waiting)
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
