package deltafifo

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMemory(t *testing.T) {
	t.Run("an add and its pop allocate the Deltas and nothing else", func(t *testing.T) {
		q, obj := New(Options{}), object("web-1", "1")
		assert.InDelta(t, 1, testing.AllocsPerRun(1000, func() {
			_ = q.Add(obj)
			_, _ = q.Pop(discard)
		}), 0)
	})
	t.Run("map and queue have room for a list, and do not grow", func(t *testing.T) {
		const size = 2 * manyItems // so that the room is given back, and made again for the relist
		list := manyObjects(size)
		allocs := testing.AllocsPerRun(10, func() {
			q := New(Options{})
			for range 2 {
				_ = q.Replace(list, "1")
				popAll(q)
			}
		})
		assert.Less(t, allocs-2*size, 60.0, "allocations beside the Deltas")
	})
	// A program cannot read how much memory a map has, so this law reads mostItems.
	t.Run("a map that has held many keys is replaced when it is empty", func(t *testing.T) {
		q := New(Options{})
		for _, size := range []int{manyItems, manyItems, manyItems - 1} { // a first list and two relists
			require.NoError(t, q.Replace(manyObjects(size), "1"))
			require.Equal(t, size, q.mostItems)
			require.Equal(t, size, popAll(q), "nothing is lost with a map")
			assert.Equal(t, size%manyItems, q.mostItems, "after %d keys", size)
			assert.Len(t, q.queue.buf, minRing, "and the ring shrinks")
		}
	})
	t.Run("the ring grows in the order of its keys, wherever it begins", func(t *testing.T) {
		q, popped := New(Options{}), 0
		pop := func() {
			d, err := q.Pop(discard)
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint("web-", popped), d[0].Object.GetName())
			require.NoError(t, q.check())
			popped++
		}
		for i := range 200 {
			require.NoError(t, q.Add(object(fmt.Sprint("web-", i), "1")))
			if i%3 == 0 {
				pop()
			}
		}
		for q.Len() > 0 {
			pop()
		}
		assert.Equal(t, 200, popped)
	})
}
