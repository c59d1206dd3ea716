package deltafifo

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRing(t *testing.T) {
	t.Run("what is pushed is popped, first in, first out", func(t *testing.T) {
		for seed := range uint64(10) {
			choose := rand.New(rand.NewPCG(seed, 2))
			var r ring[int]
			first, next := 1, 1 // the ring holds the numbers from first up to next
			for i := range 400 {
				growing := i < 200 // first it fills, then it empties
				switch n := choose.IntN(10); {
				case n == 0:
					r.reserve(choose.IntN(100))
				case first < next && n < 7 != growing:
					require.Equal(t, first, r.pop())
					first++
				default:
					r.push(next)
					next++
				}
				require.Equal(t, next-first, r.len())
				for j := range r.len() {
					require.Equal(t, first+j, r.at(j))
				}
				for j := r.len(); j < len(r.buf); j++ {
					require.Zero(t, r.at(j), "a slot behind the last element")
				}
			}
		}
	})
	t.Run("the buffer doubles when it is full, and halves when it is three quarters empty",
		func(t *testing.T) {
			var r ring[string]
			size := minRing
			for n := range 4 * minRing {
				r.push("web-1")
				if n == size {
					size *= 2
				}
				require.Len(t, r.buf, size, "for %d elements", n+1)
			}
			for n := 4*minRing - 1; n >= 0; n-- {
				r.pop()
				if n == size/4 && size > minRing {
					size /= 2
				}
				require.Len(t, r.buf, size, "for %d elements", n)
			}
		})
}
