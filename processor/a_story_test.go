package processor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// TestStories plays testdata/*.story. Read them with go test -v -run Stories ./processor.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story", newMachine)
}

// machine is a processor as a story sees it. The commands are listed in testdata/story.template.
type machine struct {
	t        testing.TB
	p        *SharedProcessor
	lanes    *story.Lanes
	cancel   context.CancelFunc
	run      sync.WaitGroup
	versions map[string]int
	answer   string // what the last command has returned, "" for most

	mu     sync.Mutex
	actors []*actor // guarded by mu; in the order in which they joined
}

// cast names all handlers that a story may have, in the order of their lanes. The goroutines cannot
// decide that order: which of them reports first differs from run to run.
var cast = []string{
	"early", "late", "fast", "slow", "hasty", "tidy", "never", "often", "rare", "shaky",
}

// An actor is one handler of a story.
type actor struct {
	name         string
	takes        time.Duration
	panics       string
	mute         bool
	registration *Registration

	current string // the call that the handler is in, or "idle"; guarded by machine.mu
	fate    string // that it was removed, and later that it has ended; guarded by machine.mu
}

func newMachine(t testing.TB) story.Machine {
	m := &machine{t: t, lanes: story.NewLanes(cast...), versions: map[string]int{}}
	m.p = New(Options{
		ResyncPeriod: time.Second,
		Trace: &Trace{
			Delivering: func(name string, n Notification) {
				m.report(name, n.String(), "← %v", n)
			},
			Delivered:       func(name string, _ Notification, _ int) { m.report(name, "idle", "") },
			ListenerRemoved: func(name string) { m.becomes(name, "  removed") },
			ListenerEnded: func(name string, dropped int) {
				m.becomes(name, fmt.Sprintf("  removed, ended, dropped %d", dropped))
			},
		},
		OnPanic: func(name string, _ Notification, recovered any) {
			m.report(name, "resting after a panic", "panic: %v", recovered)
		},
	})
	t.Cleanup(func() {
		if m.cancel != nil {
			m.cancel()
			m.run.Wait()
		}
	})
	return m
}

// report says what a handler is doing from now on and, unless the format is empty, what has
// happened.
func (m *machine) report(name, current, format string, args ...any) {
	a := m.actor(name, func(a *actor) { a.current = current })
	if format != "" && !a.mute {
		m.lanes.Report(name, format, args...)
	}
}

func (m *machine) becomes(name, fate string) { m.actor(name, func(a *actor) { a.fate = fate }) }

// actor returns the handler with that name, nil if there is none, and changes it first.
func (m *machine) actor(name string, change func(*actor)) *actor {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.actors, func(a *actor) bool { return a.name == name })
	if i < 0 {
		return nil
	}
	change(m.actors[i])
	return m.actors[i]
}

// Do implements story.Machine.
func (m *machine) Do(c story.Command) error {
	m.answer = ""
	switch c.Name {
	case "handler":
		return m.handler(c)
	case "distribute":
		return m.distribute(c)
	case "run":
		if m.cancel != nil {
			return errors.New("the processor runs already")
		}
		var ctx context.Context
		ctx, m.cancel = context.WithCancel(context.Background())
		m.run.Go(func() { _ = m.p.Run(ctx) }) // waited for in Cleanup
	case "stop":
		if m.cancel == nil {
			return errors.New("the processor does not run")
		}
		m.cancel()
	case "remove":
		a := m.actor(c.Arg(0), func(*actor) {})
		if a == nil {
			return fmt.Errorf("there is no handler %q", c.Arg(0))
		}
		return m.p.RemoveListener(a.registration)
	case "synced":
		m.p.UpstreamSynced()
	case "due":
		m.answer = fmt.Sprintf("a handler is due: %v\n", m.p.ShouldResync())
	default:
		return c.Unknown()
	}
	return nil
}

func (m *machine) handler(c story.Command) error {
	a := &actor{
		name: c.Arg(0), current: "idle",
		panics: c.Opt("panics", "-"), mute: c.Opt("mute", "") == "yes",
	}
	if !slices.Contains(cast, a.name) || m.actor(a.name, func(*actor) {}) != nil {
		return fmt.Errorf("expected one of %q that is not there yet, not %q", cast, a.name)
	}
	var err error
	a.takes, err = time.ParseDuration(c.Opt("takes", "0s"))
	resync, wrong := time.ParseDuration(c.Opt("resync", "-1s"))
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	var initial []watchglass.Object
	for _, name := range strings.Fields(c.Opt("initial", "")) {
		initial = append(initial, m.pod(name))
	}
	m.mu.Lock()
	m.actors = append(m.actors, a) // before AddListener: its first call may come immediately
	m.mu.Unlock()
	a.registration, err = m.p.AddListener(a, HandlerOptions{
		Name: a.name, ResyncPeriod: resync, Drain: c.Opt("drain", "") == "yes",
	}, initial)
	return err
}

// distribute gathers what is on one line, and flushes it as one batch.
func (m *machine) distribute(c story.Command) error {
	var all []Notification
	words := c.Args()
	if len(words) == 0 || len(words)%2 != 0 {
		return errors.New("expected pairs like add web-1")
	}
	for i := 0; i < len(words); i += 2 {
		name := words[i+1]
		old := m.pod(name)
		switch words[i] {
		case "add":
			all = append(all, AddNotification(old, c.Opt("initial", "") == "yes"))
		case "update":
			m.versions[name]++
			all = append(all, UpdateNotification(old, m.pod(name)))
		case "resync":
			all = append(all, UpdateNotification(old, old))
		case "delete":
			all = append(all, DeleteNotification(old))
		default:
			return fmt.Errorf("cannot distribute %q; expected add, update, resync or delete", words[i])
		}
	}
	times, err := strconv.Atoi(c.Opt("times", "1"))
	for range times {
		for _, n := range all {
			m.p.Gather(n, c.Opt("sync", "") == "yes")
		}
		m.p.Flush()
	}
	return err
}

func (m *machine) pod(name string) watchglass.Object {
	m.versions[name] = max(m.versions[name], 1)
	return pod(name, fmt.Sprint(m.versions[name]))
}

// State shows the calls of each handler, lane by lane, and then the gauges of each handler. The
// ring counts batches, everything else counts notifications.
func (m *machine) State() string {
	require.NoError(m.t, m.p.check())
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	b.WriteString(m.answer + m.lanes.String())
	for _, a := range m.actors {
		r := a.registration
		count, slots := r.listener.ringAtRest()
		fmt.Fprintf(&b, "%-5s %-24s pending %d  ring %d/%-2d  high water %d", a.name, a.current,
			r.Pending(), count, slots, r.HighWater())
		if r.HasSynced() {
			b.WriteString("  synced")
		}
		b.WriteString(a.fate + "\n")
	}
	return b.String()
}

// ringAtRest reads the ring without a lock. In a bubble that has settled that is safe, because pop
// is blocked. The race detector does not know it: pop may go on when a timer of run ends.
//
//go:norace
func (l *processorListener) ringAtRest() (count, slots int) { return l.ring.n, len(l.ring.buf) }

func (a *actor) work(obj watchglass.Object) {
	time.Sleep(a.takes)
	if obj.GetName() == a.panics {
		panic("no " + obj.GetName())
	}
}

func (a *actor) OnAdd(obj watchglass.Object, _ bool)  { a.work(obj) }
func (a *actor) OnUpdate(_, newObj watchglass.Object) { a.work(newObj) }
func (a *actor) OnDelete(obj watchglass.Object)       { a.work(obj) }
