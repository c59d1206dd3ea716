package workqueue

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
)

// drain returns what is queued now.
func drain[T comparable](q *DelayingQueue[T]) (items []T) {
	synctest.Wait() // for a timer's release
	for q.Len() > 0 {
		item, _ := q.Get()
		q.Done(item)
		items = append(items, item)
	}
	return items
}

func TestAddAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewDelaying[string]()
		q.AddAfter("second", 2*time.Second)
		q.AddAfter("first", time.Second)
		q.AddAfter("third", 3*time.Second)
		q.AddAfter("now", 0)
		q.AddAfter("before", -time.Second)
		assert.Equal(t, []string{"now", "before"}, drain(q),
			"a delay of zero or less adds the item immediately")
		assert.Equal(t, 3, q.Stats().Delayed)
		assert.Equal(t, 5, q.Stats().Retries)
		time.Sleep(time.Second - 1)
		assert.Empty(t, drain(q), "a nanosecond too early")
		time.Sleep(time.Nanosecond)
		assert.Equal(t, []string{"first"}, drain(q))
		time.Sleep(2 * time.Second)
		assert.Equal(t, []string{"second", "third"}, drain(q), "in the order of their times")
		assert.Zero(t, q.Stats().Delayed)
	})
}

func TestTheEarlierDelayOfAnItemCounts(t *testing.T) {
	for _, tt := range [][]time.Duration{
		{time.Second, time.Minute}, {time.Minute, time.Second}, {time.Second, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			q := NewDelaying[string]()
			q.AddAfter("other", time.Hour)
			q.AddAfter("a", tt[0])
			q.AddAfter("a", tt[1])
			assert.Equal(t, 2, q.Stats().Delayed, "the item waits once")
			time.Sleep(time.Second)
			assert.Equal(t, []string{"a"}, drain(q), "delays %v", tt)
			time.Sleep(time.Minute)
			assert.Empty(t, drain(q), "the later delay is dropped when the earlier one ends")
		})
	}
}

func TestADelayIsNotTakenBackByAnAdd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewDelaying[string]()
		q.AddAfter("a", time.Second)
		q.Add("a")
		assert.Equal(t, []string{"a"}, drain(q))
		time.Sleep(time.Second)
		assert.Equal(t, []string{"a"}, drain(q), "the delayed Add is made all the same")
	})
}

func TestShutDownDropsWhatIsDelayed(t *testing.T) {
	for name, end := range map[string]func(*DelayingQueue[string]){
		"ShutDown":                       (*DelayingQueue[string]).ShutDown,
		"ShutDownWithDrain":              (*DelayingQueue[string]).ShutDownWithDrain,
		"ShutDown of the embedded Queue": func(q *DelayingQueue[string]) { q.Queue.ShutDown() },
	} {
		synctest.Test(t, func(t *testing.T) {
			q := NewDelaying[string]()
			q.AddAfter("a", time.Second)
			end(q)
			q.AddAfter("b", time.Second)
			q.AddAfter("c", 0)
			time.Sleep(time.Minute)
			assert.Empty(t, drain(q), "%s: nothing is added any more", name)
			_, down := q.Get()
			assert.True(t, down, name)
			assert.Equal(t, 1, q.Stats().Retries, "%s: a later AddAfter is not counted", name)
		})
	}
}

// A timer that was not stopped would keep the queue until the longest delay is over.
func TestAQueueThatWasShutDownCanBeFreed(t *testing.T) {
	queue := func() weak.Pointer[DelayingQueue[string]] {
		q := NewDelaying[string]()
		q.AddAfter("web-1", time.Hour)
		q.ShutDown()
		return weak.Make(q)
	}()
	for range 100 {
		if runtime.GC(); queue.Value() == nil {
			return
		}
	}
	t.Error("a queue that was shut down is kept alive")
}

func TestRateLimitingQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewRateLimiting(ExponentialFailure[string](time.Second, time.Minute))
		for _, wait := range []time.Duration{1, 2, 4} {
			q.AddRateLimited("a")
			time.Sleep(wait*time.Second - 1)
			assert.Empty(t, drain(&q.DelayingQueue))
			time.Sleep(time.Nanosecond)
			assert.Equal(t, []string{"a"}, drain(&q.DelayingQueue), "after %d s", wait)
		}
		assert.Equal(t, 3, q.NumRequeues("a"))
		q.AddRateLimited("a")
		q.Forget("a")
		assert.Zero(t, q.NumRequeues("a"))
		time.Sleep(8 * time.Second)
		assert.Equal(t, []string{"a"}, drain(&q.DelayingQueue), "a delay that has begun is not "+
			"taken back by Forget")
		q.AddRateLimited("a")
		time.Sleep(time.Second)
		assert.Equal(t, []string{"a"}, drain(&q.DelayingQueue), "the first delay again")
	})
}

// A model of the three queues: plain lists, searched from one end to the other.
type model struct {
	order   []int
	dirty   map[int]bool
	working map[int]bool
	due     map[int]time.Time
	down    bool
}

func (m *model) add(item int) {
	if m.down || m.dirty[item] {
		return
	}
	m.dirty[item] = true
	if !m.working[item] {
		m.order = append(m.order, item)
	}
}

// pass adds what has become due. Items that are due at the same moment may come in any order, so
// the test adds the number of its step in nanoseconds to each delay: no two moments are the same.
func (m *model) pass(now time.Time) {
	for {
		first, found := 0, false
		for item, due := range m.due {
			if !due.After(now) && (!found || due.Before(m.due[first])) {
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

func TestQueueAgreesWithAModel(t *testing.T) {
	for seed := range 60 {
		synctest.Test(t, func(t *testing.T) { playModel(t, uint64(seed)) })
	}
}

func playModel(t *testing.T, seed uint64) {
	chance := rand.New(rand.NewPCG(seed, 23))
	q := NewDelaying[int]()
	m := &model{dirty: map[int]bool{}, working: map[int]bool{}, due: map[int]time.Time{}}
	var history []string
	for step := range 300 {
		item := chance.IntN(8)
		switch what := chance.IntN(100); {
		case what < 30:
			history = append(history, fmt.Sprint("add ", item))
			q.Add(item)
			m.add(item)
		case what < 50:
			d := time.Duration(chance.IntN(1000))*time.Millisecond + time.Duration(step)
			history = append(history, fmt.Sprint("add ", item, " after ", d))
			q.AddAfter(item, d)
			if due := time.Now().Add(d); !m.down {
				if known, ok := m.due[item]; !ok || due.Before(known) {
					m.due[item] = due
				}
			}
		case what < 75 && len(m.order) > 0:
			history = append(history, "get")
			got, down := q.Get()
			assert.False(t, down)
			assert.Equal(t, m.order[0], got, "seed %d: %v", seed, history)
			m.order = m.order[1:]
			m.dirty[got], m.working[got] = false, true
		case what < 90:
			history = append(history, fmt.Sprint("done ", item))
			q.Done(item)
			if m.working[item] {
				m.working[item] = false
				if m.dirty[item] {
					m.order = append(m.order, item)
				}
			}
		case what < 99 || step < 200:
			d := time.Duration(chance.IntN(300)) * time.Millisecond
			history = append(history, fmt.Sprint("wait ", d))
			time.Sleep(d)
			synctest.Wait()
			m.pass(time.Now())
		default:
			history = append(history, "shut down")
			q.ShutDown()
			m.down, m.due = true, map[int]time.Time{}
		}
		q.check(t)
		if !assert.Equal(t, len(m.order), q.Len(), "seed %d: queued after %v", seed, history) ||
			!assert.Equal(t, len(m.due), q.Stats().Delayed, "seed %d: %v", seed, history) {
			return
		}
	}
}
