package processor

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// playRing plays a program against a ring and against the simplest queue there is. A byte below 128
// writes that many values, another one reads that many.
func playRing(t *testing.T, normal int, program []byte) {
	ring, model, next := NewRingGrowing[*int](normal), []*int(nil), 0
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
					t.Fatalf("a read says %v with %d values inside", ok, len(model))
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
	for round := range 50 {
		program := make([]byte, 40)
		for i := range program {
			program[i] = byte(random.Uint32())
		}
		playRing(t, round%20, program)
	}
}

func FuzzRing(f *testing.F) {
	f.Add(0, []byte{16, 128 + 5, 5, 1, 128 + 17}) // wraps, then grows, then runs empty
	f.Add(1, []byte{1, 2, 3, 128 + 6, 1})
	f.Add(1000, []byte{127, 255, 127})
	f.Fuzz(func(t *testing.T, normal int, program []byte) {
		if len(program) <= 64 {
			playRing(t, normal%2000, program)
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
		normal  int
		do      func(r *RingGrowing[int])
		want    int
	}{
		{"a ring that was never written to has allocated nothing",
			0, func(r *RingGrowing[int]) {}, 0},
		{"the first write makes room for sixteen",
			0, func(r *RingGrowing[int]) { write(r, 16) }, 16},
		{"a full ring doubles",
			0, func(r *RingGrowing[int]) { write(r, 17) }, 32},
		{"the initial size is the caller's",
			3, func(r *RingGrowing[int]) { write(r, 1) }, 3},
		{"a negative size is the default one",
			-3, func(r *RingGrowing[int]) { write(r, 1) }, 16},
		{"a ring that is written and read in turn does not grow, however often it goes round",
			0, func(r *RingGrowing[int]) {
				for range 1000 {
					write(r, 16)
					read(r, 16)
				}
			}, 16},
		{"a ring does not shrink as long as something is inside",
			0, func(r *RingGrowing[int]) { write(r, 100_000); read(r, 99_999) }, 131_072},
		{"an empty ring gives a burst's memory back",
			0, func(r *RingGrowing[int]) { write(r, 100_000); read(r, 100_000) }, 0},
		{"after a burst a ring begins again at its normal size",
			0, func(r *RingGrowing[int]) { write(r, 100_000); read(r, 100_000); write(r, 1) }, 16},
	} {
		ring := NewRingGrowing[int](law.normal)
		law.do(ring)
		if ring.Cap() != law.want {
			t.Errorf("broken promise: %s: capacity %d, want %d", law.promise, ring.Cap(), law.want)
		}
		require.NoError(t, ring.check(), law.promise)
	}
}
