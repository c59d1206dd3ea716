package informer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/docs/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/contract"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
)

// storm is a machine like house, for scripts made at random: a server of two resources and
// an informer for each of three ways to keep a copy. Its commands never fail: an object that exists
// is not created, one that does not exist is not deleted. They are
//
//	create, touch, delete RESOURCE NAME   color=C; an object whose color is "none" is refused by an
//	           index
//	write RESOURCE seed=N times=N         so many random writes, while the story goes on
//	fault KIND verb=V resource=R count=N after=N code=N delay=D retry=D
//	compact, drop, reset, heal            of the server: history, watches, connections, faults
//	join INFORMER HANDLER...              takes=D drain=yes resync=D panics=NAME
//	leave HANDLER, shut HANDLER           remove, or remove and wait
//	index INFORMER NAME                   add an index
//	agree                                 the server heals, time passes, and all is compared
//	break HOW                             fails in one of several ways, for the law about children
type storm struct {
	t         testing.TB
	server    *fakeapi.Server
	queue     informer.QueueKind
	informers map[string]*stormInformer
	ctx       context.Context
	stop      context.CancelFunc
	running   sync.WaitGroup // informers
	writers   sync.WaitGroup
	guests    []*guest
	broken    []error // found by agree and end
	agreed    bool    // agree was called since State
}

// A stormInformer is an informer and what it watches.
type stormInformer struct {
	*informer.SharedIndexInformer
	resource string
}

// A guest is a handler in a storm.
type guest struct {
	name         string
	of           *stormInformer
	checker      *contract.Checker
	registration *processor.Registration
	removed      bool
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
type patient struct{ *wire.Client }

func (p patient) Watch(ctx context.Context, o reflector.ListOptions) (reflector.Watch, error) {
	o.TimeoutSeconds = 400
	return p.Client.Watch(ctx, o)
}

// newStorm returns a storm whose informers run. The caller must call end.
func newStorm(t testing.TB, queue informer.QueueKind) *storm {
	s := &storm{t: t, queue: queue, server: fakeapi.New(fakeapi.Options{HistoryCount: 50})}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.informers = map[string]*stormInformer{
		"streamed": s.newInformer("widgets", reflector.Options{}, 0),
		"listed":   s.newInformer("widgets", reflector.Options{ListFirst: true}, time.Minute),
		"paged": s.newInformer("configmaps",
			reflector.Options{ListFirst: true, PageSize: 2}, 10*time.Minute),
	}
	for _, i := range s.informers {
		s.running.Go(func() { _ = i.Run(s.ctx) })
	}
	synctest.Wait() // a handler that joins before Run may shorten the period of all resyncs
	return s
}

func (s *storm) newInformer(
	resource string, o reflector.Options, resync time.Duration,
) *stormInformer {
	options := map[string]wire.ClientOptions{
		"widgets": {URL: fakeapi.URL + "/apis/workshop.example.dev/v1/widgets",
			Kind: "Widget", APIVersion: "workshop.example.dev/v1"},
		"configmaps": {URL: fakeapi.URL + "/api/v1/configmaps", Kind: "ConfigMap", APIVersion: "v1"},
	}[resource]
	options.HTTPClient = s.server.Client()
	client, err := wire.NewClient[labelled](options)
	if err != nil {
		s.t.Fatal(err)
	}
	o.Backoff.Jitter = -1
	o.WatchErrorHandler = func(error) {}
	return &stormInformer{
		resource: resource,
		SharedIndexInformer: informer.NewSharedIndexInformer(informer.Options{
			ListerWatcher:    patient{client},
			Name:             resource,
			Indexers:         indexer.Indexers{"color": colorOf},
			Queue:            s.queue,
			ResyncPeriod:     resync,
			Reflector:        o,
			OnPanic:          func(string, processor.Notification, any) {},
			MutationDetector: noFindings(s.t),
		}),
	}
}

// colorOf is an IndexFunc that refuses one of the colors.
func colorOf(obj watchglass.Object) ([]string, error) {
	color := obj.(*labelled).Labels["color"]
	if color == "none" {
		return nil, errors.New("no color")
	}
	return []string{color}, nil
}

// end stops everything. The bubble fails if a goroutine is left.
func (s *storm) end() {
	s.writers.Wait()
	s.stop()
	s.running.Wait()
	for _, g := range s.guests {
		<-g.registration.Ended()
	}
	s.server.Close()
	if len(s.broken) == 0 { // otherwise the same error would be reported twice
		for _, g := range s.guests {
			s.breaks("handler "+g.name+", at the end of its informer", g.checker.Err())
		}
	}
}

// breaks notes what went wrong; a nil err is nothing.
func (s *storm) breaks(where string, err error) {
	if err != nil {
		s.broken = append(s.broken, fmt.Errorf("%s: %w", where, err))
	}
}

// Do implements story.Machine.
func (s *storm) Do(c story.Command) error {
	switch c.Name {
	case "create", "touch", "delete":
		s.write(c.Name, c.Arg(0), c.Arg(1), c.Opt("color", "red"))
	case "write":
		s.writeOften(c.Arg(0), number(c, "seed"), number(c, "times"))
	case "fault":
		s.inject(c)
	case "compact":
		s.server.Compact()
	case "drop":
		s.server.DropWatches()
	case "reset":
		s.server.DropConnections()
	case "heal":
		s.server.Heal()
	case "join":
		for _, name := range c.Args()[1:] {
			s.join(name, c)
		}
	case "leave", "shut":
		s.leave(c.Arg(0), c.Name == "shut")
	case "index":
		_ = s.informers[c.Arg(0)].AddIndexers(indexer.Indexers{c.Arg(1): colorOf}) // or it exists
	case "agree":
		s.agree()
	case "break":
		s.sabotage(c.Arg(0))
	default:
		return c.Unknown()
	}
	return nil
}

func (s *storm) write(verb, resource, name, color string) {
	labels := map[string]any{"color": color}
	switch verb {
	case "create":
		_, _ = s.server.Create(resource, map[string]any{"metadata": map[string]any{
			"name": name, "namespace": "default", "labels": labels,
		}})
	case "touch":
		patch, _ := json.Marshal(map[string]any{"metadata": map[string]any{"labels": labels}})
		_, _ = s.server.Patch(resource, "default", name, string(patch))
	case "delete":
		_ = s.server.Delete(resource, "default", name)
	}
}

// writeOften starts a writer. It writes in bursts, so that handlers join and leave in the middle.
func (s *storm) writeOften(resource string, seed, times int) {
	s.writers.Go(func() {
		random := rand.New(rand.NewPCG(uint64(seed), 0))
		for range times {
			if random.IntN(5) == 0 {
				time.Sleep(time.Duration(random.IntN(5000)) * time.Millisecond)
			}
			s.write(randomWrite(random), resource, randomName(random), randomColor(random))
		}
	})
}

func (s *storm) inject(c story.Command) {
	s.server.Inject(fakeapi.Fault{
		Kind: fakeapi.FaultKind(c.Arg(0)), Verb: c.Opt("verb", ""), Resource: c.Opt("resource", ""),
		Count: number(c, "count"), After: number(c, "after"), Code: number(c, "code"),
		Delay: duration(c, "delay"), RetryAfter: duration(c, "retry"),
	})
}

func (s *storm) join(name string, c story.Command) {
	i := s.informers[c.Arg(0)]
	g := &guest{name: name, of: i}
	takes, panics := duration(c, "takes"), c.Opt("panics", "-")
	work := func(obj watchglass.Object) {
		time.Sleep(takes)
		if obj.GetName() == panics {
			panic("no " + panics)
		}
	}
	g.checker = contract.New(processor.ResourceEventHandlerFuncs{
		AddFunc:    func(obj watchglass.Object, _ bool) { work(obj) },
		UpdateFunc: func(_, obj watchglass.Object) { work(obj) },
		DeleteFunc: work,
	}, i.GetIndexer())
	r, err := i.AddEventHandler(g.checker, informer.HandlerOptions{
		Name: g.name, Drain: c.Opt("drain", "") == "yes", ResyncPeriod: duration(c, "resync"),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	g.checker.Registered(r)
	g.registration = r
	s.guests = append(s.guests, g)
}

func (s *storm) leave(name string, wait bool) {
	for _, g := range s.guests {
		switch {
		case g.name != name:
		case wait:
			g.removed = true
			_ = g.of.ShutDownEventHandler(s.ctx, g.registration)
		default:
			g.removed = true
			_ = g.of.RemoveEventHandler(g.registration)
		}
	}
}

func number(c story.Command, name string) int {
	n, _ := strconv.Atoi(c.Opt(name, "0"))
	return n
}

func duration(c story.Command, name string) time.Duration {
	d, _ := time.ParseDuration(c.Opt(name, "0s"))
	return d
}

// sabotage fails in one of the ways in which a defect of the informer could fail.
func (s *storm) sabotage(how string) {
	never := make(chan struct{})
	switch how {
	case "disagreement":
		s.broken = append(s.broken, errors.New("the cache holds web-1, and the server does not"))
	case "panic":
		go panic("a goroutine panics")
	case "leak":
		go func() { <-never }()
	case "hang":
		<-never
	}
}
