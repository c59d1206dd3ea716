package reflector

import (
	"errors"
	"io"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everyTrace calls every method of a trace.
func everyTrace(t *Trace) {
	t.transition(Transition{}, nil)
	t.backingOff(0)
	t.listing(ListOptions{})
	t.listed(0, "", false)
	t.opening(ListOptions{})
	t.opened(ListOptions{})
	t.event(Event{})
	t.skipped(nil)
	t.storeRefused(nil)
	t.versionWentBack("", "")
	t.ended(0, 0, nil)
	t.resynced(nil)
	t.failed(nil)
}

func TestTraceOfNobody(t *testing.T) {
	for _, trace := range []*Trace{nil, {}} {
		assert.Zero(t, testing.AllocsPerRun(100, func() { everyTrace(trace) }),
			"when nobody watches, watching allocates nothing")
	}
}

func TestTraceHasACallForEveryFunc(t *testing.T) {
	called := map[string]bool{}
	var trace Trace
	v := reflect.ValueOf(&trace).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		v.Field(i).Set(reflect.MakeFunc(v.Field(i).Type(), func([]reflect.Value) []reflect.Value {
			called[name] = true
			return nil
		}))
	}
	everyTrace(&trace)
	assert.Len(t, called, v.NumField(), "no func of Trace is forgotten")
}

func TestTraceOfALife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		add := func(what string) { seen = append(seen, what) }
		g := newRig(t, func(o *Options) {
			o.Trace = &Trace{
				Transition:   func(tr Transition, _ error) { add(tr.String()) },
				BackingOff:   func(d time.Duration) { add("pause " + d.String()) },
				Listing:      func(o ListOptions) { add("listing " + o.ResourceVersion) },
				Listed:       func(n int, rv string, paged bool) { add("listed " + rv) },
				Opening:      func(o ListOptions) { add("opening " + o.ResourceVersion) },
				Opened:       func(o ListOptions) { add("opened " + o.ResourceVersion) },
				Event:        func(e Event) { add("event " + e.ResourceVersion) },
				Skipped:      func(err *ObjectError) { add(err.Error()) },
				StoreRefused: func(err *StoreError) { add("refused " + err.Event.ResourceVersion) },
				Ended: func(n int, d time.Duration,
					err error) {
					add("ended: " + err.Error())
				},
				Failed: func(err error) { add("failed") },
			}
		})
		g.store.refuse["delete"] = errors.New("full")
		g.play(t, list("7"), stream(event(Added, "web-1@8"), unusable(Added),
			event(Deleted, "web-1@9"), status(410, "Expired", "old")))
		assert.Equal(t, []string{
			"listing 0", "listed 7", "listing: listed → opening watch",
			"opening 7", "opened 7", "opening watch: opened → watching",
			"event 8", "skipped ADDED event: it has no object", "failed",
			"event 9", "refused 9", "failed",
			"ended: server says 410 Expired: old",
			"failed", "watching: expired, back off → listing", "pause 800ms", "listing 9",
		}, seen, "every step is told, in the order in which it happened")
	})
}

// nullStore takes everything.
type nullStore struct{}

func (nullStore) Add(watchglass.Object) error               { return nil }
func (nullStore) Update(watchglass.Object) error            { return nil }
func (nullStore) Delete(watchglass.Object) error            { return nil }
func (nullStore) Replace([]watchglass.Object, string) error { return nil }
func (nullStore) Resync() error                             { return nil }

// fixedWatch returns the same event n times, and then its end.
type fixedWatch struct {
	e Event
	n int
}

func (w *fixedWatch) Next() (Event, error) {
	if w.n--; w.n < 0 {
		return Event{}, io.EOF
	}
	return w.e, nil
}

func (w *fixedWatch) Close() error { return nil }

// eventsOnly returns a reflector in the middle of a watch that brings n events.
func eventsOnly(t testing.TB, n int, trace *Trace) (*Reflector, *session) {
	r, err := New(Options{ListerWatcher: &server{}, Store: nullStore{}, Trace: trace})
	require.NoError(t, err)
	s := r.newSession(t.Context(), ListOptions{ResourceVersion: "7"})
	t.Cleanup(func() { s.idle.Stop() })
	e := Event{Type: Modified, Object: &widget{}, ResourceVersion: "8"}
	s.watch = &fixedWatch{e: e, n: n}
	return r, s
}

func TestEventsCostNoAllocations(t *testing.T) {
	r, s := eventsOnly(t, 1000, nil)
	w := s.watch.(*fixedWatch)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		w.n = 1000
		r.events(s)
	}), "from the watch to the store an event costs no allocation")
}
