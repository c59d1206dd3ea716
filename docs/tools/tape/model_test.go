package tape

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/words"
)

func keys(objects []ObjectState) (keys []string) {
	for _, o := range objects {
		keys = append(keys, o.Key)
	}
	return keys
}

// areNeverNowhere checks that what the page draws as one mark is one object on its way: what an event
// moves was in the place that it leaves, and is in the place that it comes to.
func (s *sights) areNeverNowhere(t *testing.T, events []*Event) {
	for i, e := range events[1:] {
		before := events[i]
		s.faults[e.Lane+": "+e.Text] = e.Fault
		switch pause := e.State.Reflector.PauseMs; made(*e) {
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
			assert.True(t, holds(before.State, e.From, e), "event %d, %s: not in %s before", e.Seq, e.Text, e.From)
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
	switch made(*e) {
	case "wire open":
		assert.True(t, wire.Open && wire.Frames == 0 && !wire.Silent, "event %d", e.Seq)
	case "wire frame":
		assert.Equal(t, before.Wire.Frames+1, wire.Frames, "event %d", e.Seq)
		assert.Equal(t, e.Text, wire.Last, "event %d", e.Seq)
	case "wire end", "wire failed":
		assert.False(t, wire.Open || wire.Silent || wire.Held > 0, "event %d: what has not come is lost", e.Seq)
		assert.Equal(t, !strings.Contains(e.Text, "ended") && !strings.Contains(e.Text, "closed"), e.Fault,
			"event %d: the end of a stream is routine", e.Seq)
		refused := strings.Contains(e.Text, "connection refused")
		assert.True(t, !refused || strings.Contains(fault, "refused"), "event %d: the fault that strikes is shown", e.Seq)
	case "api fault":
		assert.Contains(t, before.Server.Fault, strings.TrimPrefix(e.Text, "fault: "), "event %d", e.Seq)
		assert.Equal(t, e.Text == "fault: silence", wire.Silent, "event %d: the stream is open", e.Seq)
	}
	assert.False(t, strings.Contains(fault, "refused") && strings.Contains(fault, "500"),
		"event %d: a fault that lasts takes the place of another", e.Seq)
}

// areComplete checks that the scenarios have shown all that can happen.
func (s *sights) areComplete(t *testing.T) {
	for i, entry := range words.Legend {
		assert.True(t, s.legend[i], "no scenario shows what the legend explains: %v", entry)
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
	case words.API:
		return slices.ContainsFunc(s.Server.Log, func(l LogEntry) bool { return l.Key == e.Key })
	case words.Wire:
		return slices.ContainsFunc(s.Wire.Behind, is) || slices.ContainsFunc(s.Wire.Before, is)
	case words.Reflector:
		return has(s.Reflector.Hand)
	case words.Queue:
		return slices.ContainsFunc(s.Queue.Rows, row)
	case words.Process:
		return slices.ContainsFunc(s.Queue.Popped, row)
	case words.Cache:
		return slices.Contains(keys(s.Cache.Objects), e.Key)
	}
	for i, l := range s.Listeners {
		is := func(m Mark) bool { return is(m) || l.Pending > maxArcs } // not all are shown
		if place == words.Processor && slices.ContainsFunc(l.Ring.Waiting, is) ||
			place == words.Handler(l.Name) && has(s.Handlers[i].Hand) {
			return true
		}
	}
	return place == words.Processor && len(s.Listeners) == 0
}
