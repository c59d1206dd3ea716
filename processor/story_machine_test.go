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
	"example.com/watchglass/docs/story"
)

// machine is a processor as a story sees it. The commands are listed in testdata/story.template.
type machine struct {
	t        testing.TB
	p        *SharedProcessor
	lanes    *story.Lanes
	cancel   context.CancelFunc
	run      sync.WaitGroup
	versions map[string]int
	answer   string // what the last command has returned, "" for most

	mu       sync.Mutex
	handlers []*actor // guarded by mu; in the order in which they joined
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

	mu      sync.Mutex
	current string // the call that the handler is in, or "idle"
	fate    string // "removed", and later also that it has ended
}

func newMachine(t testing.TB) story.Machine {
	m := &machine{t: t, lanes: story.NewLanes(cast...), versions: map[string]int{}}
	m.p = New(Options{
		ResyncPeriod: time.Second,
		Trace: &Trace{
			Delivering: func(name string, n Notification) {
				m.report(name, "← %v", n)
				m.actor(name).is(n.String())
			},
			Delivered:       func(name string, _ Notification) { m.actor(name).is("idle") },
			ListenerRemoved: func(name string) { m.actor(name).becomes("removed") },
			ListenerEnded: func(name string, dropped int) {
				m.actor(name).becomes(fmt.Sprintf("removed, ended, dropped %d", dropped))
			},
		},
		OnPanic: func(name string, _ Notification, recovered any) {
			m.report(name, "panic: %v", recovered)
			m.actor(name).is("resting after a panic")
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

func (m *machine) report(name, format string, args ...any) {
	if !m.actor(name).mute {
		m.lanes.Report(name, format, args...)
	}
}

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
		m.run.Go(func() { m.p.Run(ctx) }) // waited for in Cleanup
	case "stop":
		if m.cancel == nil {
			return errors.New("the processor does not run")
		}
		m.cancel()
	case "remove":
		return m.remove(c.Arg(0))
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
	if !slices.Contains(cast, a.name) {
		return fmt.Errorf("no handler may be called %q; expected one of %q", a.name, cast)
	}
	if m.has(a.name) {
		return fmt.Errorf("there is a handler %s already", a.name)
	}
	takes, err := time.ParseDuration(c.Opt("takes", "0s"))
	if err != nil {
		return err
	}
	a.takes = takes
	resync, err := time.ParseDuration(c.Opt("resync", "0s"))
	if err != nil {
		return err
	}
	var initial []watchglass.Object
	for _, name := range strings.Fields(c.Opt("initial", "")) {
		initial = append(initial, m.pod(name))
	}
	m.enter(a) // before AddListener, because its first call may come immediately
	a.registration, err = m.p.AddListener(a, ListenerOptions{
		Name: a.name, ResyncPeriod: resync, Drain: c.Opt("drain", "") == "yes",
	}, initial)
	return err
}

func (m *machine) remove(name string) error {
	if !m.has(name) {
		return fmt.Errorf("there is no handler %q", name)
	}
	return m.p.RemoveListener(m.actor(name).registration)
}

func (m *machine) has(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.handlers, func(a *actor) bool { return a.name == name })
}

func (m *machine) distribute(c story.Command) error {
	var batch []Notification
	words := c.Args()
	if len(words) == 0 || len(words)%2 != 0 {
		return errors.New("expected pairs like add web-1")
	}
	for i := 0; i < len(words); i += 2 {
		name := words[i+1]
		old := m.pod(name)
		switch words[i] {
		case "add":
			batch = append(batch, AddNotification(old, c.Opt("initial", "") == "yes"))
		case "update":
			m.versions[name]++
			batch = append(batch, UpdateNotification(old, m.pod(name)))
		case "resync":
			batch = append(batch, UpdateNotification(old, old))
		case "delete":
			batch = append(batch, DeleteNotification(old))
		default:
			return fmt.Errorf("cannot distribute %q; expected add, update, resync or delete", words[i])
		}
	}
	times, err := strconv.Atoi(c.Opt("times", "1"))
	if err != nil {
		return err
	}
	for range times {
		m.p.Distribute(batch, c.Opt("sync", "") == "yes")
	}
	return nil
}

func (m *machine) pod(name string) watchglass.Object {
	if m.versions[name] == 0 {
		m.versions[name] = 1
	}
	return pod(name, fmt.Sprint(m.versions[name]))
}

func (m *machine) enter(a *actor) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.handlers = append(m.handlers, a)
}

func (m *machine) actor(name string) *actor {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.handlers {
		if a.name == name {
			return a
		}
	}
	panic("no handler " + name)
}

// State shows the calls of each handler, lane by lane, and then the gauges of each handler. The
// ring counts batches, everything else counts notifications.
func (m *machine) State() string {
	require.NoError(m.t, m.p.check())
	var b strings.Builder
	b.WriteString(m.answer + m.lanes.String())
	for _, a := range m.handlers {
		require.NoError(m.t, a.registration.listener.checkRing())
		r, ring := a.registration, &a.registration.listener.ring
		fmt.Fprintf(&b, "%-5s %-24s pending %d  ring %d/%-2d  high water %d", a.name, a.state(),
			r.Pending(), ring.Len(), ring.Cap(), r.HighWater())
		if r.HasSynced() {
			b.WriteString("  synced")
		}
		b.WriteString(a.end() + "\n")
	}
	return b.String()
}

// is records what the handler is doing.
func (a *actor) is(current string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.current = current
}

// becomes records that the handler was removed or has ended.
func (a *actor) becomes(fate string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fate = "  " + fate
}

func (a *actor) state() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.current
}

func (a *actor) end() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.fate
}

func (a *actor) work(obj watchglass.Object) {
	time.Sleep(a.takes)
	if obj.GetName() == a.panics {
		panic("no " + obj.GetName())
	}
}

func (a *actor) OnAdd(obj watchglass.Object, _ bool)  { a.work(obj) }
func (a *actor) OnUpdate(_, newObj watchglass.Object) { a.work(newObj) }
func (a *actor) OnDelete(obj watchglass.Object)       { a.work(obj) }
