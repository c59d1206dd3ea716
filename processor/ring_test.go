package processor

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// playRing plays a program on a ring and on a slice as its model. A byte below 128 pushes that many
// values, a byte of 128 + n pops n, or as many as there are.
func playRing(t *testing.T, program []byte) {
	var real ring[*int]
	var model []*int
	next, moved, steps := 0, 0, 0
	for _, b := range program {
		for range b & 127 {
			steps++
			size := len(real.buf)
			if b < 128 {
				next++
				v := next
				real.push(&v)
				model = append(model, &v)
			} else if len(model) > 0 {
				require.Same(t, model[0], real.pop(), "first in, first out")
				model = model[1:]
			}
			if len(real.buf) != size { // it grows when it is full
				require.True(t, len(real.buf) < size || len(model) == size+1)
				moved += len(model)
			}
			require.Equal(t, len(model), real.len())
		}
		for i, v := range model {
			require.Same(t, v, real.at(i))
		}
		require.NoError(t, real.check())
	}
	assert.LessOrEqual(t, moved, 2*steps+minRing, "values moved in %d steps", steps)
}

func TestRingAgreesWithModel(t *testing.T) {
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 2))
		program := make([]byte, 40)
		for i := range program {
			program[i] = byte(random.Uint32())
		}
		playRing(t, program)
	}
}

func FuzzRing(f *testing.F) {
	f.Add([]byte{16, 128 + 5, 5, 1, 128 + 17})                // wraps, then grows, then runs empty
	f.Add([]byte{33, 129, 1, 129, 1, 129, 1, 129, 1, 129, 1}) // must not resize each time
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) <= 64 {
			playRing(t, program)
		}
	})
}
