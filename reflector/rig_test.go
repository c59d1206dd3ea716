package reflector

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
)

// memStore is a Store whose content can be read, and that refuses the operations in refuse.
type memStore struct {
	mu      sync.Mutex
	objects map[string]string // name → version
	resyncs int
	refuse  map[string]error // by operation: "add", "replace", "resync" …
}

func (s *memStore) put(op string, obj watchglass.Object) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refuse[op]; err != nil {
		return err
	}
	if op == "delete" {
		delete(s.objects, obj.GetName())
		return nil
	}
	s.objects[obj.GetName()] = obj.GetResourceVersion()
	return nil
}

// failing makes the store refuse every event, or no longer.
func (s *memStore) failing(yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = map[string]error{}
	if yes {
		full := errors.New("the store is full")
		s.refuse = map[string]error{"add": full, "update": full, "delete": full}
	}
}

func (s *memStore) Add(obj watchglass.Object) error    { return s.put("add", obj) }
func (s *memStore) Update(obj watchglass.Object) error { return s.put("update", obj) }
func (s *memStore) Delete(obj watchglass.Object) error { return s.put("delete", obj) }

func (s *memStore) Replace(list []watchglass.Object, _ string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refuse["replace"]; err != nil {
		return err
	}
	s.objects = map[string]string{}
	for _, obj := range list {
		s.objects[obj.GetName()] = obj.GetResourceVersion()
	}
	return nil
}

func (s *memStore) Resync() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resyncs++
	return s.refuse["resync"]
}

// String shows the content, by name: "db-1@6 web-1@5".
func (s *memStore) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for name, version := range s.objects {
		all = append(all, name+"@"+version)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// A rig is a reflector between a server and a store, and notes what it does.
type rig struct {
	*server
	store *memStore
	r     *Reflector

	mu     sync.Mutex
	errs   []string // that WatchErrorHandler got
	traced []string // that Trace.Failed got
	steps  []string
	pauses []time.Duration
	asked  []ListOptions // of watches

	stop func() // ends Run and waits for it
}

// newRig prepares a rig without jitter, in a bubble; change may alter the options.
func newRig(t testing.TB, change ...func(*Options)) *rig {
	g := &rig{server: newServer(t), store: &memStore{
		objects: map[string]string{},
		refuse:  map[string]error{},
	}}
	opts := Options{
		ListerWatcher: g.server,
		Store:         g.store,
		ListTimeout:   24 * time.Hour, // play ends with a list that is not answered
		ListFirst:     true,
		Backoff:       Backoff{Jitter: -1},
		Trace: &Trace{
			Transition: func(tr Transition, _ error) { note(g, &g.steps, tr.String()) },
			BackingOff: func(d time.Duration) { note(g, &g.pauses, d) },
			Opening:    func(o ListOptions) { note(g, &g.asked, o) },
			Failed:     func(err error) { note(g, &g.traced, err.Error()) },
		},
		WatchErrorHandler: func(err error) { note(g, &g.errs, err.Error()) },
	}
	for _, f := range change {
		f(&opts)
	}
	r, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	g.r = r
	return g
}

func note[T any](g *rig, to *[]T, what T) {
	g.mu.Lock()
	defer g.mu.Unlock()
	*to = append(*to, what)
}

// start runs the reflector until the test ends or stop is called.
func (g *rig) start(t testing.TB) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { g.r.Run(ctx) })
	g.stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(g.stop)
}

// play gives the server its replies, runs the reflector and lets 4 minutes pass. A request for
// which there is no reply left waits.
func (g *rig) play(t testing.TB, replies ...reply) {
	for _, r := range replies {
		g.replies <- r
	}
	g.start(t)
	pass(4 * time.Minute)
}

// pass lets time pass, and then waits until all goroutines of the bubble wait.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// lists are the versions that lists asked for, in order, with their limits: `0/500 7 ""/500`. A
// further page is "+" and its limit.
func (g *rig) lists() string {
	var all []string
	for _, r := range g.requestsOf(false) {
		switch {
		case r.Continue != "" && r.ResourceVersion != "":
			all = append(all, "a version with a token, which servers refuse")
		case r.Continue != "":
			all = append(all, fmt.Sprintf("+%d", r.Limit))
		case r.Limit != 0:
			all = append(all, fmt.Sprintf("%s/%d", version(r.ResourceVersion), r.Limit))
		default:
			all = append(all, version(r.ResourceVersion))
		}
	}
	return strings.Join(all, " ")
}

// watches are the versions that watches asked for, in order: `7 8 stream:""`.
func (g *rig) watches() string {
	var all []string
	for _, r := range g.requestsOf(true) {
		v := version(r.ResourceVersion)
		if r.SendInitialEvents {
			v = "stream:" + v
		}
		all = append(all, v)
	}
	return strings.Join(all, " ")
}

func version(v string) string {
	if v == "" {
		return `""`
	}
	return v
}

func (g *rig) pausesString() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Trim(fmt.Sprint(g.pauses), "[]")
}
