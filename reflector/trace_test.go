package reflector

import (
	"errors"
	"io"
	"reflect"
	"strings"
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
				Ended:        func(n int, d time.Duration, err error) { add("ended: " + err.Error()) },
				Failed:       func(err error) { add("failed") },
			}
		})
		g.store.refuse["delete"] = errors.New("full")
		g.play(t, okJSON(list("7")), stream(event(Added, "web-1@8"), `{"type":"ADDED"}`,
			event(Deleted, "web-1@9"), errorFrame(410, "Expired", "old")))
		assert.Equal(t, []string{
			"listing 0", "listed 7", "listing: listed → opening watch",
			"opening 7", "opened 7", "opening watch: opened → watching",
			"event 8", "skipped ADDED event: it has no object", "failed",
			"event 9", "refused 9", "failed",
			"ended: http://server/apis/workshop.example.dev/v1/namespaces/shop/widgets: " +
				"server says 410 Expired: old",
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
	r, err := New(Options{ListerWatcher: &Client{}, Store: nullStore{}, Trace: trace})
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

// podLike is a struct with as many fields in as many levels as a Pod of 2.5 KB usually has.
type podLike struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  podSpec   `json:"spec"`
	Status                podStatus `json:"status"`
}

type podSpec struct {
	NodeName           string            `json:"nodeName"`
	ServiceAccountName string            `json:"serviceAccountName"`
	RestartPolicy      string            `json:"restartPolicy"`
	NodeSelector       map[string]string `json:"nodeSelector"`
	Containers         []podContainer    `json:"containers"`
}

type podContainer struct {
	Name  string   `json:"name"`
	Image string   `json:"image"`
	Args  []string `json:"args"`
	Env   []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"env"`
	Resources map[string]map[string]string `json:"resources"`
}

type podStatus struct {
	Phase      string `json:"phase"`
	PodIP      string `json:"podIP"`
	Conditions []struct {
		Type               string    `json:"type"`
		Status             string    `json:"status"`
		LastTransitionTime time.Time `json:"lastTransitionTime"`
	} `json:"conditions"`
}

// podJSON is about 2.5 KB, managedFields included, which nobody reads but which must be skipped.
var podJSON = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop",` +
	`"uid":"41b9e148-fc69-4f6a-bfdd-2a0f5fa10e78","resourceVersion":"156135","generation":1,` +
	`"creationTimestamp":"2026-11-20T13:27:13Z","labels":{"app":"web","tier":"front",` +
	`"pod-template-hash":"6d4b75cb6d"},"annotations":{"kubernetes.io/config.source":"api"},` +
	`"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-6d4b75cb6d",` +
	`"uid":"545176cc-063c-404d-8be3-d476c603b218","controller":true}],"managedFields":[{` +
	`"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{` +
	strings.Repeat(`"f:metadata":{"f:labels":{".":{},"f:app":{},"f:tier":{}}},`, 12) +
	`"f:spec":{}},"manager":"kubelet","operation":"Update","time":"2026-11-20T13:27:13Z"}]},` +
	`"spec":{"nodeName":"node-7","serviceAccountName":"default","restartPolicy":"Always",` +
	`"nodeSelector":{"kubernetes.io/os":"linux"},"containers":[{"name":"web","image":` +
	`"registry.example.com/shop/web:1.2.3","args":["--port=8080","--verbose"],"env":[` +
	strings.Repeat(`{"name":"SETTING","value":"some value of it"},`, 6) +
	`{"name":"LAST","value":"x"}],"resources":{"limits":{"cpu":"1","memory":"1Gi"},` +
	`"requests":{"cpu":"100m","memory":"128Mi"}}}]},"status":{"phase":"Running","podIP":` +
	`"10.0.0.7","conditions":[` +
	strings.Repeat(`{"type":"Ready","status":"True","lastTransitionTime":"2026-11-20T13:27:13Z"},`, 3) +
	`{"type":"PodScheduled","status":"True","lastTransitionTime":"2026-11-20T13:27:13Z"}]}}`

var podFrame = []byte(`{"type":"MODIFIED","object":` + podJSON + `}`)

func BenchmarkFrames(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(podFrame)) + 1)
	frames := NewFrameReader(&endless{pattern: string(podFrame) + "\n", taken: len(podFrame) + 1})
	for b.Loop() {
		if _, err := frames.Next(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeEvent(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(podFrame)))
	var d eventDecoder[podLike, *podLike]
	for b.Loop() {
		if _, err := d.decode(podFrame); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecodeList reports a list of 500 objects as one operation.
func BenchmarkDecodeList(b *testing.B) {
	b.ReportAllocs()
	doc := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[` +
		strings.Repeat(podJSON+",", 499) + podJSON + `]}`
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if _, err := DecodeList[podLike](strings.NewReader(doc)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvents is the way from the watch to the store, with nobody watching and with somebody.
func BenchmarkEvents(b *testing.B) {
	seen := 0
	for name, trace := range map[string]*Trace{
		"unwatched": nil,
		"watched":   {Event: func(Event) { seen++ }},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			r, s := eventsOnly(b, b.N, trace)
			b.ResetTimer()
			r.events(s)
		})
	}
}
