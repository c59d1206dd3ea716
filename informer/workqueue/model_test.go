package workqueue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// model is the three queues in their simplest form: lists that are searched from one end to the
// other. It plays a program, each byte of which is one choice, on itself and on a real queue.
type model struct {
	t       *testing.T
	program []byte
	history []string
	real    *RateLimitingQueue[int]

	order          []int
	dirty, working map[int]bool
	due            map[int]time.Time
	failures       map[int]int
	down           bool
	drains         map[chan error]time.Time // that wait, with the end of their contexts
	want           Stats
}

func playModel(t *testing.T, program []byte) {
	m := &model{
		t: t, program: program,
		real:  NewRateLimiting(ExponentialFailure[int](time.Millisecond, 10*time.Millisecond)),
		dirty: map[int]bool{}, working: map[int]bool{}, due: map[int]time.Time{},
		failures: map[int]int{}, drains: map[chan error]time.Time{},
	}
	for len(m.program) > 0 {
		time.Sleep(time.Nanosecond) // so that no two items are due at the same moment
		m.step(1 + m.choose(6))
		synctest.Wait()
		m.agree()
	}
	time.Sleep(time.Hour) // drains end
}

func (m *model) choose(n int) int {
	if len(m.program) == 0 {
		return 0
	}
	c := int(m.program[0])
	m.program = m.program[1:]
	return c % n
}

func (m *model) step(item int) {
	switch what := m.choose(24); {
	case what < 6:
		m.note("add %d", item)
		m.real.Add(item)
		m.add(item)
	case what < 9:
		d := time.Duration(m.choose(20)-3) * time.Millisecond
		m.note("add %d after %v", item, d)
		m.real.AddAfter(item, d)
		m.addAfter(item, d)
	case what < 12:
		pause := min(10*time.Millisecond, time.Millisecond<<m.failures[item])
		if d := time.Duration(m.choose(12)-3) * time.Millisecond; d == 0 {
			m.note("add %d rate limited", item)
			m.real.AddRateLimited(item)
		} else {
			m.note("add %d rate limited, and after %v", item, d)
			m.real.AddRateLimitedAfter(item, d)
			pause = max(pause, d)
		}
		m.addAfter(item, pause)
		m.failures[item]++
	case what < 13:
		m.note("forget %d", item)
		m.real.Forget(item)
		delete(m.failures, item)
	case what < 17 && len(m.order) > 0:
		m.note("get")
		got, down := m.real.Get()
		require.False(m.t, down)
		require.Equal(m.t, m.order[0], got, "after %q", m.history)
		m.order = m.order[1:]
		m.dirty[got], m.working[got] = false, true
	case what < 20:
		m.note("done %d", item)
		m.real.Done(item)
		if m.working[item] {
			m.want.Done++
			m.working[item] = false
			if m.dirty[item] {
				m.order = append(m.order, item)
			}
		}
	case what < 22:
		m.wait(time.Duration(m.choose(12)) * time.Millisecond)
	case m.choose(50) == 0:
		m.note("shut down")
		m.real.ShutDown()
		m.shutDown()
	case m.down || m.choose(50) == 0:
		m.drain(time.Duration(m.choose(12)) * time.Millisecond)
	}
}

func (m *model) note(format string, args ...any) {
	m.history = append(m.history, fmt.Sprintf(format, args...))
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
	if known, ok := m.due[item]; d <= 0 {
		m.add(item)
	} else if due := time.Now().Add(d); !ok || due.Before(known) {
		m.due[item] = due
	}
}

// wait adds what becomes due meanwhile, the earliest first.
func (m *model) wait(d time.Duration) {
	m.note("wait %v", d)
	time.Sleep(d)
	for {
		first, found := 0, false
		for item, due := range m.due {
			if !due.After(time.Now()) && (!found || due.Before(m.due[first])) {
				first, found = item, true
			}
		}
		if !found {
			return
		}
		delete(m.due, first)
		m.add(first)
	}
}

func (m *model) shutDown() { m.down, m.due = true, map[int]time.Time{} }

func (m *model) drain(limit time.Duration) {
	m.note("drain, no longer than %v", limit)
	returned := make(chan error, 1)
	m.drains[returned] = time.Now().Add(limit)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		returned <- m.real.ShutDownWithDrain(ctx)
	}()
	m.shutDown()
}

func (m *model) agree() {
	for i, item := range m.order {
		require.Equal(m.t, item, m.real.order.at(i), "after %q", m.history)
	}
	m.want.Queued, m.want.Delayed, m.want.Processing = len(m.order), len(m.due), 0
	for item := range 7 {
		_, kept := m.real.items[item]
		require.Equal(m.t, m.working[item] || m.dirty[item], kept, "%d after %q", item, m.history)
		require.Equal(m.t, m.failures[item], m.real.NumRequeues(item))
		if m.working[item] {
			m.want.Processing++
		}
	}
	require.Equal(m.t, m.want, m.real.Stats(), "after %q", m.history)
	require.Equal(m.t, m.want.Queued, m.real.Len())
	require.Equal(m.t, m.down, m.real.ShuttingDown())
	for returned, limit := range m.drains {
		idle, over := m.want.Queued+m.want.Processing == 0, !time.Now().Before(limit)
		select {
		case err := <-returned:
			require.True(m.t, idle || over, "a drain has returned after %q", m.history)
			require.Equal(m.t, !idle, errors.Is(err, context.DeadlineExceeded), m.history)
			delete(m.drains, returned)
		default:
			require.False(m.t, idle || over, "a drain waits after %q", m.history)
		}
	}
}

func TestAgreesWithModel(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 23))
		program := make([]byte, 500)
		for i := range program {
			program[i] = byte(random.Uint32())
		}
		synctest.Test(t, func(t *testing.T) { playModel(t, program) })
	}
}

func FuzzModel(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 0, 13, 0, 0, 0, 10, 0, 19, 0, 21, 5, 0, 23, 1, 0, 4, 0, 13, 0, 17})
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) <= 500 {
			synctest.Test(t, func(t *testing.T) { playModel(t, program) })
		}
	})
}
