package object

import (
	"context"
	"io"
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
				assert.NoError(t, turns.Do(t.Context(), size, func() error {
					order = append(order, name) // without a lock: the race detector would see a second one
					time.Sleep(time.Second)
					return nil
				}))
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
		err := turns.Do(ctx, 1, func() error { panic("its turn has not come") })
		assert.Equal(t, context.DeadlineExceeded, err, "one that gives up leaves nothing behind")
		time.Sleep(1500 * time.Millisecond)
		compute("late", 50) // in the turn of another
		all.Wait()
		assert.Equal(t, []string{"first", "small", "late", "as small", "large", "huge"}, order)
		assert.Equal(t, 6*time.Second, time.Since(began))
		err = turns.Do(t.Context(), 1, func() error { return io.EOF })
		assert.Equal(t, io.EOF, err, "the error is that of the request")
	})
}
