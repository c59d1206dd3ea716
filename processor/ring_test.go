package processor

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// playRing runs a program on a ring and on a slice as its model. A byte below 128 writes that many
// values, a byte of 128 + n reads n.
func playRing(t *testing.T, program []byte) {
	ring, model, next := &RingGrowing[*int]{}, []*int(nil), 0
	for _, step := range program {
		for range step & 127 {
			if step < 128 {
				next++
				v := next
				ring.WriteOne(&v)
				model = append(model, &v)
			} else {
				got, ok := ring.ReadOne()
				if ok != (len(model) > 0) {
					t.Fatalf("ReadOne returns %v with %d values inside", ok, len(model))
				}
				if !ok {
					require.Nil(t, got, "an empty ring returns the zero value")
					break
				}
				if got != model[0] {
					t.Fatalf("read %d, want %d: first in, first out", *got, *model[0])
				}
				model = model[1:]
			}
			if ring.Len() != len(model) {
				t.Fatalf("Len is %d with %d values inside", ring.Len(), len(model))
			}
		}
		require.NoError(t, ring.check())
	}
}

func TestRingAgainstModel(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		program := make([]byte, 40)
		for i := range program {
			program[i] = byte(random.Uint32())
		}
		playRing(t, program)
	}
}

func FuzzRing(f *testing.F) {
	f.Add([]byte{16, 128 + 5, 5, 1, 128 + 17}) // wraps, then grows, then runs empty
	f.Add([]byte{1, 2, 3, 128 + 6, 1})
	f.Add([]byte{127, 255, 127})
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) <= 64 {
			playRing(t, program)
		}
	})
}

func TestRingCapacity(t *testing.T) {
	write := func(r *RingGrowing[int], n int) {
		for i := range n {
			r.WriteOne(i)
		}
	}
	read := func(r *RingGrowing[int], n int) {
		for range n {
			r.ReadOne()
		}
	}
	for _, law := range []struct {
		promise string
		do      func(r *RingGrowing[int])
		want    int
	}{
		{"a ring that was never written to has allocated nothing",
			func(r *RingGrowing[int]) {}, 0},
		{"the first write makes room for sixteen",
			func(r *RingGrowing[int]) { write(r, 16) }, 16},
		{"a full ring doubles",
			func(r *RingGrowing[int]) { write(r, 17) }, 32},
		{"a ring that is written and read in turn does not grow",
			func(r *RingGrowing[int]) {
				for range 1000 {
					write(r, 16)
					read(r, 16)
				}
			}, 16},
		{"a ring keeps its size as long as more than a quarter is used",
			func(r *RingGrowing[int]) { write(r, 32); read(r, 32-9) }, 32},
		{"a ring that is only a quarter full gives half of its slots back",
			func(r *RingGrowing[int]) { write(r, 64); read(r, 64-16) }, 32},
		{"the memory of a burst is given back even if the ring is never empty",
			func(r *RingGrowing[int]) { write(r, 1<<20); read(r, 1<<20-1) }, 16},
		{"a ring keeps room for sixteen",
			func(r *RingGrowing[int]) { write(r, 100_000); read(r, 100_000) }, 16},
		{"a ring that has just grown does not shrink at the next read",
			func(r *RingGrowing[int]) { write(r, 33); read(r, 2) }, 64},
	} {
		ring := &RingGrowing[int]{}
		law.do(ring)
		if ring.Cap() != law.want {
			t.Errorf("broken promise: %s: capacity %d, want %d", law.promise, ring.Cap(), law.want)
		}
		require.NoError(t, ring.check(), law.promise)
	}
}

// However far a ring is emptied and filled again, it moves at most two values per read or write on
// average. So it must not be resized at every step when it is read and written in turn.
func TestRingMovesLittle(t *testing.T) {
	for _, size := range []int{8, 9, 16, 17, 32, 33, 1000, 4096} {
		for _, span := range []int{1, size / 2, size * 7 / 8} {
			ring := &RingGrowing[int]{}
			for range size {
				ring.WriteOne(0)
			}
			moved, steps := 0, 0
			step := func(f func()) {
				steps++
				before := ring.Cap()
				if f(); ring.Cap() != before {
					moved += ring.Len()
				}
			}
			for range 50 {
				for range span {
					step(func() { ring.ReadOne() })
				}
				for range span {
					step(func() { ring.WriteOne(0) })
				}
			}
			require.LessOrEqual(t, moved, 2*steps,
				"values moved in %d steps between %d and %d values", steps, size-span, size)
		}
	}
}
