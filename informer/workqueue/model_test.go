package workqueue

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

// model is the three queues in their simplest form: lists that are searched from one end to the
// other. It plays a program, each byte of which is one choice, on itself and on a real queue.
type model struct {
	*story.Program
	t    *testing.T
	real *RateLimitingQueue[int]

	order            []int
	dirty, working   map[int]bool
	delay            map[int]time.Time // by item: until when it waits
	failures         [7]int
	down             bool
	drains, returned atomic.Int64
	ended            int64 // drains that a shutdown has ended
	want             Stats
}

func playModel(t *testing.T, program *story.Program) {
	m := &model{
		t: t, Program: program, real: NewRateLimiting(ExponentialFailure[int](ms, 10*ms)),
		dirty: map[int]bool{}, working: map[int]bool{}, delay: map[int]time.Time{},
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel() // ends the drains
	for !m.Over() {
		time.Sleep(time.Nanosecond) // so that no two items are due at the same moment
		m.step(ctx, 1+m.Choose(6))
		synctest.Wait()
		m.agree()
	}
}

func (m *model) step(ctx context.Context, item int) {
	d := time.Duration(m.Choose(20)-3) * ms
	switch what := m.Choose(24); {
	case what < 6:
		m.Note("add %d", item)
		m.real.Add(item)
		m.add(item)
	case what < 9:
		m.Note("add %d after %v", item, d)
		m.real.AddAfter(item, d)
		m.addAfter(item, d)
	case what < 12:
		m.Note("add %d rate limited, and after %v", item, d)
		m.real.AddRateLimitedAfter(item, d)
		m.addAfter(item, max(d, min(10*ms, ms<<m.failures[item])))
		m.failures[item]++
	case what < 16 && len(m.order) > 0:
		m.get()
	case what < 20:
		m.Note("done %d", item)
		m.real.Done(item)
		m.done(item)
	case what < 22:
		m.wait(max(0, d))
	case m.down && m.Choose(4) == 0:
		m.Note("shut down")
		m.real.ShutDown()
		m.ended = m.drains.Load()
	case m.down || m.Choose(100) == 0:
		m.Note("drain")
		m.drains.Add(1)
		go func() {
			_ = m.real.ShutDownWithDrain(ctx)
			m.returned.Add(1)
		}()
		m.down, m.delay = true, map[int]time.Time{}
	}
}

func (m *model) add(item int) {
	if m.down || m.dirty[item] {
		return
	}
	m.want.Adds++
	m.dirty[item] = true
	if !m.working[item] {
		m.order = append(m.order, item)
	}
}

func (m *model) addAfter(item int, d time.Duration) {
	if m.down {
		return
	}
	m.want.Retries++
	if due := time.Now().Add(d); d <= 0 {
		m.add(item)
	} else if known := m.delay[item]; known.IsZero() || due.Before(known) {
		m.delay[item] = due
	}
}

func (m *model) get() {
	m.Note("get")
	got, down := m.real.Get()
	require.False(m.t, down)
	require.Equal(m.t, m.order[0], got, "after %q", m.History)
	m.order, m.working[got] = m.order[1:], true
	delete(m.dirty, got)
}

func (m *model) done(item int) {
	if !m.working[item] {
		return
	}
	delete(m.working, item)
	if m.dirty[item] {
		m.order = append(m.order, item)
	}
}

// wait adds what becomes due meanwhile, the earliest first.
func (m *model) wait(d time.Duration) {
	m.Note("wait %v", d)
	end := time.Now().Add(d)
	for _, item := range slices.SortedFunc(maps.Keys(m.delay), func(a, b int) int {
		return m.delay[a].Compare(m.delay[b])
	}) {
		if due := m.delay[item]; !due.After(end) {
			delete(m.delay, item)
			m.add(item)
		}
	}
	time.Sleep(d)
}

func (m *model) agree() {
	require.True(m.t, slices.Equal(m.order, m.real.order), "after %q", m.History)
	require.Equal(m.t, len(m.order) == 0, m.real.order == nil, "an empty queue keeps no array")
	m.want.Queued, m.want.Processing, m.want.Delayed = len(m.order), len(m.working), len(m.delay)
	require.Equal(m.t, m.want, m.real.Stats(), "after %q", m.History)
	for item := range m.real.items {
		require.True(m.t, m.dirty[item] || m.working[item], "%d is kept", item)
	}
	require.Equal(m.t, m.down, m.real.ShuttingDown())
	returned := m.ended
	if m.want.Queued+m.want.Processing == 0 {
		returned = m.drains.Load()
	}
	require.Equal(m.t, returned, m.returned.Load(), "drains that have returned after %q", m.History)
}

func FuzzTheWorkqueueDoesWhatTheModelSays(f *testing.F) {
	story.FuzzModel(f, 50, 500, func(t *testing.T, program *story.Program) {
		synctest.Test(t, func(t *testing.T) { playModel(t, program) })
	})
}
