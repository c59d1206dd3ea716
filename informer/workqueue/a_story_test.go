package workqueue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/watchglass/docs/tools/story"
)

// TestStories plays testdata/*.story. Read them with go test -v -run Stories ./informer/workqueue.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story", newMachine)
}

// machine is a queue as a story sees it, with its workers and the goroutines that wait for it to
// drain. The commands are listed in testdata/story.template.
type machine struct {
	q       *RateLimitingQueue[string]
	running sync.WaitGroup

	mu    sync.Mutex
	names []string          // of workers and drains, as they came; guarded by mu
	fates map[string]string // by name: what became of the last call; guarded by mu
}

func newMachine(t testing.TB) story.Machine {
	m := &machine{q: NewRateLimiting(ExponentialFailure[string](5*time.Millisecond, time.Minute)),
		fates: map[string]string{}}
	t.Cleanup(func() {
		m.q.ShutDown()
		m.running.Wait()
	})
	return m
}

func (m *machine) Do(c story.Command) error {
	if err := c.NeedsWord("add", "get", "done", "drain"); err != nil {
		return err
	}
	switch c.Name {
	case "add":
		for _, key := range c.Args() {
			m.q.Add(key)
		}
	case "get":
		m.call(c.Arg(0), func() string {
			if key, down := m.q.Get(); !down {
				return "has " + key
			}
			return "gets no key: the queue is shut down and empty"
		})
	case "done":
		return m.done(c)
	case "drain":
		limit, err := time.ParseDuration(c.Opt("limit", "1h"))
		m.call(c.Arg(0), func() string {
			ctx, cancel := context.WithTimeoutCause(context.Background(), limit,
				errors.New("the workers have left"))
			defer cancel()
			if err := m.q.ShutDownWithDrain(ctx); err != nil {
				return "has returned: " + err.Error()
			}
			return "has returned"
		})
		return err
	default:
		return c.Unknown()
	}
	return nil
}

// call lets a worker or a drain call the queue, on a goroutine that waits for the result.
func (m *machine) call(name string, ask func() (fate string)) {
	m.become(name, "waits")
	m.running.Go(func() { m.become(name, ask()) })
}

// become sets a fate and returns the one before.
func (m *machine) become(name, fate string) (was string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.names, name) {
		m.names = append(m.names, name)
	}
	was, m.fates[name] = m.fates[name], fate
	return was
}

func (m *machine) done(c story.Command) error {
	key, has := strings.CutPrefix(m.become(c.Arg(0), "is idle"), "has ")
	if !has {
		return fmt.Errorf("%s has no key", c.Arg(0))
	}
	if c.Opt("failed", "") == "yes" {
		m.q.AddRateLimited(key)
	}
	if c.Opt("forget", "") == "yes" {
		m.q.Forget(key)
	}
	m.q.Done(key)
	return nil
}

func (m *machine) State() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.q.mu.Lock()
	defer m.q.mu.Unlock()
	var b strings.Builder
	for _, name := range m.names {
		fmt.Fprintln(&b, name, m.fates[name])
	}
	fmt.Fprintf(&b, "queue      %s\ndirty      %s\nprocessing %s\n",
		m.q.order, m.keys(dirty), m.keys(processing))
	for _, wait := range m.q.waiting {
		fmt.Fprintf(&b, "%s will be added in %v\n", wait.item, time.Until(wait.due))
	}
	return b.String()
}

func (m *machine) keys(is state) (keys []string) {
	for key, state := range m.q.items {
		if state&is != 0 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
