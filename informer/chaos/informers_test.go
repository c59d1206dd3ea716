package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/mutation"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
)

// A watcher is an informer and what it watches.
type watcher struct {
	*informer.SharedIndexInformer // nil for the plain informer
	name, resource                string
	cache                         *indexer.Indexer
	run                           func(context.Context) error
	checker                       *Checker // of the plain informer's only handler
}

// newInformers makes the informers, each of which keeps its copy in another way:
//
//	streamed  widgets, by streams
//	listed    widgets, by lists, with resyncs and a transform that sometimes fails
//	paged     configmaps, by lists of two
//	plain     widgets, without a processor: its only handler is called by the process loop
func (s *storm) newInformers() {
	s.informers = map[string]*watcher{
		"streamed": s.newShared("streamed", "widgets", informer.Options{}),
		"listed": s.newShared("listed", "widgets", informer.Options{
			Reflector: reflector.Options{ListFirst: true}, ResyncPeriod: 10 * time.Minute,
			Transform: s.transform,
		}),
		"paged": s.newShared("paged", "configmaps", informer.Options{
			Reflector:    reflector.Options{ListFirst: true, PageSize: 2},
			ResyncPeriod: 20 * time.Minute,
		}),
	}
	h := &lateBound{}
	cache, c := informer.NewInformer(s.options("widgets", informer.Options{}), h)
	h.Checker = NewChecker(nil, cache)
	s.informers["plain"] = &watcher{
		resource: "widgets", cache: cache, run: c.Run, checker: h.Checker,
	}
}

// lateBound is a handler whose checker is set later: the checker needs the cache, and NewInformer
// needs the handler before it returns the cache.
type lateBound struct{ *Checker }

func (s *storm) newShared(name, resource string, o informer.Options) *watcher {
	o.OnPanic = func(string, processor.Notification, any) {}
	// It compares seldom: after each call of a handler, and before an object leaves the cache, it
	// does so anyway.
	o.MutationDetector = &mutation.Detector{
		Period: 10 * time.Minute, OnMutation: func(err *mutation.Error) { s.breaks("mutation", err) },
	}
	i := informer.NewSharedIndexInformer(s.options(resource, o))
	return &watcher{
		SharedIndexInformer: i, name: name, resource: resource, cache: i.GetIndexer(), run: i.Run,
	}
}

// collections are those that informers watch and writers change.
var collections = map[string]client.Options{
	"widgets": {URL: fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
		Kind: "Widget", APIVersion: "workshop.example.dev/v1"},
	"configmaps": {URL: fakeapi.URL + "/api/v1/configmaps", Kind: "ConfigMap", APIVersion: "v1"},
}

// options adds to o what all informers have.
func (s *storm) options(resource string, o informer.Options) informer.Options {
	collection := collections[resource]
	collection.HTTPClient = s.server.Client()
	watched, err := client.New[labelled](collection)
	require.NoError(s.t, err)
	o.ListerWatcher, o.Name, o.Queue = patient{watched}, resource, s.queue
	o.Indexers = indexer.Indexers{"color": colorOf}
	o.Reflector.Backoff.Jitter = -1
	o.WatchErrorHandler = func(error) {}
	return o
}

// A labelled is an object with labels. It has its kind, so that the client can refuse an object of
// another kind.
type labelled struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta `json:"metadata"`
}

func (l *labelled) GetKind() string       { return l.Kind }
func (l *labelled) GetAPIVersion() string { return l.APIVersion }

// patient asks for watches of always the same length. The reflector would choose it at random.
type patient struct{ *client.Client[labelled] }

func (p patient) Watch(ctx context.Context, o reflector.ListOptions) (reflector.Watch, error) {
	o.TimeoutSeconds = 400
	return p.Client.Watch(ctx, o)
}

// colorOf is an IndexFunc that refuses one of the colors.
func colorOf(obj watchglass.Object) ([]string, error) {
	color := obj.(*labelled).Labels["color"]
	if color == "none" {
		return nil, errors.New("no color")
	}
	return []string{color}, nil
}

// transform refuses some objects and marks all others.
func (s *storm) transform(obj watchglass.Object) (watchglass.Object, error) {
	if s.refusals.Add(-1) >= 0 {
		s.refused.Store(obj.GetName(), obj.GetResourceVersion())
		return nil, fmt.Errorf("%s is refused", obj.GetName())
	}
	marked := *obj.(*labelled)
	marked.Annotations = map[string]string{"marked": "yes"}
	return &marked, nil
}

// agrees compares the cache with the server, and the index with the cache. An object whose present
// state was refused may have any state in the cache, or none.
func (w *watcher) agrees(server *fakeapi.Server, marked bool, refused *sync.Map) error {
	items, _, err := server.List(w.resource, "")
	if err != nil {
		return err
	}
	want, got := map[string]string{}, map[string]string{}
	for _, item := range items {
		var obj labelled
		if err := json.Unmarshal(item, &obj); err != nil {
			return err
		}
		want[obj.Name] = obj.ResourceVersion
	}
	byColor := map[string]int{}
	for _, obj := range w.cache.List() {
		got[obj.GetName()] = obj.GetResourceVersion()
		if (obj.(*labelled).Annotations["marked"] == "yes") != marked {
			return fmt.Errorf("%s was transformed: %v", obj.GetName(), !marked)
		}
		if values, err := colorOf(obj); err == nil {
			byColor[values[0]]++
		}
	}
	for name, version := range want {
		if last, ok := refused.Load(name); ok && marked && last == version {
			delete(want, name)
			delete(got, name)
		}
	}
	if !maps.Equal(want, got) {
		return fmt.Errorf("the server holds %v, the cache %v", want, got)
	}
	for color, objects := range byColor {
		if held, err := w.cache.ByIndex("color", color); len(held) != objects {
			return fmt.Errorf("index color=%s holds %v (%v), the cache %d", color, held, err, objects)
		}
	}
	if colors := w.cache.ListIndexFuncValues("color"); len(colors) != len(byColor) {
		return fmt.Errorf("the index has colors %v, the cache %v", colors, byColor)
	}
	if w.checker != nil {
		return w.checker.Settled()
	}
	return nil
}
