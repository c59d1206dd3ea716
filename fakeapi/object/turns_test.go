package object

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestOneRequestAtATimeHasATurnAndTheSmallestIsNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns Turns
		var all sync.WaitGroup
		var order []string
		compute := func(name string, size int) {
			all.Go(func() {
				end, err := turns.Take(t.Context(), size)
				assert.NoError(t, err)
				order = append(order, name) // without a lock: the race detector would see a second one
				time.Sleep(time.Second)
				end()
			})
			synctest.Wait()
		}
		began := time.Now()
		compute("first", 3<<20)
		compute("huge", 3<<20)
		compute("large", 1<<20)
		compute("small", 100)
		compute("as small", 100)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := turns.Take(ctx, 1)
		assert.Equal(t, context.DeadlineExceeded, err, "one that gives up leaves nothing behind")
		time.Sleep(1500 * time.Millisecond)
		compute("late", 50) // in the turn of another
		all.Wait()
		assert.Equal(t, []string{"first", "small", "late", "as small", "large", "huge"}, order)
		assert.Equal(t, 6*time.Second, time.Since(began))
		end, err := turns.Take(ctx, 1)
		assert.NoError(t, err, "a turn that is free needs no time")
		end()
	})
}
