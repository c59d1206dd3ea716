package processor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An ordered handler checks the order of its calls. The first number is that of its initial list,
// and every further number must follow the one before.
type ordered struct {
	mu      sync.Mutex
	busy    bool // a call is under way
	last    int
	started bool // last means something
	broken  string
}

func (o *ordered) OnAdd(obj watchglass.Object, _ bool) {
	o.mu.Lock()
	concurrent := o.busy
	o.busy = true
	o.mu.Unlock()
	var number int
	fmt.Sscan(strings.TrimPrefix(obj.GetName(), "web-"), &number)
	if number%7 == 0 {
		time.Sleep(time.Duration(number%5) * time.Millisecond)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case concurrent:
		o.broken = "two calls at a time"
	case o.started && number != o.last+1:
		o.broken = fmt.Sprintf("%d after %d", number, o.last)
	}
	o.busy, o.started, o.last = false, true, number
}
func (o *ordered) OnUpdate(_, _ watchglass.Object) {}
func (o *ordered) OnDelete(watchglass.Object)      {}

// Many goroutines add and remove handlers, some of them before Run, while another one distributes,
// and the processor is stopped in the middle. No handler may get a number out of order, every
// registration has to end, and no goroutine may be left.
func TestHammer(t *testing.T) {
	for seed := range 4 {
		synctest.Test(t, func(t *testing.T) { hammer(t, uint64(seed)) })
	}
}

func hammer(t *testing.T, seed uint64) {
	p := New(Options{ResyncPeriod: time.Second})
	ctx, cancel := context.WithCancel(t.Context())
	var informer sync.Mutex // as in an informer: nothing is distributed while a handler is added
	number := 0
	next := func() []Notification {
		number++
		return adds(false, fmt.Sprintf("web-%d", number))
	}
	var mu sync.Mutex
	handlers := map[*Registration]*ordered{}

	var all sync.WaitGroup
	for worker := range 20 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(worker)))
			for range 20 {
				time.Sleep(time.Duration(random.IntN(10)) * time.Millisecond)
				h := &ordered{}
				informer.Lock()
				initial := pods(fmt.Sprintf("web-%d", number)) // the store holds only the last one
				r, err := p.AddListener(h, ListenerOptions{Drain: random.IntN(2) == 0}, initial)
				informer.Unlock()
				if err != nil {
					assert.ErrorIs(t, err, ErrStopped)
					return
				}
				mu.Lock()
				handlers[r] = h
				mu.Unlock()
				time.Sleep(time.Duration(random.IntN(10)) * time.Millisecond)
				if random.IntN(3) > 0 {
					assert.NoError(t, p.RemoveListener(r))
				}
				p.ShouldResync()
				assert.GreaterOrEqual(t, r.Pending(), 0)
				assert.NoError(t, p.check())
			}
		})
	}
	all.Go(func() {
		random := rand.New(rand.NewPCG(seed, 99))
		for range 300 {
			informer.Lock()
			batch := next()
			for range random.IntN(5) {
				batch = append(batch, next()...)
			}
			for _, n := range batch {
				p.Gather(n, false)
			}
			if random.IntN(3) > 0 {
				p.Flush()
			}
			informer.Unlock()
			time.Sleep(time.Millisecond / 2)
		}
	})
	all.Go(func() {
		time.Sleep(5 * time.Millisecond)
		p.Run(ctx)
	})
	time.Sleep(100 * time.Millisecond)
	cancel()
	all.Wait()
	require.NoError(t, p.check())
	for r, h := range handlers {
		assert.True(t, isClosed(r.Ended()))
		assert.Zero(t, r.Pending())
		assert.Empty(t, h.broken)
	}
}
