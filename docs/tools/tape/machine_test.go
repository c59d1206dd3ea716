package tape

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A scenario is what is pressed, one after the other: a button, and the name of an object, a valve
// or a handler, or the kind of a queue. The steps wait and elsewhere let time pass, and write to
// another collection of the server.
var scenarios = map[string]string{
	"first list and sync":    "",
	"create, update, delete": "create web-3; update web-3; delete web-3; create; delete db-1",
	"the consumer is held": "valve V2 held; update web-1; update web-1; delete web-2; update " +
		"web-1; valve V2 open",
	"one at a time": "valve V2 one; update web-1; update web-2; update db-1; admit V2; " +
		"update web-1; admit V2; valve V2 slow; create; wait 2s",
	"the watch is dropped": "drop; wait 5s; update web-1",
	"history is gone": "wait 2s; disconnect; delete web-2; update web-1; compact; heal; " +
		"wait 1m",
	"two deletions in a row": "valve V2 held; delete web-2; wait 2s; disconnect; update web-1; " +
		"compact; heal; wait 1m; valve V2 open",
	"a stop while valves are held": "valve V2 held; update web-1; valve V1 held; update web-1; " +
		"stop; valve V1 open; valve V2 open; start",
	"a frame is cut":   "cut; update web-1; wait 1m",
	"the server hangs": "hang; update web-1; wait 3m",
	"500s": "wait 2s; update web-1; errors; wait 1m; heal; wait 1m; errors; " +
		"wait 5s; stop",
	"errors on errors": "errors; disconnect; wait 1m; errors; wait 1m; heal; wait 1m; " +
		"create",
	"a slow handler": "valve V4 held; update web-1; fill; update web-1; update web-2; " +
		"valve V4 open",
	"a late handler": "fill; fill; add-handler; create; remove-handler alpha; update " +
		"web-1; add-handler; remove-handler",
	"resync":         "resync; create; resync; add-handler",
	"a bookmark":     "elsewhere; wait 90s",
	"a panic":        "panic beta; update web-1; update web-2; wait 2s",
	"stop and start": "stop; create; start; stop; start; update web-1",
	"the queue is switched": "queue RealFIFO; update web-1; delete web-2; drop; wait 5s; queue " +
		"DeltaFIFO; create",
	"the watch is held": "valve V1 held; update web-1; update web-2; valve V1 one; admit V1; " +
		"update web-1; valve V1 open; create",
}

// Each scenario is played once, and each law about pictures and events is tried on it.
func TestScenarios(t *testing.T) {
	seen := sights{held: map[string]bool{}, faults: map[string]bool{}, kinds: map[string]bool{},
		legend: map[string]bool{}}
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
	legend map[string]bool // what events mean
}

// areExplained checks that the legend has an entry for each event that a stage reports.
func (s *sights) areExplained(t *testing.T, events []*Event) {
	for _, e := range events {
		s.legend[e.Means] = true
		if lane := e.Where(); lane != laneYou && lane != laneStory {
			assert.NotEmpty(t, Legend[e.Means], "%s: %s", e.Means, e.Brief)
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

func keys(objects []ObjectState) (keys []string) {
	for _, o := range objects {
		keys = append(keys, o.Key)
	}
	return keys
}

// areNeverNowhere checks that what the page draws as one mark is one object on its way: what an
// event moves was in the place that it leaves, and is in the place that it comes to.
func (s *sights) areNeverNowhere(t *testing.T, events []*Event) {
	for i, e := range events[1:] {
		before := events[i]
		s.faults[e.Lane+": "+e.Text] = e.Fault
		switch pause := e.State.Reflector.PauseMs; e.made() {
		case "reflector back off":
			assert.Positive(t, pause, e.Text)
		case "reflector list", "reflector watch", "reflector transition":
			assert.Zero(t, pause, "event %d: a pause is shown as long as it lasts", e.Seq)
		}
		for _, r := range e.State.Queue.Rows {
			for _, d := range r.Deltas {
				s.held[e.State.Queue.Kind+" "+d.Type] = true
			}
		}
		if now := e.State; now.Cache.Synced {
			assert.True(t, now.Queue.Synced, "event %d: the queue syncs before the informer", e.Seq)
		} else {
			for _, l := range now.Listeners {
				assert.False(t, l.Synced, "event %d: the informer syncs before %s", e.Seq, l.Name)
			}
		}
		if e.Key != "" && e.From != "" {
			assert.True(t, holds(before.State, e.From, e), "event %d, %s: not in %s before",
				e.Seq, e.Text, e.From)
			assert.True(t, holds(e.State, e.To, e), "event %d, %s: not in %s", e.Seq, e.Text, e.To)
		}
		hand, left := before.State.Reflector.Hand, e.State.Reflector.Hand
		if r := e.State.Reflector; left != nil && left.Key != "" && r.State == "watching" {
			assert.NotEqual(t, left.RV, r.Version, "event %d: what is in hand is not queued yet", e.Seq)
		}
		for i, l := range e.State.Listeners {
			assert.LessOrEqual(t, l.Pending, l.High, "event %d: more wait than ever did", e.Seq)
			if old := before.State.Listeners; i < len(old) && old[i].Name == l.Name && !old[i].Ended {
				assert.GreaterOrEqual(t, l.High, old[i].High, "event %d: the most that waited falls", e.Seq)
			}
		}
		checkWire(t, before.State, e)
		if e.Kind == "listed" {
			assert.Equal(t, before.State.Reflector.Version, e.State.Reflector.Version,
				"event %d: a list that is not queued yet", e.Seq)
		}
		if e.State.Queue.Kind == DeltaFIFO && e.Kind == "queued" && hand != nil && hand.N > 1 {
			assert.Equal(t, hand.N-1, left.N, "event %d: what is left of the list", e.Seq)
		}
	}
}

// checkWire checks what is shown of the wire, which is the present watch, and of faults.
func checkWire(t *testing.T, before State, e *Event) {
	t.Helper()
	wire, fault := e.State.Wire, e.State.Server.Fault
	switch e.made() {
	case "wire open":
		assert.True(t, wire.Open && wire.Frames == 0 && !wire.Silent, "event %d", e.Seq)
	case "wire frame":
		assert.Equal(t, before.Wire.Frames+1, wire.Frames, "event %d", e.Seq)
		assert.Equal(t, e.Text, wire.Last, "event %d", e.Seq)
	case "wire end", "wire failed":
		assert.False(t, wire.Open || wire.Silent || wire.Held > 0,
			"event %d: what has not come is lost", e.Seq)
		isRoutine := strings.Contains(e.Text, "ended") || strings.Contains(e.Text, "closed")
		assert.Equal(t, !isRoutine, e.Fault, "event %d: the end of a stream is routine", e.Seq)
		refused := strings.Contains(e.Text, "connection refused")
		assert.True(t, !refused || strings.Contains(fault, "refused"),
			"event %d: the fault that strikes is shown", e.Seq)
	case "api fault":
		assert.Contains(t, before.Server.Fault, strings.TrimPrefix(e.Text, "fault: "), "event %d", e.Seq)
		assert.Equal(t, e.Text == "fault: silence", wire.Silent, "event %d: the stream is open", e.Seq)
	}
	assert.False(t, strings.Contains(fault, "refused") && strings.Contains(fault, "500"),
		"event %d: a fault that lasts takes the place of another", e.Seq)
}

// areComplete checks that the scenarios have shown all that can happen.
func (s *sights) areComplete(t *testing.T) {
	for means := range Legend {
		isOnlyTold := means == "cache mutate" // by a story: no button does what no program may do
		assert.True(t, s.legend[means] || isOnlyTold,
			"no scenario shows what the legend explains: %s", means)
	}
	for _, text := range []string{"api: sends ERROR", "wire: ERROR 410", "api: watch ended: expired"} {
		assert.True(t, s.faults[text], "%s is a fault", text)
	}
	named := map[string]bool{}
	for kind, types := range deltaTypes {
		for _, d := range types {
			named[kind+" "+string(d)] = true
		}
	}
	assert.Equal(t, named, s.held, "the page names the deltas that a queue can hold, and no others")
}

// holds says whether the object of an event is in a place. A whole list has no key, and neither has
// what a handler that joins is to be told first: no trace says which objects these are.
func holds(s State, place string, e *Event) bool {
	is := func(m Mark) bool { return m.Key == e.Key || m.Key == "" }
	has := func(m *Mark) bool { return m != nil && is(*m) }
	row := func(r QueueRow) bool { return is(Mark{Key: r.Key}) }
	switch place {
	case API:
		return slices.ContainsFunc(s.Server.Log, func(l LogEntry) bool { return l.Key == e.Key })
	case Wire:
		return slices.ContainsFunc(s.Wire.Behind, is) || slices.ContainsFunc(s.Wire.Before, is)
	case Reflector:
		return has(s.Reflector.Hand)
	case Queue:
		return slices.ContainsFunc(s.Queue.Rows, row)
	case Process:
		return slices.ContainsFunc(s.Queue.Popped, row)
	case Cache:
		return slices.Contains(keys(s.Cache.Objects), e.Key)
	}
	for i, l := range s.Listeners {
		is := func(m Mark) bool { return is(m) || l.Pending > maxArcs } // not all are shown
		if place == Processor && slices.ContainsFunc(l.Ring.Waiting, is) ||
			place == Handler(l.Name) && has(s.Handlers[i].Hand) {
			return true
		}
	}
	return place == Processor && len(s.Listeners) == 0
}
