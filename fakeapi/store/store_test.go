package store

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
)

// Resources come and go: a collection that is no longer used must not stay in memory with
// all of its history.
func TestTheStoreKeepsNoCollectionAlive(t *testing.T) {
	s := New(roomy, nil)
	c := s.NewCollection("passing")
	put(t, c, "a", "")
	c.WatchState(nil).Watcher.Close()
	gone, event := weak.Make(c), weak.Make(c.history.tail)
	c = nil
	runtime.GC()
	assert.Nil(t, gone.Value(), "the collection")
	assert.Nil(t, event.Value(), "and its events")
	runtime.KeepAlive(s)
}

func TestAWriteThatBringsAnotherVersionIsAMistakeInTheProgram(t *testing.T) {
	c := newCollection(roomy)
	assert.PanicsWithValue(t, "store: x has version 7, expected 2", func() {
		_ = c.store.Update(func(tx *Tx) error { tx.Put(c, &thing{key: "x", version: 7}); return nil })
	})
	put(t, c, "y", "") // the lock was released
}

// bump appends a character to the text under a key, with an update. It calls meanwhile
// between the read and the commit of each round.
func bump(ctx context.Context, c *Collection, key string, meanwhile func()) error {
	return c.GuaranteedUpdate(ctx, key, func(before Object) (func(*Tx) error, error) {
		text := "x"
		if o, ok := before.(*thing); ok {
			text = o.text + "x"
		}
		meanwhile()
		return func(tx *Tx) error {
			tx.Put(c, &thing{key, tx.Next(), len(text), text})
			return nil
		}, nil
	})
}

func TestAnUpdateThatAlwaysLosesEndsWithItsContext(t *testing.T) {
	c := newCollection(roomy)
	ctx, cancel := context.WithCancel(t.Context())
	rounds := 0
	err := bump(ctx, c, "a", func() {
		if put(t, c, "a", "other"); rounds == 9 {
			cancel()
		}
		rounds++
	})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 10, rounds)
	assert.Equal(t, "other", c.Get("a").(*thing).text)
}

// A writer that has lost loses at most one round more, and one that gives up does not hold up the
// others.
func TestWritersOfOneKeyThatHaveLostQueueUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCollection(roomy)
		var all sync.WaitGroup
		var written atomic.Int64
		for range 64 {
			all.Go(func() {
				for range 10 {
					ctx, cancel := context.WithTimeout(t.Context(), rand.N(2*time.Minute))
					rounds := 0
					err := bump(ctx, c, "a", func() {
						rounds++
						time.Sleep(rand.N(time.Second))
					})
					assert.LessOrEqual(t, rounds, 3)
					if cancel(); err == nil {
						written.Add(1)
					} else {
						assert.ErrorIs(t, err, context.DeadlineExceeded)
					}
					time.Sleep(rand.N(time.Minute))
				}
			})
		}
		all.Wait()
		assert.Len(t, c.Get("a").(*thing).text, int(written.Load()), "no write is lost")
		assert.Greater(t, written.Load(), int64(100))
		assert.Less(t, written.Load(), int64(640), "some give up")
		assert.Empty(t, c.queues.byKey, "nothing is kept of a queue that has ended")
	})
}
