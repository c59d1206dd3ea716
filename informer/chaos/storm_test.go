package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
)

// storm is the machine of the scripts: a server of two resources and the informers of newInformers.
// Its commands never fail: an object that exists is not created, one that does not exist is not
// deleted. They are
//
//	create, touch, delete RESOURCE NAME   color=C; an object whose color is "none" is refused by an
//	           index
//	write RESOURCE seed=N times=N         so many random writes, while the story goes on
//	crowd RESOURCE times=N                so many new objects, while the story goes on
//	fault KIND agent=A verb=V count=N after=N code=N delay=D retry=D
//	compact, drop, reset, heal            of the server: history, watches, connections, faults
//	refuse times=N                        the next transforms of informer "listed" fail
//	join INFORMER HANDLER...              takes=D drain=yes resync=D panics=NAME acts=yes
//	rush INFORMER HANDLER times=N         so many join at once, while objects change; most leave
//	leave HANDLER, shut HANDLER           remove, or remove and wait
//	index INFORMER NAME                   add an index
//	await INFORMER NAME                   change an object and wait until the cache shows it
//	agree                                 the server heals, time passes, and all is compared
//	stop                                  the informers are stopped as they are
type storm struct {
	t         testing.TB
	server    *fakeapi.Server
	queue     informer.QueueKind
	informers map[string]*watcher
	refusals  atomic.Int64 // how many transforms of informer "listed" fail from now on
	refused   sync.Map     // by name: the version of the object for which a transform failed last
	ctx       context.Context
	stop      context.CancelFunc
	running   sync.WaitGroup // informers
	writers   sync.WaitGroup
	shown     string // what agree or stop has found, until State is called

	mu     sync.Mutex
	guests []*guest
	broken []error
}

// newStorm returns a storm whose informers run and have listed three widgets and three configmaps.
// The caller must call end.
func newStorm(t testing.TB, queue informer.QueueKind) *storm {
	s := &storm{t: t, queue: queue, server: fakeapi.New(fakeapi.Options{HistoryBytes: 64 << 10})}
	s.ctx, s.stop = context.WithCancel(context.Background())
	for n := range firstObjects {
		s.write("create", "widgets", fmt.Sprint("web-", n), "red")
		s.write("create", "configmaps", fmt.Sprint("web-", n), "red")
	}
	s.newInformers()
	for name, w := range s.informers {
		if w.SharedIndexInformer != nil {
			s.join("witness of "+name, name, story.Command{})
		}
		s.running.Go(func() { _ = w.run(s.ctx) })
	}
	synctest.Wait() // a handler that joins before Run may shorten the period of all resyncs
	return s
}

// firstObjects is how many objects of each resource the first list has.
const firstObjects = 3

// end stops everything. The bubble fails if a goroutine is left.
func (s *storm) end() {
	s.stop()
	s.running.Wait()
	s.writers.Wait()
	for _, g := range s.all() {
		<-g.registration.Ended()
		if len(s.broken) == 0 { // otherwise the same error would be reported twice
			s.breaks("handler "+g.name+", at the end of its informer", g.err())
		}
	}
	s.server.Close()
}

// all returns the handlers that have joined so far.
func (s *storm) all() []*guest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*guest(nil), s.guests...)
}

// breaks notes what went wrong; a nil err is nothing.
func (s *storm) breaks(where string, err error) {
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
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
	case "crowd":
		s.writers.Go(func() {
			for n := range number(c, "times") {
				s.write("create", c.Arg(0), fmt.Sprint("many-", n), "red")
			}
		})
	case "join":
		for _, name := range c.Args()[1:] {
			s.join(name, c.Arg(0), c)
		}
	case "rush":
		s.rush(c.Arg(0), c.Arg(1), number(c, "times"))
	case "leave", "shut":
		s.leave(c.Arg(0), c.Name == "shut")
	case "index":
		_ = s.informers[c.Arg(0)].AddIndexers(indexer.Indexers{c.Arg(1): colorOf}) // or it exists
	case "await":
		s.await(s.informers[c.Arg(0)], c.Arg(1))
	case "agree":
		s.agree()
	case "stop":
		s.stopNow()
	default:
		return s.mishap(c)
	}
	return nil
}

// mishap makes something fail.
func (s *storm) mishap(c story.Command) error {
	switch c.Name {
	case "fault":
		s.server.Inject(fakeapi.Fault{
			Kind: fakeapi.FaultKind(c.Arg(0)), UserAgent: c.Opt("agent", ""), Verb: c.Opt("verb", ""),
			Count: number(c, "count"), After: number(c, "after"), Code: number(c, "code"),
			Delay: duration(c, "delay"), RetryAfter: duration(c, "retry"),
		})
	case "compact":
		s.server.Compact()
	case "drop":
		s.server.DropWatches()
	case "reset":
		s.server.DropConnections()
	case "heal":
		s.server.Heal()
	case "refuse":
		s.refusals.Store(int64(number(c, "times")))
	default:
		return c.Unknown()
	}
	return nil
}

// write makes one write over HTTP and returns the version that it gave the object, "" if none is
// known. As a controller does, it tries again if there is no answer, or an error that passes. Then
// the object may exist already, differ from the version that was read, or be gone: by its own
// attempt whose answer was lost, or by another writer. In either case there is no more to do.
func (s *storm) write(verb, resource, name, color string) string {
	o, method, path := collections[resource], http.MethodPost, ""
	obj := &labelled{ObjectMeta: watchglass.ObjectMeta{Name: name,
		Labels: map[string]string{"color": color}}}
	obj.Kind, obj.APIVersion = o.Kind, o.APIVersion
	switch verb {
	case "touch":
		held, _ := s.server.Get(resource, "default", name)
		method, path, obj.ResourceVersion = http.MethodPut, "/"+name, versionOf(held)
	case "delete":
		method, path, obj = http.MethodDelete, "/"+name, nil
	}
	url := strings.Replace(o.URL, resource, "namespaces/default/"+resource+path, 1)
	for range 5 {
		code, version := s.attempt(method, url, obj)
		if code != 0 && code != http.StatusTooManyRequests && code < 500 {
			return version
		}
		time.Sleep(time.Second)
	}
	return ""
}

// attempt sends a write, with a body unless obj is nil, and returns the version in the answer. The
// code is 0 if there is no answer.
func (s *storm) attempt(method, url string, obj *labelled) (code int, version string) {
	var body []byte
	if obj != nil {
		body, _ = json.Marshal(obj)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	req.Header.Set("User-Agent", "writer")
	resp, err := s.server.Client().Do(req)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	var answer labelled
	_ = json.NewDecoder(resp.Body).Decode(&answer)
	return resp.StatusCode, answer.ResourceVersion
}

func versionOf(document []byte) string {
	var obj labelled
	_ = json.Unmarshal(document, &obj)
	return obj.ResourceVersion
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

// await writes to an object. While the story goes on, it waits until the cache shows the write:
// then the cache must not hold an older state, and it may hold nothing only if the server has gone
// on. A state for which a transform failed, then or later, leaves the cache as it was.
func (s *storm) await(w *watcher, name string) {
	version := s.write("touch", w.resource, name, "awaited")
	if version == "" {
		return
	}
	s.writers.Go(func() {
		ctx, cancel := context.WithTimeout(s.ctx, time.Hour)
		defer cancel()
		if w.WaitFor(ctx, "default/"+name, version) != nil {
			return // faults may keep it away for an hour
		}
		if refused, ok := s.refused.Load(name); ok && w.name == "listed" {
			order, err := watchglass.CompareResourceVersion(refused.(string), version)
			if err != nil || order >= 0 {
				return
			}
		}
		held, ok, _ := w.cache.GetByKey("default/" + name)
		if !ok {
			now, err := s.server.Get(w.resource, "default", name)
			if err == nil && versionOf(now) == version {
				s.breaks("await", fmt.Errorf("the cache holds no %s, the server has it @%s", name, version))
			}
			return
		}
		order, err := watchglass.CompareResourceVersion(held.GetResourceVersion(), version)
		if err != nil || order < 0 {
			s.breaks("await", fmt.Errorf("waited for %s@%s, and the cache holds @%s",
				name, version, held.GetResourceVersion()))
		}
	})
}

func number(c story.Command, name string) int {
	n, _ := strconv.Atoi(c.Opt(name, "0"))
	return n
}

func duration(c story.Command, name string) time.Duration {
	d, _ := time.ParseDuration(c.Opt(name, "0s"))
	return d
}

// agree lets the server heal and everything come to rest, and compares server, caches, indices and
// handlers.
func (s *storm) agree() {
	s.server.Heal()
	s.refusals.Store(0)
	s.writers.Wait()
	time.Sleep(30 * time.Minute)
	s.rest()
	for _, name := range slices.Sorted(maps.Keys(s.informers)) {
		s.breaks(name, s.informers[name].agrees(s.server, name == "listed", &s.refused))
	}
	for _, g := range s.all() {
		s.breaks("handler "+g.name, g.agrees())
	}
	s.show(allAgree)
}

// stopNow stops the informers in the middle of what they do. No promise to a handler may be broken,
// and one that drains must have got all that the cache holds.
func (s *storm) stopNow() {
	s.stop()
	s.running.Wait()
	s.server.Heal()
	for _, g := range s.all() {
		<-g.registration.Ended()
		err := g.err()
		if g.drain && !g.isRemoved() {
			err = errors.Join(err, g.checker.Settled())
		}
		s.breaks("handler "+g.name+" after the stop", err)
	}
	s.show(allStopped)
}

// rest waits until all handlers are at rest.
func (s *storm) rest() {
	for range 1000 { // a resync may just have begun
		synctest.Wait()
		if !slices.ContainsFunc(s.all(), func(g *guest) bool { return !g.atRest() }) {
			return
		}
		time.Sleep(10 * time.Second)
	}
}

// show says how the script has ended, if nothing was wrong.
func (s *storm) show(good string) {
	if s.shown = good; len(s.broken) > 0 {
		s.shown = errors.Join(s.broken...).Error() + "\n"
	}
}

// State implements story.Machine. It shows only what agree or stop has found.
func (s *storm) State() string {
	defer func() { s.shown = "" }()
	return s.shown
}

const (
	allAgree   = "server, caches, indices and handlers agree\n"
	allStopped = "all has ended, and no promise was broken\n"
)
