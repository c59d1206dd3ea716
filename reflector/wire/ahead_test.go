package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// aheadOf decodes the frames of r ahead.
func aheadOf[V any](ctx context.Context, r io.Reader, decode func([]byte) (V, error)) *ahead[V] {
	ctx, cancel := context.WithCancel(ctx)
	return newAhead(ctx, cancel, NewFrameReader(r), decode)
}

// decodeNumber is the decoder of these tests: {"n":7} is 7, {"skip":7} an error about one object,
// {"end":7} an error that ends the stream.
func decodeNumber(frame []byte) (n int, err error) {
	bad := errors.New(prefix(string(frame), 12))
	switch _, e := fmt.Sscanf(string(frame), `{"n":%d`, &n); {
	case e == nil:
		return n, nil
	case strings.HasPrefix(string(frame), `{"skip"`):
		return 0, &reflector.ObjectError{Err: bad}
	}
	return 0, &reflector.DecodeError{What: "number", Err: bad}
}

// inOrder decodes frame by frame. An ahead must return the same results.
func inOrder(r io.Reader) []string {
	frames := NewFrameReader(r)
	return collect(func() (int, error) {
		frame, err := frames.Next()
		if err != nil {
			return 0, err
		}
		return decodeNumber(frame)
	})
}

// collect calls next up to the error that ends the stream.
func collect(next func() (int, error)) (lines []string) {
	for {
		n, err := next()
		lines = append(lines, fmt.Sprint(n, err))
		if _, object := errors.AsType[*reflector.ObjectError](err); err != nil && !object {
			return lines
		}
	}
}

// drip returns its bytes in pieces of random size, at random times.
type drip struct {
	ctx    context.Context
	random *rand.Rand
	bytes  string
}

func (d *drip) Read(p []byte) (int, error) {
	if d.random.IntN(3) == 0 {
		select {
		case <-time.After(time.Duration(d.random.IntN(20)) * ms):
		case <-d.ctx.Done():
			return 0, d.ctx.Err()
		}
	}
	if d.bytes == "" {
		return 0, io.EOF
	}
	n := copy(p, d.bytes[:1+d.random.IntN(len(d.bytes))])
	d.bytes = d.bytes[n:]
	return n, nil
}

// The test decodes random streams ahead, with decoders and a reader that take random times, and
// compares the results with those of the same streams decoded frame by frame.
func TestAheadReturnsWhatDecodingInOrderReturns(t *testing.T) {
	for seed := range uint64(300) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			stream := randomStream(random)
			want := inOrder(strings.NewReader(stream))
			ctx, cancel := context.WithCancel(t.Context())
			in := &drip{ctx: ctx, random: rand.New(rand.NewPCG(seed, 2)), bytes: stream}
			var pauses atomic.Uint64
			a := newAhead(ctx, cancel, NewFrameReader(in), func(frame []byte) (int, error) {
				time.Sleep(time.Duration(rand.New(rand.NewPCG(seed, pauses.Add(1))).IntN(4)) * ms)
				return decodeNumber(frame)
			})
			cut := random.IntN(2) == 0
			if cut {
				time.AfterFunc(time.Duration(random.IntN(100))*ms, cancel)
			}
			got := collect(func() (int, error) {
				time.Sleep(time.Duration(random.IntN(3)) * ms)
				return a.next()
			})
			_, again := a.next()
			require.Equal(t, got[len(got)-1], fmt.Sprint(0, again),
				"after the end, next returns the same error again (seed %d)", seed)
			a.close()
			if cut && got[len(got)-1] == fmt.Sprint(0, context.Canceled) {
				got = got[:len(got)-1]
				require.LessOrEqual(t, len(got), len(want), "seed %d", seed)
				require.Equal(t, want[:len(got)], got,
					"a stream that is cancelled has no gap before its end (seed %d)", seed)
				return
			}
			require.Equal(t, want, got,
				"results come in order, errors in their place, nothing after the end (seed %d)", seed)
		})
	}
}

// randomStream is numbers in frames of very different sizes, with some frames that cannot be used,
// and sometimes an end that is not orderly.
func randomStream(random *rand.Rand) string {
	var stream strings.Builder
	for n := range random.IntN(60) {
		switch kind := random.IntN(60); {
		case kind < 2:
			fmt.Fprintf(&stream, `{"skip":%d}`, n)
		case kind == 3:
			fmt.Fprintf(&stream, `{"end":%d}`, n)
		case kind < 6:
			fmt.Fprintf(&stream, `{"n":%d}%*s`, n, random.IntN(fullBatch), "")
		case kind < 9:
			fmt.Fprintf(&stream, `{"n":%d} {"skip":"%*s"}`, n, random.IntN(2*fullBatch), "")
		default:
			fmt.Fprintf(&stream, `{"n":%d}`, n)
		}
	}
	return stream.String() + []string{"", "", "\n", `{"n":`, "x"}[random.IntN(5)]
}

func TestAheadUsesTheCores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int64
		frame := fmt.Sprintf(`{"n":1%*s}`, fullBatch, "")
		a := aheadOf(t.Context(), strings.NewReader(strings.Repeat(frame, 40)),
			func([]byte) (int, error) {
				most.Store(max(most.Load(), now.Add(1)))
				time.Sleep(time.Second)
				now.Add(-1)
				return 1, nil
			})
		defer a.close()
		began := time.Now()
		for range 40 {
			_, err := a.next()
			require.NoError(t, err)
		}
		cores := min(runtime.GOMAXPROCS(0), maxDecoder)
		assert.GreaterOrEqual(t, int(most.Load()), cores,
			"as many frames are decoded at a time as there are cores")
		assert.LessOrEqual(t, int(most.Load()), cores+2,
			"at most two frames more than there are cores are decoded at a time")
		assert.LessOrEqual(t, time.Since(began), 40*time.Second/time.Duration(cores)+time.Second,
			"as many frames as there are cores are decoded in the time of one")
	})
}

func TestAheadIsBounded(t *testing.T) {
	for _, size := range []int{10, 3000, fullBatch - 10, 2 * fullBatch, 2 * keepBuffer} {
		synctest.Test(t, func(t *testing.T) {
			one := fmt.Sprintf(`{"n":1%*s}`, size, "")
			in := &endless{head: one, pattern: one}
			a := aheadOf(t.Context(), in, decodeNumber)
			defer a.close()
			for range 3 {
				synctest.Wait() // what can be read has been read
				batches := cap(a.free) * max(fullBatch, size+10)
				assert.LessOrEqual(t, in.taken, batches+2*max(readBuffer, size+10),
					"frames of %d bytes: the stream is read ahead by a few batches only", size)
				_, err := a.next()
				require.NoError(t, err)
			}
		})
	}
}

// repeated is a source that returns the same frame, in the same bytes, again and again.
type repeated []byte

func (r repeated) Next() ([]byte, error) { return r, nil }

func (r repeated) ready(int) []byte { return nil }

func (r repeated) drained() bool { return false }

func TestAheadCopiesNoVeryLargeFrame(t *testing.T) {
	for size, want := range map[int]bool{1000: true, keepBuffer: true, keepBuffer + 1: false} {
		source := make(repeated, size)
		ctx, cancel := context.WithCancel(t.Context())
		a := newAhead(ctx, cancel, source, func(frame []byte) (bool, error) {
			return &frame[0] != &source[0], nil
		})
		copied, err := a.next()
		require.NoError(t, err)
		a.close()
		assert.Equal(t, want, copied,
			"%d bytes: a very large frame is in memory once, not once for each core", size)
	}
}

func TestAheadAllocatesPerBatch(t *testing.T) {
	in := &endless{head: `{"n":1}`, pattern: `{"n":1}`}
	a := aheadOf(t.Context(), in, func([]byte) (int, error) { return 0, nil })
	defer a.close()
	allocs := testing.AllocsPerRun(10_000, func() { a.next() })
	assert.Less(t, allocs, 0.05, "the memory of a batch is used again")
}

func TestAheadKeepsNoObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		a := aheadOf(t.Context(), r, func([]byte) (*[100]byte, error) { return new([100]byte), nil })
		defer a.close()
		defer w.Close()
		go io.WriteString(w, `{}`) // ends with the pipe
		first, err := a.next()
		require.NoError(t, err)
		dropped := weak.Make(first)
		first = nil
		go io.WriteString(w, `{}`)
		_, err = a.next()
		require.NoError(t, err)
		runtime.GC()
		assert.Nil(t, dropped.Value(), "an ahead keeps no reference to an object that next has returned")
	})
}

func TestAheadKeepsNoBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		var buffer weak.Pointer[byte]
		a := aheadOf(t.Context(), r, func(frame []byte) (int, error) {
			buffer = weak.Make(&frame[0])
			return 0, nil
		})
		defer a.close()
		defer w.Close()
		go fmt.Fprintf(w, `{"n":%*s}`, 2*keepBuffer, "") // ends with the pipe
		_, err := a.next()
		require.NoError(t, err)
		synctest.Wait()
		runtime.GC()
		assert.Nil(t, buffer.Value(), "the buffer of a large frame is dropped when it is decoded")
	})
}
