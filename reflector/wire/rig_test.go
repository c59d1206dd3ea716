package wire

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
)

const ms = time.Millisecond

// memStore is a [reflector.Store] whose content can be read.
type memStore struct {
	mu      sync.Mutex
	objects map[string]string // name → version
}

func (s *memStore) Add(obj watchglass.Object) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[obj.GetName()] = obj.GetResourceVersion()
	return nil
}

func (s *memStore) Update(obj watchglass.Object) error { return s.Add(obj) }

func (s *memStore) Delete(obj watchglass.Object) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.objects, obj.GetName())
	return nil
}

func (s *memStore) Replace(list []watchglass.Object, _ string) error {
	s.mu.Lock()
	s.objects = map[string]string{}
	s.mu.Unlock()
	var err error
	for _, obj := range list {
		err = errors.Join(err, s.Add(obj))
	}
	return err
}

func (s *memStore) Resync() error { return nil }

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

// A rig is a reflector that lists and watches through a client, and notes what it does.
type rig struct {
	*server
	c     *Client
	store *memStore
	r     *reflector.Reflector

	mu     sync.Mutex
	errs   []string // that WatchErrorHandler got
	pauses []time.Duration

	stop func() // ends Run and waits for it
}

// newRig prepares a rig without jitter, in a bubble; change may alter the options.
func newRig(t testing.TB, change ...func(*reflector.Options)) *rig {
	g := &rig{server: newServer(t), store: &memStore{objects: map[string]string{}}}
	g.c = g.client(t)
	opts := reflector.Options{
		ListerWatcher: g.c,
		Store:         g.store,
		ListTimeout:   24 * time.Hour, // play ends with a list that is not answered
		ListFirst:     true,
		Backoff:       reflector.Backoff{Jitter: -1},
		Trace:         &reflector.Trace{BackingOff: func(d time.Duration) { note(g, &g.pauses, d) }},
		WatchErrorHandler: func(err error) {
			note(g, &g.errs, err.Error())
		},
	}
	for _, f := range change {
		f(&opts)
	}
	r, err := reflector.New(opts)
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

func checkErrors(t *testing.T, g *rig, want []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if assert.Len(t, g.errs, len(want), "%q", g.errs) {
		for i, w := range want {
			assert.Contains(t, g.errs[i], w)
		}
	}
}
