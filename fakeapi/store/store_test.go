package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// A write that comes in between is not overwritten: the update starts again.
func TestAnUpdateOfWhatHasChangedStartsAgain(t *testing.T) {
	c := newCollection(roomy)
	put(t, c, "a", "-")
	rounds := 0
	require.NoError(t, bump(t.Context(), c, "a", func() {
		switch rounds++; rounds {
		case 1, 2:
			put(t, c, "a", fmt.Sprint(rounds)) // would hang if think held a lock
		case 3: // another object, although it looks the same
			remove(t, c, "a")
			put(t, c, "a", "2")
		}
	}))
	assert.Equal(t, 4, rounds, "three rounds are lost, the fourth wins")
	assert.Equal(t, "2x", c.Get("a").(*thing).text, "no write is lost")
	require.NoError(t, bump(t.Context(), c, "a", func() { put(t, c, "b", "") }))
	assert.Equal(t, "2xx", c.Get("a").(*thing).text, "a write of another key does not start it again")
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

func TestWritersOfOneKeyThatHaveLostQueueUp(t *testing.T) {
	t.Run("a writer loses at most one round more", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := newCollection(roomy)
			var all sync.WaitGroup
			for range 64 {
				all.Go(func() {
					for range 10 {
						rounds := 0
						require.NoError(t, bump(t.Context(), c, "a", func() {
							rounds++
							time.Sleep(rand.N(time.Second))
						}))
						assert.LessOrEqual(t, rounds, 3)
						time.Sleep(rand.N(time.Minute))
					}
				})
			}
			all.Wait()
			assert.Len(t, c.Get("a").(*thing).text, 640, "no write is lost")
			assert.Empty(t, c.queues.byKey, "nothing is kept of a queue that has ended")
		})
	})
	t.Run("a writer that gives up while it waits leaves the queue to the others", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := newCollection(roomy)
			work := func(ctx context.Context) error {
				return bump(ctx, c, "a", func() { time.Sleep(time.Minute) })
			}
			var all sync.WaitGroup
			for range 3 { // one wins, one works again, one waits
				all.Go(func() { assert.NoError(t, work(t.Context())) })
			}
			time.Sleep(90 * time.Second)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			assert.ErrorIs(t, work(ctx), context.DeadlineExceeded)
			all.Wait()
			assert.Len(t, c.Get("a").(*thing).text, 3)
			assert.Empty(t, c.queues.byKey)
		})
	})
}
