package mutation

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/processor"
)

// gauge is an object that JSON cannot always express.
type gauge struct {
	watchglass.ObjectMeta
	Value float64
}

func newGauge(name string, value float64) *gauge {
	return &gauge{watchglass.ObjectMeta{Name: name}, value}
}

// A rig is a processor whose handlers are watched, as an informer does it.
type rig struct {
	*processor.SharedProcessor
	watch *Watch
	log   bytes.Buffer
	stop  func()

	mu    sync.Mutex
	found []*Error
}

// newRig returns a running rig. Without a report, what is found is logged.
func newRig(t *testing.T, period time.Duration, report bool, trace *processor.Trace) *rig {
	r := &rig{}
	d := &Detector{Period: period}
	if report {
		d.OnMutation = func(err *Error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.found = append(r.found, err)
		}
	}
	r.watch = d.Watch("gauges", deltafifo.DeletionHandlingKeyFunc(nil),
		slog.New(slog.NewTextHandler(&r.log, nil)))
	r.SharedProcessor = processor.New(processor.Options{
		Trace:   r.watch.Trace(trace),
		OnPanic: func(string, processor.Notification, any) {},
	})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { r.Run(ctx) })
	running.Go(func() { r.watch.Run(ctx) })
	r.stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
		r.watch.Finish()
	})
	t.Cleanup(r.stop)
	return r
}

// handle adds a handler that is called with each object that is added, first with those there.
func (r *rig) handle(t *testing.T, name string, drain bool, f func(*gauge),
	there ...watchglass.Object) {
	_, err := r.AddListener(processor.ResourceEventHandlerFuncs{
		AddFunc: func(obj watchglass.Object, _ bool) { f(obj.(*gauge)) },
	}, processor.ListenerOptions{Name: name, Drain: drain}, there)
	require.NoError(t, err)
}

func (r *rig) tell(ns ...processor.Notification) {
	for _, n := range ns {
		r.Gather(n, false)
	}
	r.Flush()
	synctest.Wait()
}

// take returns what was reported since the last take.
func (r *rig) take() (found []*Error) {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	found, r.found = r.found, nil
	return found
}

// lines shows findings as key and changes.
func lines(found []*Error) (lines []string) {
	for _, err := range found {
		lines = append(lines, fmt.Sprint(err.Key, " ", err.Changes))
	}
	return lines
}

func added(obj watchglass.Object) processor.Notification {
	return processor.AddNotification(obj, false)
}

const never = 1000 * time.Hour

func TestWhatIsFound(t *testing.T) {
	law := func(name string, period time.Duration, f func(t *testing.T, r *rig)) {
		story.Bubble(t, name, func(t *testing.T) { f(t, newRig(t, period, true, nil)) })
	}
	law("a handler that changes an object is found by name, and with all that had a call", never,
		func(t *testing.T, r *rig) {
			r.handle(t, "reader", false, func(*gauge) {})
			g := newGauge("a", 1)
			r.tell(added(g))
			r.handle(t, "painter", false, func(g *gauge) {
				g.Labels = map[string]string{"app.kubernetes.io/name": "web"}
			}, g)
			found := r.take()
			require.Equal(t, []string{`a [labels: none → {"app.kubernetes.io/name":"web"}]`}, lines(found))
			assert.Equal(t, "painter", found[0].Handler)
			assert.Equal(t, []string{"reader", "painter"}, found[0].Told)
			time.Sleep(2 * never)
			assert.Empty(t, r.take(), "it is reported once")
		})
	law("a reader that changes an object is found by the next comparison", time.Minute,
		func(t *testing.T, r *rig) {
			g := newGauge("a", 1)
			r.tell(added(g))
			time.Sleep(90 * time.Second)    // it was compared once
			r.tell(added(newGauge("b", 1))) // so that the write happens after that comparison
			g.Value = 2
			r.tell(added(newGauge("c", 1))) // and before the next one
			assert.Empty(t, r.take(), "nothing is compared yet")
			time.Sleep(time.Minute)
			found := r.take()
			require.Equal(t, []string{"a [Value: 1 → 2]"}, lines(found))
			assert.Empty(t, found[0].Handler)
			assert.Empty(t, found[0].Told)
			assert.Equal(t, 2*time.Minute, found[0].Found.Sub(found[0].Since), "in the cache")
			assert.Equal(t, time.Minute, found[0].Found.Sub(found[0].Intact), "last unchanged")
			g.Value = 1
			r.tell(added(newGauge("d", 1)))
			time.Sleep(time.Minute)
			assert.Equal(t, []string{"a [Value: 2 → 1]"}, lines(r.take()), "to change it back is a change")
		})
	law("an object is compared before it leaves the cache", never, func(t *testing.T, r *rig) {
		one, two := newGauge("a", 1), newGauge("a", 2)
		r.tell(added(one))
		one.Value = 7
		r.tell(processor.UpdateNotification(one, two))
		assert.Equal(t, []string{"a [Value: 1 → 7]"}, lines(r.take()), "an update takes its place")
		two.Value = 8
		r.tell(processor.DeleteNotification(deltafifo.DeletedFinalStateUnknown{Key: "a"}))
		assert.Equal(t, []string{"a [Value: 2 → 8]"}, lines(r.take()), "it is deleted")
	})
	law("what was replaced is not compared, and is released", never, func(t *testing.T, r *rig) {
		r.handle(t, "slow", false, func(g *gauge) { time.Sleep(time.Hour); g.Value = 7 })
		one, two := newGauge("a", 1), newGauge("a", 2)
		r.tell(added(one), processor.UpdateNotification(one, two))
		assert.Same(t, two, r.watch.objects["a"].obj)
		r.tell(processor.DeleteNotification(two), processor.DeleteNotification(newGauge("b", 1)))
		assert.Empty(t, r.watch.objects)
		r.stop()
		assert.Empty(t, r.take(), "the slow handler has changed an object that has left the cache")
	})
	law("an object that JSON cannot express is logged, and reported when it becomes one", never,
		func(t *testing.T, r *rig) {
			bad, good := newGauge("bad", math.NaN()), newGauge("good", 1)
			r.tell(added(bad), added(good))
			assert.Contains(t, r.log.String(), `msg="object is not watched for mutations" key=bad`)
			good.Value = math.Inf(1)
			r.stop()
			assert.Contains(t, fmt.Sprint(lines(r.take())), `"cannot be encoded any more: `)
		})
	law("objects that are no pointers are remembered anew each time", never,
		func(t *testing.T, r *rig) {
			v := byValue{"a", []int{1}}
			r.tell(added(v), processor.UpdateNotification(v, v))
			v.Numbers[0] = 2
			r.stop()
			assert.Equal(t, []string{"a [Numbers[0]: 1 → 2]"}, lines(r.take()))
		})
}

// byValue is an object that is no pointer and that == would panic for.
type byValue struct {
	Name    string
	Numbers []int
}

func (byValue) GetNamespace() string       { return "" }
func (v byValue) GetName() string          { return v.Name }
func (byValue) GetResourceVersion() string { return "1" }

func TestWatch(t *testing.T) {
	story.Bubble(t, "without OnMutation a change is logged, and the period is a second", func(t *testing.T) {
		r, g := newRig(t, 0, false, nil), newGauge("a", 1)
		r.tell(added(g))
		g.Value = 2
		r.tell(added(newGauge("b", 1))) // so that the write happens before the comparison
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Contains(t, r.log.String(), `msg="cached object was changed" of=gauges`)
		assert.Contains(t, r.log.String(), "Value: 1 → 2")
	})
	story.Bubble(t, "the caller's trace is called as without a watch", func(t *testing.T) {
		var calls []string
		call := func(name string) { calls = append(calls, name) }
		r := newRig(t, never, true, &processor.Trace{
			ListenerAdded: func(string, int) { call("listener added") },
			Distributed:   func([]processor.Notification, bool) { call("distributed") },
			Delivering:    func(string, processor.Notification) { call("delivering") },
			Delivered:     func(string, processor.Notification) { call("delivered") },
		})
		r.handle(t, "reader", false, func(*gauge) { call("handler") })
		r.tell(added(newGauge("a", 1)))
		assert.Equal(t, []string{"listener added", "distributed", "delivering", "handler",
			"delivered"}, calls)
	})
	story.Bubble(t, "an object without a key hides no other", func(t *testing.T) {
		r, g := newRig(t, never, true, nil), newGauge("a", 1)
		r.tell(added(newGauge("", 1)), added(g))
		g.Value = 2
		r.stop()
		assert.Len(t, r.take(), 1)
	})
}

// painted is an object whose encoding waits, once, when it has read the color.
type painted struct {
	gauge
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
	var found []string
	w := (&Detector{OnMutation: func(err *Error) {
		found = append(found, fmt.Sprint(err.Key, " ", err.Changes))
	}}).Watch("", deltafifo.DeletionHandlingKeyFunc(nil), slog.New(slog.DiscardHandler))
	obj := &painted{gauge: *newGauge("a", 1), color: "red",
		read: make(chan struct{}), resume: make(chan struct{})}
	w.distributed([]processor.Notification{added(obj)})
	obj.waits.Store(true)
	remembered := w.objects["a"]
	var comparing sync.WaitGroup
	comparing.Go(func() { w.compare(remembered, "late") })
	<-obj.read
	obj.color = "blue"
	var ended atomic.Bool
	comparing.Go(func() {
		w.compare(remembered, "quick")
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
	w.Finish()
	assert.Equal(t, []string{`a [the object: "red" → "blue"]`}, found, "one change, found once")
}
