package workqueue

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheRingShrinksAfterABurst(t *testing.T) {
	q := New[int]()
	q.Add(-1) // one item is always queued
	for i := range 100_000 {
		q.Add(i)
	}
	for range 100_000 {
		item, _ := q.Get()
		q.Done(item)
	}
	assert.LessOrEqual(t, len(q.order.slots), smallest, "slots after a burst, with one item left")
	assert.Equal(t, 1, q.Len())
}

func TestRing(t *testing.T) {
	for size := range 70 {
		var r ring[int]
		next := 0
		for i := range 3 * size {
			r.push(i)
			if i%3 == 2 {
				assert.Equal(t, next, r.pop())
				next++
			}
		}
		for ; next < 3*size; next++ {
			require.Equal(t, next, r.pop(), "first in, first out, with %d items", size)
		}
		assert.Zero(t, r.len())
	}
}
