package store

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
