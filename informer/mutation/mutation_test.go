package mutation

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/processor"
)

func TestDiffOfDocuments(t *testing.T) {
	for _, c := range []struct{ before, now, want string }{
		{`{"a":{"b":[{"c":"x"}]}}`, `{"a":{"b":[{"c":"y"}]}}`, `a.b[0].c: "x" → "y"`},
		{`{"x":1}`, `{"a":null,"x":1}`, "a: none → null"},
		{`{"a":{"x":1},"b":1}`, `{"b":1}`, `a: {"x":1} → none`},
		{`{"a":[1,2]}`, `{"a":[2]}`, "a[0]: 1 → 2; a[1]: 2 → none"},
		{`{"a":[1]}`, `{"a":{"b":1}}`, `a: [1] → {"b":1}`},
		{`{"m":{"app.io/name":"x"}}`, `{"m":{"app.io/name":"y"}}`, `m["app.io/name"]: "x" → "y"`},
		{`{"d":1,"b":1,"a":1}`, `{"c":1,"a":2}`, "a: 1 → 2; b: 1 → none; c: none → 1; d: 1 → none"},
		{`{"a":1}`, `"gone"`, `the object: {"a":1} → "gone"`},
	} {
		changes := strings.Join(diff("", []byte(c.before), []byte(c.now)), "; ")
		assert.Equal(t, c.want, changes, "%s became %s", c.before, c.now)
	}
}

// gauge is an object that JSON cannot always express.
type gauge struct {
	watchglass.ObjectMeta
	Value float64
}

func newGauge(name string, value float64) *gauge {
	return &gauge{watchglass.ObjectMeta{Name: name}, value}
}

// shuffled is an object whose fields come in another order each time that they are written.
type shuffled struct {
	*gauge
	written *int
}

func (s shuffled) MarshalJSON() ([]byte, error) {
	*s.written++
	return []byte([]string{`{"x":1,"y":2}`, `{"y":2,"x":1}`}[*s.written%2]), nil
}

// detector is a watch, the trace that the processor would call, and what was found so far.
type detector struct {
	*Watch
	*processor.Trace
	lines []string // "handler: key changes"
}

func newDetector() *detector {
	f := &detector{}
	f.Watch = New(&Detector{OnMutation: func(err *Error) {
		changes := strings.Join(err.Changes, "; ")
		f.lines = append(f.lines, fmt.Sprintf("%s: %s %s", err.Handler, err.Key, changes))
	}}, "gauges", slog.New(slog.DiscardHandler))
	f.Trace = f.Watch.Trace(nil)
	return f
}

func (f *detector) distribute(ns ...processor.Notification) { f.Distributed(ns, false, nil) }

// found returns what was found since the last call.
func (f *detector) found() []string {
	f.lines = nil
	f.Check()
	return f.lines
}

func added(obj watchglass.Object) processor.Notification {
	return processor.AddNotification(obj, false)
}

func TestWhatTheDetectorFinds(t *testing.T) {
	t.Run("a handler that changes an object, by name, and once", func(t *testing.T) {
		f := newDetector()
		g := newGauge("a", 1)
		f.distribute(added(newGauge("", 1)), added(g)) // one without a key hides no other
		f.Delivered("reader", added(g), 1)
		g.Value = 2
		f.Delivered("painter", added(g), 1)
		assert.Equal(t, []string{"painter: a Value: 1 → 2"}, f.found())
		g.Value = 1
		assert.Equal(t, []string{": a Value: 2 → 1"}, f.found(), "a reader changes it back")
	})
	t.Run("what leaves the cache is compared, and released", func(t *testing.T) {
		f := newDetector()
		one, two := newGauge("a", 1), newGauge("a", 2)
		f.distribute(added(one))
		f.distribute(processor.UpdateNotification(one, one)) // a resync
		one.Value = 7
		f.distribute(processor.UpdateNotification(one, two))
		assert.Equal(t, []string{": a Value: 1 → 7"}, f.found(), "an update takes its place")
		two.Value = 8
		f.distribute(processor.DeleteNotification(deltafifo.DeletedFinalStateUnknown{Key: "a"}))
		assert.Equal(t, []string{": a Value: 2 → 8"}, f.found(), "it is deleted")
		two.Value = 9
		assert.Empty(t, f.found(), "nothing is compared after it has left")
	})
	t.Run("not the order in which an object writes its fields", func(t *testing.T) {
		f, s := newDetector(), shuffled{newGauge("a", 1), new(int)}
		f.distribute(added(s))
		assert.Empty(t, f.found())
	})
	t.Run("an object that JSON can express no longer", func(t *testing.T) {
		f, g := newDetector(), newGauge("good", 1)
		f.distribute(added(g))
		g.Value = math.Inf(1)
		assert.Contains(t, fmt.Sprint(f.found()), `"cannot be encoded any more: `)
	})
}

func TestTheDetectorRuns(t *testing.T) {
	story.Bubble(t, "all is compared each second, and without OnMutation logged", func(t *testing.T) {
		var log bytes.Buffer
		w := New(&Detector{}, "gauges", slog.New(slog.NewTextHandler(&log, nil)))
		g, traced := newGauge("a", 1), 0
		trace := w.Trace(&processor.Trace{
			Distributed: func([]processor.Notification, bool, []string) { traced++ },
			Delivered:   func(string, processor.Notification, int) { traced++ },
		})
		batch := []processor.Notification{added(newGauge("bad", math.NaN())), added(g)}
		trace.Distributed(batch, false, nil)
		assert.Contains(t, log.String(), `msg="object is not watched for mutations" key=bad`)
		log.Reset()
		g.Value = 2
		trace.Delivered("reader", processor.DeleteNotification(g), 1)
		assert.Equal(t, 2, traced, "the caller's trace is called, too")
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		go w.Run(ctx)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Contains(t, log.String(), `msg="cached object was changed" of=gauges `+
			`err="object \"a\" @ was changed in the cache: Value: 1 → 2"`)
	})
}

func TestAMutationErrorIsOneShortLine(t *testing.T) {
	e := &Error{Key: "default/web-1", ResourceVersion: "5", Handler: "painter",
		Changes: diff("", []byte(`{"spec":{"color":"red"}}`), []byte(`{"spec":{"color":"blue"}}`))}
	assert.EqualError(t, e, `object "default/web-1" @5 was changed in the cache, found after a call `+
		`of handler "painter": spec.color: "red" → "blue"`)
	for range 11 {
		e.Changes = append(e.Changes, diff(".f", nil, []byte(strings.Repeat("é", 100)))...)
	}
	assert.Contains(t, e.Error(), "f: none → é")
	assert.True(t, strings.HasSuffix(e.Error(), "…; and 2 more"))
	assert.Less(t, len(e.Error()), 2000, "a large value does not flood the log")
}
