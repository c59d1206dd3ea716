package reflector

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryTraceFuncIsCalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		called := map[string]bool{}
		var trace Trace
		v := reflect.ValueOf(&trace).Elem()
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			call := func([]reflect.Value) []reflect.Value {
				mu.Lock()
				defer mu.Unlock()
				called[name] = true
				return nil
			}
			v.Field(i).Set(reflect.MakeFunc(v.Field(i).Type(), call))
		}
		g := newRig(t, everything, func(o *Options) { o.Trace = &trace })
		g.store.refuse["delete"] = errors.New("full")
		g.play(t, oneOfEach...)
		mu.Lock()
		defer mu.Unlock()
		assert.Len(t, called, v.NumField(), "every func of Trace is called; these were: %v", called)
	})
}

// everything turns on all that a reflector can do. With the replies of oneOfEach, each func of a
// Trace is called.
func everything(o *Options) {
	o.ListFirst = false
	o.ResyncPeriod = time.Minute
}

var oneOfEach = []reply{
	hanging(event(Added, "web-1@5"), initialEnd("7"), event(Added, "web-2@9"), bookmark("8"),
		unusable(Added), event(Deleted, "web-1@10")),
}

func TestNoTraceIsNeeded(t *testing.T) {
	for _, trace := range []*Trace{nil, {}} {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t, everything, func(o *Options) {
				o.Trace = trace
				o.WatchErrorHandler = func(error) {}
			})
			g.store.refuse["delete"] = errors.New("full")
			g.play(t, oneOfEach...)
			assert.Equal(t, 1, g.r.Stats().Errors["store refused"], "a reflector works without a trace")
		})
	}
}

func TestTraceFuncsAreCalledInTheOrderOfTheSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		add := func(what string) { seen = append(seen, what) }
		var g *rig
		g = newRig(t, func(o *Options) {
			o.Trace = &Trace{
				Transition: func(tr Transition, _ error) { add(tr.String()) },
				BackingOff: func(d time.Duration) { add("pause " + d.String()) },
				Listing:    func(o ListOptions) { add("listing " + o.ResourceVersion) },
				Listed: func(n int, rv string, paged bool) {
					add("listed " + rv + ", store [" + g.store.String() + "]")
				},
				Opening: func(o ListOptions) { add("opening " + o.ResourceVersion) },
				Opened:  func(o ListOptions) { add("opened " + o.ResourceVersion) },
				Event: func(e Event) {
					add("event " + e.ResourceVersion + ", store [" + g.store.String() + "]")
				},
				Ended: func(n int, _ time.Duration, err error) {
					add(fmt.Sprintf("ended after %d: %v", n, err))
				},
				Failed: func(err error) { add("failed") },
			}
		})
		g.store.refuse["delete"] = errors.New("full")
		g.play(t, list("7", "web-2@5"), stream(event(Added, "web-1@8"), unusable(Added),
			event(Deleted, "web-1@9"), status(410, "Expired", "old")))
		assert.Equal(t, []string{
			"listing 0", "listed 7, store []", "listing: listed → opening watch",
			"opening 7", "opened 7", "opening watch: opened → watching",
			"event 8, store [web-2@5]", "failed",
			"event 9, store [web-1@8 web-2@5]",
			"ended after 2: store refused DELETED of \"web-1\" in namespace \"shop\" at resourceVersion \"9\": full",
			"failed", "watching: failed, back off → listing", "pause 800ms", "listing 8",
		}, seen, "the funcs are called in the order of the steps, Listed and Event before the store")
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
	s := newSession(t.Context(), ListOptions{ResourceVersion: "7"}, time.Hour)
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
