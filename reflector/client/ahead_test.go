package client

import (
	"context"
	"encoding/json"
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
func aheadOf[V any](ctx context.Context, r io.Reader, decode func(*decoder, []byte) (V, error)) *ahead[V] {
	ctx, cancel := context.WithCancel(ctx)
	return newAhead(ctx, cancel, framesOf(r, reflector.ObjectLimit), decode)
}

// decodeNumber is the decoder of these tests: {"n":7} is 7, {"skip":7} an error about one object,
// {"end":7} an error that ends the stream.
func decodeNumber(_ *decoder, frame []byte) (n int, err error) {
	bad := fmt.Errorf("%.12s", frame)
	_, e := fmt.Sscanf(string(frame), `{"n":%d`, &n)
	switch valid := json.Valid(frame); {
	case valid && e == nil:
		return n, nil
	case valid && strings.HasPrefix(string(frame), `{"skip"`):
		return 0, &reflector.ObjectError{Err: bad}
	}
	return 0, &reflector.DecodeError{What: "number", Err: bad}
}

// collect calls next up to the error that ends the stream.
func collect(next func() (int, error)) (lines []string) {
	for {
		n, err := next()
		lines = append(lines, fmt.Sprint(n, err))
		if err != nil && !is[*reflector.ObjectError](err) {
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
		case <-time.After(time.Duration(d.random.IntN(20)) * time.Millisecond):
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
		case kind == 4:
			fmt.Fprintf(&stream, `{"n":%d}%*s`, n, random.IntN(2*fullBatch), "")
		case kind < 9:
			fmt.Fprintf(&stream, `{"n":%d,"":"%*s"} {"skip":"%*s"}`, n, random.IntN(fullBatch), "",
				random.IntN(2*keepBuffer/(1+random.IntN(20))), "")
		default:
			fmt.Fprintf(&stream, "{\"n\":%d}\n", n)
		}
	}
	return stream.String() + []string{"", "", "\n", `{"n":`, "x"}[random.IntN(5)]
}

// The test decodes random streams ahead, with decoders and a reader that take random times, and
// compares the results with those of the same streams decoded frame by frame.
func TestAheadReturnsWhatDecodingInOrderReturns(t *testing.T) {
	for seed := range uint64(40) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			stream := randomStream(random)
			frames := framesOf(strings.NewReader(stream), reflector.ObjectLimit)
			var some []result[int]
			want := collect(func() (int, error) {
				if len(some) == 0 {
					data, err := await(frames)
					if err != nil {
						return 0, err
					}
					some = appendDecoded(nil, nil, decodeNumber, data)
				}
				r := some[0]
				some = some[1:]
				return r.value, r.err
			})
			ctx, cancel := context.WithCancel(t.Context())
			in := &drip{ctx: ctx, random: rand.New(rand.NewPCG(seed, 2)), bytes: stream}
			var pauses atomic.Uint64
			a := newAhead(ctx, cancel, framesOf(in, reflector.ObjectLimit),
				func(_ *decoder, frame []byte) (int, error) {
					pause := rand.New(rand.NewPCG(seed, pauses.Add(1))).IntN(4)
					time.Sleep(time.Duration(pause) * time.Millisecond)
					return decodeNumber(nil, frame)
				})
			cut := random.IntN(2) == 0
			if cut {
				time.AfterFunc(time.Duration(random.IntN(100))*time.Millisecond, cancel)
			}
			got := collect(func() (int, error) {
				time.Sleep(time.Duration(random.IntN(3)) * time.Millisecond)
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

func TestAhead(t *testing.T) {
	for law, f := range map[string]func(*testing.T){
		"decodes several batches at once, but very large frames one by one": decodesAtOnce,
		"reads a few batches ahead, and no more":                            isBounded,
		"allocates per batch, not per frame":                                allocatesPerBatch,
		"waits for decoders when it is closed":                              waitsForDecoders,
		"keeps no object that next has returned":                            keepsNoObject,
		"gives no large buffer to other streams":                            sharesNoLargeBuffer,
	} {
		bubble(t, law, f)
	}
}

func decodesAtOnce(t *testing.T) {
	for size, want := range map[int]struct{ least, most int }{
		fullBatch:  {maxAhead, maxAhead + 2}, // next holds one batch, and read another
		keepBuffer: {1, 1},
	} {
		var now, most atomic.Int64
		frame := fmt.Sprintf(`{"n":1%*s}`, size, "")
		a := aheadOf(t.Context(), strings.NewReader(strings.Repeat(frame, 40)),
			func(*decoder, []byte) (int, error) {
				most.Store(max(most.Load(), now.Add(1)))
				time.Sleep(time.Second)
				now.Add(-1)
				return 1, nil
			})
		began := time.Now()
		assert.Len(t, collect(a.next), 41)
		a.close()
		assert.GreaterOrEqual(t, int(most.Load()), want.least)
		assert.LessOrEqual(t, int(most.Load()), want.most)
		assert.LessOrEqual(t, time.Since(began), 40*time.Second/time.Duration(want.least)+time.Second)
	}
}

func isBounded(t *testing.T) {
	for _, size := range []int{10, 3000, fullBatch - 10, 2 * fullBatch, 2 * keepBuffer} {
		one := fmt.Sprintf("{\"n\":1%*s}\n", size, "")
		in := &endless{head: one, pattern: one}
		a := aheadOf(t.Context(), in, decodeNumber)
		for n := range 3 {
			synctest.Wait() // what can be read has been read
			batches := cap(a.order) + 2 + n
			assert.LessOrEqual(t, in.taken, batches*max(fullBatch, size+10)+2*max(readBuffer, size+10),
				"frames of %d bytes", size)
			_, err := a.next()
			require.NoError(t, err)
		}
		a.close()
		many := strings.NewReader(strings.Repeat(one, 2+readBuffer/len(one)))
		b, err := take(framesOf(many, reflector.ObjectLimit))
		require.NoError(t, err)
		assert.LessOrEqual(t, len(b.bytes), max(fullBatch, size+10))
	}
}

func allocatesPerBatch(t *testing.T) {
	in := &endless{head: `{"n":1}`, pattern: `{"n":1}`}
	a := aheadOf(t.Context(), in, func(*decoder, []byte) (int, error) { return 0, nil })
	defer a.close()
	assert.Less(t, testing.AllocsPerRun(10_000, func() { a.next() }), 0.05)
}

func waitsForDecoders(t *testing.T) {
	var ended atomic.Bool
	a := aheadOf(t.Context(), strings.NewReader(`{"n":1}{"n":2}`), func(*decoder, []byte) (int, error) {
		time.Sleep(time.Minute)
		ended.Store(true)
		return 0, nil
	})
	time.Sleep(time.Second)
	began := time.Now()
	a.close()
	assert.True(t, ended.Load())
	assert.Less(t, time.Since(began), time.Minute, "no further frame is decoded")
	_, err := a.next()
	assert.ErrorIs(t, err, context.Canceled)
}

func keepsNoObject(t *testing.T) {
	r, w := io.Pipe()
	a := aheadOf(t.Context(), r, func(*decoder, []byte) (*[100]byte, error) { return new([100]byte), nil })
	defer a.close()
	defer w.Close()
	go io.WriteString(w, `{} {}`) // ends with the pipe
	first, err := a.next()
	require.NoError(t, err)
	dropped := weak.Make(first)
	first = nil
	runtime.GC()
	assert.Nil(t, dropped.Value())
	_, err = a.next()
	require.NoError(t, err)
	go a.next() // waits until a.close
	synctest.Wait()
	assert.Nil(t, a.ready, "an idle stream keeps no batch")
}

func sharesNoLargeBuffer(t *testing.T) {
	large := strings.Repeat(fmt.Sprintf(`{"n":1,"":"%*s"}`, keepBuffer, ""), 20)
	a := aheadOf(t.Context(), strings.NewReader(large), decodeNumber)
	assert.Len(t, collect(a.next), 21)
	a.close()
	for range 20 {
		assert.LessOrEqual(t, cap(batches.Get().(*batch).bytes), keepBuffer)
	}
}
