package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
)

// A guest is a handler in a storm. Its checker checks each call and passes it on to the guest's own
// handler, which works, calls back, and checks what a checker cannot know.
type guest struct {
	name         string
	storm        *storm
	of           *watcher
	takes        time.Duration
	panics       string // the name of an object that it panics on
	random       *rand.Rand
	drain        bool
	checker      *Checker
	registration *processor.Registration

	mu       sync.Mutex
	removed  bool
	joined   bool // after its informer had synced
	initials int  // adds that were marked initial
	others   int  // other calls
	broken   []error
}

// join adds a handler. It is called by handlers, too.
func (s *storm) join(name, which string, c story.Command) {
	w := s.informers[which]
	g := &guest{
		name: name, storm: s, of: w,
		takes: duration(c, "takes"), panics: c.Opt("panics", "-"), drain: c.Opt("drain", "") == "yes",
	}
	if c.Opt("acts", "") == "yes" {
		g.random = rand.New(rand.NewPCG(uint64(len(name)), uint64(name[len(name)-1])))
	}
	g.joined = w.HasSynced()
	g.checker = NewChecker(processor.ResourceEventHandlerFuncs{
		AddFunc:    func(obj watchglass.Object, initial bool) { g.called(obj, initial) },
		UpdateFunc: func(_, obj watchglass.Object) { g.called(obj, false) },
		DeleteFunc: func(obj watchglass.Object) { g.called(obj, false) },
	}, w.cache)
	r, err := w.AddEventHandler(g.checker, processor.HandlerOptions{
		Name: g.name, Drain: g.drain, ResyncPeriod: duration(c, "resync"),
	})
	if err != nil {
		if !errors.Is(err, watchglass.ErrStopped) {
			s.breaks("join", err)
		}
		return
	}
	g.checker.Registered(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	g.registration = r
	s.guests = append(s.guests, g)
}

// rush adds handlers while another goroutine changes objects. Handlers that join between two steps
// of the process loop must miss nothing and get nothing twice. The last two stay.
func (s *storm) rush(which, name string, times int) {
	resource := s.informers[which].resource
	s.writers.Go(func() {
		for n := range 3 * times {
			s.write("touch", resource, fmt.Sprint("web-", n%firstObjects), fmt.Sprint("rush-", n))
		}
	})
	for n := range times {
		s.join(fmt.Sprint(name, ".", n), which, story.Command{})
		if n > 2 {
			s.leave(fmt.Sprint(name, ".", n-2), false)
		}
	}
}

// called notes a call, works and calls back.
func (g *guest) called(obj watchglass.Object, initial bool) {
	g.mu.Lock()
	switch {
	case !initial:
		g.others++
	case g.joined && g.others > 0:
		g.broken = append(g.broken, fmt.Errorf("%s is added as initial after other calls", obj.GetName()))
		fallthrough
	default:
		g.initials++
	}
	calls := g.initials + g.others
	g.mu.Unlock()
	time.Sleep(g.takes)
	if g.random != nil && calls < 100 {
		g.act() // not more often, or a crowd of objects would make a crowd of handlers
	}
	if obj.GetName() == g.panics {
		panic("no " + g.panics)
	}
}

// act calls the informer from within a call of a handler.
func (g *guest) act() {
	ctx, cancel := context.WithTimeout(g.storm.ctx, 5*time.Millisecond)
	defer cancel()
	switch g.random.IntN(20) {
	case 0:
		if len(g.name) < 12 { // handlers of handlers of handlers
			g.storm.join(g.name+"+", g.of.name, story.Command{})
		}
	case 1:
		g.storm.leave(g.name, g.random.IntN(2) == 0)
	case 2:
		_ = g.of.AddIndexers(indexer.Indexers{fmt.Sprint("more-", g.random.IntN(5)): colorOf})
	case 3:
		_ = g.of.WaitFor(ctx, "default/web-1", g.of.LastSyncResourceVersion())
	case 4:
		g.of.Stats()
		informer.Typed[*labelled](g.of.SharedIndexInformer).Lister().Namespace("default").List()
	case 5:
		g.storm.server.DropWatches()
	}
}

// leave removes the handlers of that name. If it is to wait, it waits for no longer than a minute:
// a handler that waits for its own end would wait forever.
func (s *storm) leave(name string, wait bool) {
	for _, g := range s.all() {
		if g.name != name {
			continue
		}
		g.mu.Lock()
		g.removed = true
		g.mu.Unlock()
		if wait {
			ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
			_ = g.of.ShutDownEventHandler(ctx, g.registration)
			cancel()
		} else {
			_ = g.of.RemoveEventHandler(g.registration)
		}
	}
}

// isRemoved reports whether the guest was removed, and takes what was counted so far.
func (g *guest) isRemoved() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.removed
}

// atRest reports whether nothing waits for the guest and, if it was removed, its last call has
// returned. That can take a minute: see leave.
func (g *guest) atRest() bool {
	if !g.isRemoved() {
		return g.registration.Pending() == 0
	}
	select {
	case <-g.registration.Ended():
		return true
	default:
		return false
	}
}

// err returns what was wrong with the guest's calls so far.
func (g *guest) err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return errors.Join(append(g.broken, g.checker.Err())...)
}

// agrees checks that the contract was kept, now that all is at rest.
func (g *guest) agrees() error {
	switch removed := g.isRemoved(); {
	case !g.atRest():
		return fmt.Errorf("%d notifications still wait, or it was removed and has not ended (%v)",
			g.registration.Pending(), removed)
	case removed:
		return g.err()
	case !g.registration.HasSynced():
		return errors.New("has not synced")
	}
	if err := g.err(); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if strings.HasPrefix(g.name, "witness ") && g.initials != firstObjects {
		return fmt.Errorf("%d adds were marked initial: want %d", g.initials, firstObjects)
	}
	return g.checker.Settled()
}
