package deltafifo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// check returns an error if an invariant of the fields is broken.
func (r *ring[T]) check(isZero func(T) bool) error {
	if size := len(r.buf); size&(size-1) != 0 || size > 0 && (r.head < 0 || r.head >= size) {
		return fmt.Errorf("%d slots, head at %d", size, r.head)
	}
	for i := r.n; i < len(r.buf); i++ {
		if !isZero(r.at(i)) {
			return fmt.Errorf("a slot behind the last element still holds %v", r.at(i))
		}
	}
	return nil
}

func TestRingAgreesWithSlice(t *testing.T) {
	for seed := range uint64(50) {
		choose := rand.New(rand.NewPCG(seed, 2))
		var r ring[int]
		var slice []int
		for i := range 400 {
			growing := i < 200 // first it fills, then it empties
			switch n := choose.IntN(10); {
			case n == 0:
				r.reserve(choose.IntN(100))
			case len(slice) > 0 && n < 7 != growing:
				require.Equal(t, slice[0], r.pop(), "first in, first out")
				slice = slice[1:]
			default:
				r.push(i + 1)
				slice = append(slice, i+1)
			}
			got := make([]int, r.len())
			for j := range got {
				got[j] = r.at(j)
			}
			require.True(t, slices.Equal(slice, got), "want %v, got %v", slice, got)
			require.NoError(t, r.check(func(v int) bool { return v == 0 }))
		}
	}
}

func TestRingGivesMemoryBack(t *testing.T) {
	var r ring[string]
	for range 100_000 {
		r.push("web-1")
	}
	for r.len() > 0 {
		r.pop()
		require.True(t, len(r.buf) <= minRing || r.len() > len(r.buf)/4,
			"%d slots for %d elements", len(r.buf), r.len())
	}
	assert.Len(t, r.buf, minRing, "the room for a burst is given back when the burst is over")
}

func TestRingIsFullBeforeItGrows(t *testing.T) {
	var r ring[string]
	for i := range 4 * minRing {
		r.push("web-1")
		size := minRing
		for size < i+1 {
			size *= 2
		}
		require.Len(t, r.buf, size, "the buffer for %d elements", i+1)
	}
}

func TestRingIsNotResizedAllTheTime(t *testing.T) {
	for size := range 300 {
		var r ring[string]
		for range 1000 {
			r.push("web-1")
		}
		for r.len() > size {
			r.pop()
		}
		allocs := testing.AllocsPerRun(10, func() {
			r.push("web-1")
			r.push("web-2")
			r.pop()
			r.pop()
		})
		require.Zero(t, allocs, "a queue of about %d elements is resized all the time", size)
	}
}
