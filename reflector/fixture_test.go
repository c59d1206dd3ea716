package reflector

import (
	"cmp"
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
	"example.com/watchglass/docs/tools/story"
	"github.com/stretchr/testify/assert"
)

const ms = time.Millisecond

var inBubble = story.Bubble

// memStore is a Store whose content can be read. It takes time for each call, and refuses some.
type memStore struct {
	mu      sync.Mutex
	objects map[string]string // name → version
	calls   []string          // "replace", "add", "resync" …, and each version that it is told
	refuse  map[string]bool   // by call
	slow    map[string]time.Duration
}

var errFull = errors.New("the store is full")

// take takes the time of a call, notes it, and makes its change unless it is to be refused.
func (s *memStore) take(call string, change func()) error {
	s.mu.Lock()
	pause := s.slow[call]
	s.mu.Unlock()
	time.Sleep(pause)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
	if s.refuse[call] {
		return errFull
	}
	change()
	return nil
}

func (s *memStore) put(call string, obj watchglass.Object) error {
	if unusable, ok := obj.(*watchglass.Unusable); ok {
		return unusable
	}
	return s.take(call, func() { s.objects[obj.GetName()] = obj.GetResourceVersion() })
}

func (s *memStore) Add(obj watchglass.Object) error    { return s.put("add", obj) }
func (s *memStore) Update(obj watchglass.Object) error { return s.put("update", obj) }
func (s *memStore) Resync() error                      { return s.take("resync", func() {}) }

func (s *memStore) Delete(obj watchglass.Object) error {
	return s.take("delete", func() { delete(s.objects, obj.GetName()) })
}

func (s *memStore) Replace(list []watchglass.Object, _ string) error {
	var bad []*watchglass.Unusable
	err := s.take("replace", func() {
		before := s.objects
		s.objects = map[string]string{}
		for i, obj := range list {
			name, version := obj.GetName(), obj.GetResourceVersion()
			if unusable, ok := obj.(*watchglass.Unusable); ok {
				bad, version = append(bad, unusable), before[name]
			}
			if version != "" {
				s.objects[name] = version
			}
			list[i] = nil // the store owns the slice
		}
	})
	return cmp.Or(err, watchglass.JoinUnusable(bad))
}

func (s *memStore) UpdateResourceVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, fmt.Sprintf("%s [%s]", version, content(s.objects)))
}

// count is how often the store was called like this.
func (s *memStore) count(call string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, c := range s.calls {
		if c == call {
			n++
		}
	}
	return n
}

// String shows the content, by name: "db-1@6 web-1@5".
func (s *memStore) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return content(s.objects)
}

func content(objects map[string]string) string {
	var all []string
	for name, version := range objects {
		all = append(all, name+"@"+version)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// A fixture is a reflector between a server and a store, and notes what it does.
type fixture struct {
	*server
	store *memStore
	r     *Reflector

	mu     sync.Mutex
	errs   []string // that WatchErrorHandler got
	traced []string // that Trace.Failed got
	steps  []string
	pauses []string

	stop func() // ends Run and waits for it
}

// newFixture prepares a fixture that lists first and without jitter, in a bubble; change may be
// nil.
func newFixture(t testing.TB, change ...func(*Config)) *fixture {
	g := &fixture{server: newServer(t), store: &memStore{objects: map[string]string{},
		refuse: map[string]bool{}, slow: map[string]time.Duration{}}}
	opts := Config{
		ListerWatcher: g.server,
		Store:         g.store,
		Options:       Options{ListFirst: true, Backoff: Backoff{Jitter: -1}},
		Trace: &Trace{
			Transition: func(tr Transition, _ error) { g.note(&g.steps, tr) },
			BackingOff: func(d time.Duration) { g.note(&g.pauses, d) },
			Failed:     func(err error) { g.note(&g.traced, err) },
		},
		WatchErrorHandler: func(err error) { g.note(&g.errs, err) },
	}
	for _, f := range change {
		if f != nil {
			f(&opts)
		}
	}
	g.r = New(opts)
	return g
}

// streamFirst makes a fixture stream its lists.
func streamFirst(o *Config) { o.ListFirst = false }

func (g *fixture) note(to *[]string, what any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	*to = append(*to, fmt.Sprint(what))
}

// paused are the pauses so far: "800ms 1.6s".
func (g *fixture) paused() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Join(g.pauses, " ")
}

// start gives the server its replies and runs the reflector until the test ends or stop is called.
func (g *fixture) start(t testing.TB, replies ...reply) {
	for _, r := range replies {
		g.replies <- r
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { g.r.Run(ctx) })
	g.stop = func() {
		cancel()
		running.Wait()
		g.checkClosed()
	}
	t.Cleanup(func() { g.stop() })
}

// played is a fixture that has run for a while, with these replies. A request for which there is no
// reply left waits.
func played(t testing.TB, d time.Duration, change func(*Config), replies ...reply) *fixture {
	g := newFixture(t, change)
	g.start(t, replies...)
	pass(d)
	return g
}

// play starts the reflector and lets a minute pass.
func (g *fixture) play(t testing.TB, replies ...reply) {
	g.start(t, replies...)
	pass(time.Minute)
}

// pass lets time pass, and then waits until all goroutines of the bubble wait.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// check tests what errors there were; want is a part of each.
func (g *fixture) check(t testing.TB, want ...string) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	assert.Equal(t, g.errs, g.traced, "the trace gets the errors that the handler gets")
	if assert.Len(t, g.errs, len(want), "%q", g.errs) {
		for i, w := range want {
			assert.Contains(t, g.errs[i], w)
		}
	}
}
