package informer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/processor"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct{ before, now, want string }{
		{`{"a":1}`, `{"a":2}`, "a: 1 → 2"},
		{`{"a":{"b":[{"c":"x"}]}}`, `{"a":{"b":[{"c":"y"}]}}`, `a.b[0].c: "x" → "y"`},
		{`{}`, `{"a":null}`, "a: none → null"},
		{`{"a":{"x":1}}`, `{}`, `a: {"x":1} → none`},
		{`{"a":[1,2]}`, `{"a":[1,2,3]}`, "a[2]: none → 3"},
		{`{"a":[1,2]}`, `{"a":[2]}`, "a[0]: 1 → 2; a[1]: 2 → none"},
		{`{"a":[1]}`, `{"a":{"b":1}}`, `a: [1] → {"b":1}`},
		{`{"a":{"b":1}}`, `{"a":[1]}`, `a: {"b":1} → [1]`},
		{`{"m":{"app.io/name":"x"}}`, `{"m":{"app.io/name":"y"}}`, `m["app.io/name"]: "x" → "y"`},
		{`{"b":1,"a":1}`, `{"c":1,"a":2}`, "a: 1 → 2; b: 1 → none; c: none → 1"},
		{`{"n":9007199254740993}`, `{"n":9007199254740992}`, "n: 9007199254740993 → 9007199254740992"},
		{`{"a":1}`, `"gone"`, `the object: {"a":1} → "gone"`},
	} {
		var got []string
		for _, change := range diff([]byte(c.before), []byte(c.now)) {
			got = append(got, change.String())
		}
		assert.Equal(t, c.want, strings.Join(got, "; "), "%s became %s", c.before, c.now)
	}
}

func TestMutationErrorNamesChangesTimesAndHandlers(t *testing.T) {
	began := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	e := &MutationError{
		Key: "default/web-1", ResourceVersion: "5",
		Changes: []Change{{"spec.color", `"red"`, `"blue"`}, {"spec.size", "", "3"}},
		Since:   began, Intact: began.Add(59 * time.Second), Found: began.Add(time.Minute),
		Handler: "painter", Told: []string{"audit", "painter"},
	}
	assert.EqualError(t, e, `object "default/web-1" @5, in the cache for 1m0s, was changed within `+
		`the last 1s (found after a call of handler "painter"; handlers told of it: audit, painter): `+
		`spec.color: "red" → "blue"; spec.size: none → 3`)
	e.Handler, e.Told, e.Changes = "", nil, nil
	for i := range 12 {
		e.Changes = append(e.Changes, Change{fmt.Sprint("f", i), "1", strings.Repeat("é", 100)})
	}
	assert.Contains(t, e.Error(), "(no handler was told of it): f0: 1 → é")
	assert.Contains(t, e.Error(), "; and 2 more")
	assert.NotContains(t, e.Error(), "f10", "ten changes are enough to find the culprit")
	assert.NotContains(t, e.Error(), "f11", "the text ends with the number of those left out")
	whole := strings.Repeat("x", maxValue)
	assert.Equal(t, "f: none → "+whole, Change{"f", "", whole}.String(),
		"a value within the limit is not cut")
	assert.Less(t, len(e.Error()), 2000, "a large value does not flood the log")
}

// gauge is an object that JSON cannot always express.
type gauge struct {
	watchglass.ObjectMeta
	Value float64
}

func newGauge(name string, value float64) *gauge {
	return &gauge{watchglass.ObjectMeta{Name: name}, value}
}

// detecting returns a detector and what it has reported and logged.
func detecting() (d *mutationDetector, found *[]string, log *bytes.Buffer) {
	found, log = new([]string), new(bytes.Buffer)
	d = newMutationDetector(Options{
		MutationDetector: &MutationDetector{OnMutation: func(err *MutationError) {
			*found = append(*found, fmt.Sprint(err.Key, " ", err.Changes))
		}},
		Logger: slog.New(slog.NewTextHandler(log, nil)),
	}, deltafifo.DeletionHandlingKeyFunc(nil))
	return d, found, log
}

func tell(d *mutationDetector, batch ...processor.Notification) { d.distributed(batch) }

func TestWhatIsRememberedIsWhatTheCacheHolds(t *testing.T) {
	d, found, _ := detecting()
	first, second := newGauge("a", 1), newGauge("a", 2)
	tell(d, processor.AddNotification(first, true), processor.AddNotification(newGauge("b", 1), true))
	since := d.objects["a"]
	tell(d, processor.UpdateNotification(first, first))
	assert.Same(t, since, d.objects["a"], "a resync brings nothing new")
	for range 3 { // resyncs
		d.delivering("h", processor.UpdateNotification(first, first))
	}
	assert.Equal(t, []string{"h"}, since.told, "each handler is named once")
	tell(d, processor.UpdateNotification(first, second))
	require.Len(t, d.objects, 2)
	assert.Same(t, second, d.objects["a"].obj, "an update takes the place of what was there")
	tell(d, processor.DeleteNotification(newGauge("a", 3)))
	tell(d, processor.DeleteNotification(deltafifo.DeletedFinalStateUnknown{Key: "b"}))
	tell(d, processor.DeleteNotification(newGauge("unknown", 1)))
	assert.Empty(t, d.objects, "deleted objects are released")
	d.finish()
	assert.Empty(t, *found)
}

func TestAnObjectThatWasReplacedIsNotCompared(t *testing.T) {
	d, found, _ := detecting()
	first, second := newGauge("a", 1), newGauge("a", 2)
	tell(d, processor.AddNotification(first, false), processor.UpdateNotification(first, second))
	first.Value = 7 // a slow handler is called with it only now
	d.delivering("slow", processor.AddNotification(first, false))
	d.delivered("slow", processor.AddNotification(first, false))
	d.finish()
	assert.Empty(t, *found)
	assert.Empty(t, d.objects["a"].told, "the handler has not seen the new object yet")
}

func TestAnObjectThatCannotBeEncoded(t *testing.T) {
	d, found, log := detecting()
	broken, fine := newGauge("broken", math.NaN()), newGauge("fine", 1)
	tell(d, processor.AddNotification(broken, false), processor.AddNotification(fine, false))
	assert.Contains(t, log.String(), `msg="object is not watched for mutations" key=broken`)
	fine.Value = math.Inf(1)
	d.finish()
	require.Len(t, *found, 1, "an object that can no longer be encoded has changed")
	assert.Contains(t, (*found)[0], "cannot be encoded any more")
	d.finish()
	assert.Len(t, *found, 1, "it is reported once")
}

// painted is an object whose encoding waits, once, when it has read the color.
type painted struct {
	thing
	color        string
	waits        atomic.Bool
	read, resume chan struct{}
}

func (p *painted) MarshalJSON() ([]byte, error) {
	encoded, err := json.Marshal(p.color)
	if p.waits.Swap(false) {
		close(p.read)
		<-p.resume
	}
	return encoded, err
}

func TestAnObjectIsComparedOnceAtATime(t *testing.T) {
	d, found, _ := detecting()
	obj := &painted{thing: *newThing("a", "1"), color: "red",
		read: make(chan struct{}), resume: make(chan struct{})}
	tell(d, processor.AddNotification(obj, false))
	obj.waits.Store(true)
	remembered := d.objects["a"]
	var comparing sync.WaitGroup
	comparing.Go(func() { d.compare(remembered, "late") })
	<-obj.read
	obj.color = "blue"
	var ended atomic.Bool
	comparing.Go(func() {
		d.compare(remembered, "quick")
		ended.Store(true)
	})
	for range 10_000 { // long enough for the quick comparison to overtake the late one, if it could
		if ended.Load() {
			break
		}
		runtime.Gosched()
	}
	close(obj.resume)
	comparing.Wait()
	d.finish()
	assert.Equal(t, []string{`a [the object: "red" → "blue"]`}, *found, "one change, found once")
}

// byValue is an object that is no pointer, and that == cannot compare.
type byValue struct {
	name   string
	Labels map[string]string
}

func (byValue) GetNamespace() string       { return "" }
func (v byValue) GetName() string          { return v.name }
func (byValue) GetResourceVersion() string { return "1" }

func TestAnObjectThatIsNoPointerIsWatchedToo(t *testing.T) {
	d, found, _ := detecting()
	obj := byValue{"a", map[string]string{"app": "web"}}
	tell(d, processor.AddNotification(obj, false))
	d.delivered("h", processor.AddNotification(obj, false))
	obj.Labels["app"] = "db"
	tell(d, processor.UpdateNotification(obj, obj))
	d.finish()
	assert.Equal(t, []string{`a [Labels.app: "web" → "db"]`}, *found)
}

func TestWithoutADetectorTheTraceIsTheCallers(t *testing.T) {
	trace := &processor.Trace{}
	s := NewSharedIndexInformer(Options{
		ListerWatcher: still{}, Trace: Trace{Processor: trace},
	})
	assert.Nil(t, s.mutations)
	assert.Same(t, trace, s.mutations.trace(trace), "the processor calls the trace directly")
	assert.Nil(t, s.mutations.trace(nil))
}

func TestAnObjectWithoutAKeyHidesNoOther(t *testing.T) {
	d, found, _ := detecting()
	second := newGauge("a", 1)
	tell(d, processor.AddNotification(newGauge("", 1), false), processor.AddNotification(second, false))
	second.Value = 2
	d.compareAll()
	d.reportFound()
	assert.Len(t, *found, 1, "the object behind one without a key is watched, too")
}
