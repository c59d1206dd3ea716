package workqueue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/watchglass/docs/story"
)

// machine is a queue as a story sees it, with its workers and the goroutines that wait for it to
// drain. The commands are listed in testdata/story.template.
type machine struct {
	q       *RateLimitingQueue[string]
	running sync.WaitGroup

	mu     sync.Mutex
	actors []*actor // guarded by mu; in the order of their first command
}

// An actor is a goroutine that calls the queue: a worker or a drain.
type actor struct {
	name string
	key  string // that a worker has
	fate string // what became of its last call
}

func newMachine(t testing.TB) story.Machine {
	m := &machine{q: NewRateLimiting(ExponentialFailure[string](5*time.Millisecond, time.Minute))}
	t.Cleanup(func() {
		m.q.ShutDown()
		m.running.Wait()
	})
	return m
}

// Do implements story.Machine.
func (m *machine) Do(c story.Command) error {
	if err := c.NeedsWord("add", "get", "done", "drain"); err != nil {
		return err
	}
	a := m.actor(c)
	if a != nil && m.fateOf(a) == "waits" {
		return fmt.Errorf("%s waits already", a.name)
	}
	switch c.Name {
	case "add":
		for _, key := range c.Args() {
			m.q.Add(key)
		}
	case "get":
		m.call(a, func() (key, fate string) {
			key, down := m.q.Get()
			if down {
				return "", "has ended: the queue is shut down and empty"
			}
			return key, "has " + key
		})
	case "done":
		return m.done(a, c)
	case "drain":
		limit, err := time.ParseDuration(c.Opt("limit", "1h"))
		if err != nil {
			return err
		}
		m.call(a, func() (key, fate string) {
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			defer cancel()
			if err := m.q.ShutDownWithDrain(ctx); err != nil {
				return "", "has returned: " + err.Error()
			}
			return "", "has returned"
		})
	case "shutdown":
		m.q.ShutDown()
	default:
		return c.Unknown()
	}
	return nil
}

// actor returns the actor that a command is about, nil if it is about none.
func (m *machine) actor(c story.Command) *actor {
	if c.Name != "get" && c.Name != "done" && c.Name != "drain" {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	at := slices.IndexFunc(m.actors, func(a *actor) bool { return a.name == c.Arg(0) })
	if at < 0 {
		at = len(m.actors)
		m.actors = append(m.actors, &actor{name: c.Arg(0)})
	}
	return m.actors[at]
}

// call lets an actor call the queue, on a goroutine that waits for the result.
func (m *machine) call(a *actor, ask func() (key, fate string)) {
	m.become(a, "", "waits")
	m.running.Go(func() {
		key, fate := ask()
		m.become(a, key, fate)
	})
}

func (m *machine) become(a *actor, key, fate string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a.key, a.fate = key, fate
}

func (m *machine) fateOf(a *actor) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return a.fate
}

func (m *machine) done(a *actor, c story.Command) error {
	if a.key == "" {
		return fmt.Errorf("%s has no key", a.name)
	}
	if c.Opt("failed", "") == "yes" {
		m.q.AddRateLimited(a.key)
	}
	if c.Opt("forget", "") == "yes" {
		m.q.Forget(a.key)
	}
	m.q.Done(a.key)
	m.become(a, "", "is idle")
	return nil
}

// State implements story.Machine.
func (m *machine) State() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	for _, a := range m.actors {
		fmt.Fprintln(&b, a.name, a.fate)
	}
	m.q.mu.Lock()
	defer m.q.mu.Unlock()
	fmt.Fprintln(&b, "queue     ", m.queued())
	fmt.Fprintln(&b, "dirty     ", m.keys(dirty))
	fmt.Fprintln(&b, "processing", m.keys(processing))
	for _, wait := range m.q.waiting {
		fmt.Fprintf(&b, "%s will be added in %v\n", wait.item, time.Until(wait.due))
	}
	return b.String()
}

// queued returns the keys in the order in which they will be handed out.
func (m *machine) queued() []string {
	keys := []string{}
	for i := range m.q.order.len() {
		keys = append(keys, m.q.order.at(i))
	}
	return keys
}

// keys returns the keys that are in a state, sorted.
func (m *machine) keys(in state) []string {
	keys := []string{}
	for key, is := range m.q.items {
		if is&in != 0 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
