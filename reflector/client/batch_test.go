package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// batchesOf decodes the frames of r.
func batchesOf[V any](ctx context.Context, r io.Reader, decode decodeFunc[V]) *batches[V] {
	return &batches[V]{ctx: ctx, from: framesOf(r, reflector.ObjectLimit), decode: decode}
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
			fmt.Fprintf(&stream, `{"n":%d,"":"%*s"} {"skip":"%*s"}`, n, random.IntN(4*decoderShare), "",
				random.IntN(2*keepBuffer/(1+random.IntN(100))), "")
		default:
			fmt.Fprintf(&stream, "{\"n\":%d}\n", n)
		}
	}
	return stream.String() + []string{"", "", "\n", `{"n":`, "x"}[random.IntN(5)]
}

// The test decodes random streams in batches, with decoders and a reader that take random times,
// and compares the results with those of the same streams decoded frame by frame.
func TestBatchesReturnWhatDecodingInOrderReturns(t *testing.T) {
	for seed := range uint64(40) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			stream := randomStream(random)
			want := collect(inOrder(stream))

			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			in := &drip{ctx: ctx, random: rand.New(rand.NewPCG(seed, 2)), bytes: stream}
			var pauses atomic.Uint64
			b := batchesOf(ctx, in, func(_ *decoder, frame []byte) (int, error) {
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
				return b.next()
			})
			_, again := b.next()
			require.Equal(t, got[len(got)-1], fmt.Sprint(0, again),
				"after the end, next returns the same error again (seed %d)", seed)
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

// inOrder is the model: it decodes one frame after another.
func inOrder(stream string) func() (int, error) {
	frames := framesOf(strings.NewReader(stream), reflector.ObjectLimit)
	var some []result[int]
	return func() (int, error) {
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
	}
}

func TestABatch(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for law, f := range map[string]func(*testing.T){
		"is decoded on all cores, and next returns when all have ended":  isShared,
		"is decoded by the caller alone if it is small":                  isNotShared,
		"has what has arrived, and nothing is read while it is used":     isBounded,
		"is dropped by the end of the context, after the present values": endsWithItsContext,
		"costs next to nothing for each value":                           allocatesPerBatch,
		"is not kept by an idle stream, nor are objects that are used":   keepsNoObject,
		"makes a decoder that panics do so in the caller":                panicsInTheCaller,
		"makes a decoder that ends its goroutine end the caller's":       exitsInTheCaller,
		"loses nothing if another goroutine panics once":                 losesNothing,
	} {
		bubble(t, law, f)
	}
}

// numbers is n frames of at least a size.
func numbers(n, size int) string {
	var stream strings.Builder
	for i := range n {
		fmt.Fprintf(&stream, "{\"n\":%d,\"\":\"%*s\"}\n", i, size, "")
	}
	return stream.String()
}

// slowNumbers is a decoder of numbers that takes a second, and counts how many run at a time.
type slowNumbers struct{ now, most, all atomic.Int64 }

func (s *slowNumbers) decode(by *decoder, data []byte) (int, error) {
	s.all.Add(1)
	s.most.Store(max(s.most.Load(), s.now.Add(1)))
	time.Sleep(time.Second)
	s.now.Add(-1)
	return decodeNumber(by, data)
}

func isShared(t *testing.T) {
	for _, stream := range []string{
		numbers(9, decoderShare), `{"bad":1}` + "\n" + numbers(8, decoderShare),
	} {
		var slow slowNumbers
		b := batchesOf(t.Context(), strings.NewReader(stream), slow.decode)
		began := time.Now()
		_, err := b.next()
		assert.Equal(t, stream[2] == 'b', err != nil)
		assert.EqualValues(t, 4, slow.most.Load(), "GOMAXPROCS")
		assert.Equal(t, 3*time.Second, time.Since(began), "9 values on 4 cores")
		assert.Zero(t, slow.now.Load())
	}
}

func isNotShared(t *testing.T) {
	for size, n := range map[int]int{10: 9, decoderShare/2 - 99: 3, readBuffer / 2: 1} {
		var slow slowNumbers
		b := batchesOf(t.Context(), strings.NewReader(numbers(n, size)), slow.decode)
		assert.Len(t, collect(b.next), n+1)
		assert.EqualValues(t, 1, slow.most.Load())
	}
}

func isBounded(t *testing.T) {
	kibi := 1024 - len(`{"n":0,"":""}`) // of frames of 1 KiB a batch has exactly fullBatch bytes
	for _, size := range []int{10, kibi, 3000, fullBatch - 100, 2 * fullBatch} {
		one := numbers(1, size)
		large := numbers(1, 2*fullBatch) // its buffer is twice as large
		many := strings.Repeat(one, 1+16*fullBatch/len(one))
		from := framesOf(strings.NewReader(large+many), reflector.ObjectLimit)
		for range 9 {
			values, n, err := take(from)
			require.NoError(t, err)
			assert.Len(t, bytes.Join(values, nil), n)
			assert.Less(t, n-len(values[len(values)-1]), fullBatch, "frames of %d bytes", size)
		}
		in := &endless{head: one, pattern: one}
		b := batchesOf(t.Context(), in, decodeNumber)
		in.taken = 0
		_, err := b.next()
		require.NoError(t, err)
		taken := in.taken
		assert.LessOrEqual(t, taken, max(readBuffer, 2*len(one)))
		for range len(b.ready) {
			_, err = b.next()
			require.NoError(t, err)
			synctest.Wait()
			assert.Equal(t, taken, in.taken)
		}
	}
}

func endsWithItsContext(t *testing.T) {
	var slow slowNumbers
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(1500*time.Millisecond, cancel)
	b := batchesOf(ctx, strings.NewReader(numbers(99, 100)), slow.decode)
	began := time.Now()
	_, err := b.next()
	assert.Equal(t, context.Canceled, err)
	assert.Equal(t, 2*time.Second, time.Since(began))
	assert.EqualValues(t, 8, slow.all.Load())
}

func allocatesPerBatch(t *testing.T) {
	in := &endless{head: `{"n":1}`, pattern: `{"n":1}`}
	b := batchesOf(t.Context(), in, func(*decoder, []byte) (int, error) { return 0, nil })
	assert.Less(t, testing.AllocsPerRun(10_000, func() { b.next() }), 0.05)
}

func keepsNoObject(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	b := batchesOf(t.Context(), r, func(*decoder, []byte) (*[100]byte, error) {
		return new([100]byte), nil
	})
	go io.WriteString(w, `{} {}`) // ends with the pipe
	first, err := b.next()
	require.NoError(t, err)
	dropped := weak.Make(first)
	first = nil
	synctest.Wait()
	runtime.GC()
	assert.Nil(t, dropped.Value())
	_, err = b.next()
	require.NoError(t, err)
	go b.next() // ends with the pipe
	synctest.Wait()
	assert.Nil(t, b.ready)
}

// A program may have hundreds of watches, and most of them are idle most of the time.
func TestAnIdleWatchIsSmall(t *testing.T) {
	decode := eventDecoder[watchglass.Unstructured, *watchglass.Unstructured]{}.decode
	padded := func(size int) string {
		return fmt.Sprintf(`{"type":"ADDED","object":{"metadata":{"name":"a","x":"%*s"}}}`+"\n", size, "")
	}
	for law, stream := range map[string]string{
		"after many small events": strings.Repeat(padded(1), 10_000),
		"after large events":      strings.Repeat(padded(keepBuffer*3/4), 3),
	} {
		bubble(t, law, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var waiting sync.WaitGroup
			defer waiting.Wait()
			defer cancel()
			before := story.Heap()
			for range 2 {
				b := batchesOf(ctx, io.MultiReader(strings.NewReader(stream), silent{ctx}), decode)
				for range strings.Count(stream, "\n") {
					_, err := b.next()
					require.NoError(t, err)
				}
				waiting.Go(func() {
					_, err := b.next()
					assert.ErrorIs(t, err, context.Canceled)
				})
			}
			synctest.Wait()
			assert.Less(t, (story.Heap()-before)/2, 2*readBuffer)
		})
	}
}

// troubled returns batches of 9 numbers, of which decoding the one at a place makes trouble. If
// once is true, only goroutines other than the caller's are troubled.
func troubled(
	t *testing.T, at int, once bool, trouble func(),
) (b *batches[int], now *atomic.Int64) {
	now = new(atomic.Int64) // how many decoders run
	b = batchesOf(t.Context(), strings.NewReader(numbers(9, decoderShare)),
		func(by *decoder, data []byte) (int, error) {
			now.Add(1)
			defer now.Add(-1)
			time.Sleep(time.Second) // so that each goroutine gets some
			n, err := decodeNumber(by, data)
			if by != &b.by && once || n == at && !once {
				trouble()
			}
			return n, err
		})
	return b, now
}

func panicsInTheCaller(t *testing.T) {
	for at := range 9 {
		b, now := troubled(t, at, false, func() { panic("at " + fmt.Sprint(at)) })
		assert.PanicsWithValue(t, "at "+fmt.Sprint(at), func() { _, _ = b.next() })
		assert.Zero(t, now.Load(), "the others have ended, too")
		_, err := b.next()
		assert.Equal(t, errPanicked, err, "the caller has recovered: there is a gap")
	}
}

func exitsInTheCaller(t *testing.T) {
	for at := range 9 {
		b, _ := troubled(t, at, false, runtime.Goexit)
		var returned bool
		var caller sync.WaitGroup
		caller.Go(func() {
			_, _ = b.next()
			returned = true
		})
		caller.Wait()
		assert.False(t, returned)
	}
}

func losesNothing(t *testing.T) {
	for _, trouble := range []func(){runtime.Goexit, func() { panic("once") }} {
		b, _ := troubled(t, 0, true, trouble)
		assert.Equal(t, collect(inOrder(numbers(9, decoderShare))), collect(b.next))
	}
}
