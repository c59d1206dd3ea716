package processor

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// model is a processor in its simplest form: one list of calls for each handler. It plays a
// program, each byte of which is one choice, on itself and on a real processor. After each step,
// when the real one has come to rest, they must agree on everything that can be seen.
type model struct {
	*fixture
	*story.Program
	handlers  []*modelHandler
	gathered  []Notification
	isSync    bool // for gathered
	synced    bool // upstream
	phase     state
	period    time.Duration // between two calls of ShouldResync
	settled   bool          // period does not change any more
	byDefault time.Duration // the period of a handler that asks for none
	batches   []string      // that were distributed, and handlers that have joined
	told      []string      // the same, from the trace of the real processor
	picture   picture       // what that trace reports of handlers
}

// modelHandler is a handler that can be held in its calls, and what it must have been called with.
type modelHandler struct {
	*Registration
	real recorder
	gate chan struct{} // closed unless the handler is held

	drain, started, syncing, removed bool
	resyncAt                         time.Time
	upstream                         bool // has synced, as far as this handler knows
	calls                            []Notification
	waiting                          []Notification
	busy                             bool // in the last one of calls
	initial                          int  // adds of the initial list that are not over
	want                             seen
}

// seen is what a registration shows.
type seen struct {
	resync                            time.Duration
	calls                             []string
	pending, high, delivered, dropped int
	synced, ended                     bool
}

func playModel(t *testing.T, program *story.Program) {
	m := &model{fixture: &fixture{t: t}, Program: program, period: 2 * time.Second}
	m.byDefault = m.period
	trace := m.picture.trace()
	draw := *trace
	trace.Distributed = func(list []Notification, isSync bool, listeners []string) {
		m.told = append(m.told, fmt.Sprint(list, isSync))
		draw.Distributed(list, isSync, listeners)
	}
	trace.ListenerAdded = func(name string, initial []watchglass.Object) {
		m.told = append(m.told, fmt.Sprint("joins ", len(initial)))
		draw.ListenerAdded(name, initial)
	}
	m.SharedProcessor = New(Options{ResyncPeriod: m.period, Trace: trace})
	defer func() {
		for _, h := range m.handlers {
			h.hold(false)
		}
		m.stop()
	}()
	for !m.Over() {
		m.step()
		m.agree()
	}
}

func (m *model) step() {
	switch m.Choose(16) {
	case 0:
		m.Note("run")
		if m.phase != waiting {
			require.ErrorIs(m.t, m.Run(m.t.Context()), watchglass.ErrStarted, "a second time")
			return
		}
		m.phase, m.settled = running, true
		m.run()
		for _, h := range m.handlers {
			h.started = !h.removed
		}
	case 1:
		m.Note("flush")
		m.flush()
		m.Flush()
	case 2:
		m.join()
	case 3, 4:
		if len(m.handlers) > 0 {
			m.change(m.handlers[m.Choose(len(m.handlers))])
		}
	case 5:
		m.Note("upstream has synced")
		m.flush()
		m.synced = true
		for _, h := range m.handlers {
			h.upstream = h.upstream || !h.removed
		}
		m.UpstreamSynced()
	case 6:
		m.due()
	case 7:
		m.gather(m.Choose(4)*50, AddNotification(pod("many", "1"), false), false)
	case 8:
		if m.phase == running && m.Choose(5) == 0 {
			m.remove("stop", m.handlers...)
			m.phase = stopped
			m.cancel()
		}
	case 9:
		m.Note("settle the period")
		m.settled = true
		require.Equal(m.t, m.period, m.SettleResyncPeriod(), "after %q", m.History)
	default:
		name, initial := fmt.Sprint("web-", len(m.History)), !m.synced && m.Choose(2) == 0
		m.gather(1, []Notification{
			AddNotification(pod(name, "1"), initial),
			UpdateNotification(pod(name, "1"), pod(name, "2")),
			DeleteNotification(pod(name, "2")),
		}[m.Choose(3)], m.Choose(4) == 0)
	}
}

func (m *model) gather(times int, n Notification, isSync bool) {
	m.Note("gather %v sync=%t %d times", n, isSync, times)
	for range times {
		before := len(m.batches)
		if isSync != m.isSync {
			m.flush()
		}
		m.isSync, m.gathered = isSync, append(m.gathered, n)
		if len(m.gathered) == 128 {
			m.flush()
		}
		m.Gather(n, isSync)
		if len(m.batches) > before {
			m.agree()
		}
	}
}

func (m *model) flush() {
	list := m.gathered
	if m.gathered = nil; len(list) == 0 || m.phase == stopped {
		return
	}
	m.batches = append(m.batches, fmt.Sprint(list, m.isSync))
	for _, h := range m.handlers {
		if !h.removed && (h.syncing || !m.isSync) {
			h.add(list)
		}
	}
}

func (h *modelHandler) add(list []Notification) {
	h.waiting = append(h.waiting, list...)
	h.want.high = max(h.want.high, len(h.waiting))
	for _, n := range list {
		if n.IsInInitialList {
			h.initial++
		}
	}
}

func (m *model) join() {
	h := &modelHandler{drain: m.Choose(3) > 0, started: m.phase == running, syncing: true,
		upstream: m.synced, gate: make(chan struct{}), want: seen{calls: []string{}}}
	h.real.before = func(string) { <-h.gate }
	h.hold(m.Choose(3) == 0) // if not, it is free from now on
	asked := time.Duration(m.Choose(4)-1) * time.Second
	wanted := asked
	if asked == 0 {
		wanted = m.byDefault
	}
	h.want.resync, m.period = effectiveResync(wanted, m.period, m.settled)
	h.resyncAt = time.Now().Add(h.want.resync)
	initial := pods("web-1", "web-2", "web-3")[:m.Choose(4)]
	m.Note("handler %d joins: drain=%t resync=%v held=%t, %d initial objects", len(m.handlers),
		h.drain, h.want.resync, !isClosed(h.gate), len(initial))
	m.flush()
	for _, obj := range initial {
		h.add([]Notification{AddNotification(obj, true)})
	}
	var err error
	h.Registration, err = m.AddListener(&h.real,
		HandlerOptions{Drain: h.drain, ResyncPeriod: asked}, initial)
	clear(initial) // it belongs to the caller
	require.Equal(m.t, m.phase == stopped, errors.Is(err, watchglass.ErrStopped))
	if err == nil {
		m.handlers = append(m.handlers, h)
		m.batches = append(m.batches, fmt.Sprint("joins ", len(initial)))
	}
}

// hold makes the handler wait in its next call, or lets it go on.
func (h *modelHandler) hold(held bool) {
	if free := isClosed(h.gate); held && free {
		h.gate = make(chan struct{})
	} else if !held && !free {
		close(h.gate)
	}
}

func (m *model) change(h *modelHandler) {
	switch m.Choose(4) {
	case 0:
		if !h.removed {
			m.remove(h.Name()+" is removed", h)
		}
		require.NoError(m.t, m.RemoveListener(h.Registration))
	case 1:
		m.Note("%s is held", h.Name())
		h.hold(true)
	default:
		m.Note("%s goes on", h.Name())
		h.hold(false)
	}
}

// remove makes a flush, as a removal does, and a removal. What a handler without Drain is given in
// that moment may be dropped or not, so it is given everything a moment before.
func (m *model) remove(event string, handlers ...*modelHandler) {
	m.flush()
	if slices.ContainsFunc(handlers, func(h *modelHandler) bool { return !h.drain }) {
		m.Flush()
		m.agree()
	}
	m.Note("%s", event)
	for _, h := range handlers {
		h.removed = true
	}
}

func (m *model) due() {
	time.Sleep(time.Duration(m.Choose(5)) * time.Second / 2)
	m.Note("who is due?")
	m.flush()
	want := false
	for _, h := range m.handlers {
		h.syncing = !h.removed && h.want.resync > 0 && !time.Now().Before(h.resyncAt)
		if h.syncing {
			h.resyncAt, want = time.Now().Add(h.want.resync), true
		}
	}
	require.Equal(m.t, want, m.ShouldResync(), "after %q", m.History)
}

// goOn makes all calls that a handler can get now.
func (h *modelHandler) goOn() {
	for !h.busy || isClosed(h.gate) {
		if h.busy {
			last := h.calls[len(h.calls)-1]
			h.want.calls = append(h.want.calls, last.String())
			if last.IsInInitialList {
				h.initial--
			}
			h.busy = false
		}
		if h.removed && !(h.drain && h.started) {
			h.want.dropped += len(h.waiting)
			h.waiting = nil
		}
		if len(h.waiting) == 0 || !h.started {
			h.want.ended = h.removed
			break
		}
		h.calls, h.waiting, h.busy = append(h.calls, h.waiting[0]), h.waiting[1:], true
	}
	h.want.synced = h.want.synced || h.upstream && h.initial == 0
	h.want.pending, h.want.delivered = len(h.waiting), len(h.want.calls)
}

// drawn returns what a picture has to show of the handler.
func (h *modelHandler) drawn() drawn {
	once := map[bool]int{true: 1}
	d := drawn{
		high: h.want.high, delivered: h.want.delivered, dropped: h.want.dropped,
		batches: h.listener.ring.n, slots: len(h.listener.ring.buf), // at rest
		synced: once[h.want.synced], removed: once[h.removed], ended: once[h.want.ended],
	}
	d.wait(h.waiting)
	return d
}

func (m *model) agree() {
	m.settle()
	over := m.phase == stopped
	for _, h := range m.handlers {
		h.goOn()
		got := seen{h.ResyncPeriod(), append([]string{}, h.real.list()...), h.Pending(), h.HighWater(),
			h.Delivered(), h.Dropped(), h.HasSynced(), isClosed(h.Ended())}
		require.Equal(m.t, h.want, got, "%s after %q", h.Name(), m.History)
		m.picture.on(h.Name(), func(d *drawn) {
			require.Equal(m.t, h.drawn(), *d, "%s is drawn after %q", h.Name(), m.History)
		})
		require.NoError(m.t, h.listener.checkRing())
		require.True(m.t, h.drain || !h.removed || h.listener.ring.buf == nil, "kept after its removal")
		over = over && h.want.ended
	}
	require.Equal(m.t, m.batches, m.told, "distributed after %q", m.History)
	require.Equal(m.t, over, isClosed(m.ended), "Run has returned after %q", m.History)
}

func FuzzTheProcessorDoesWhatTheModelSays(f *testing.F) {
	story.FuzzModel(f, 40, 120, func(t *testing.T, program *story.Program) {
		synctest.Test(t, func(t *testing.T) { playModel(t, program) })
	})
}
