package deltafifo

import (
	"fmt"
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
			var sizes []string
			note := func(before int) {
				if len(r.buf) != before {
					sizes = append(sizes, fmt.Sprint(r.n, " in ", len(r.buf)))
				}
			}
			for range 64 {
				before := len(r.buf)
				r.push("web-1")
				note(before)
			}
			for range 64 {
				before := len(r.buf)
				r.pop()
				note(before)
			}
			require.Equal(t, []string{"1 in 16", "17 in 32", "33 in 64", "16 in 32", "8 in 16"}, sizes)
		})
}
