package wire

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"example.com/watchglass/reflector"
)

// ahead decodes frames before they are asked for, on as many goroutines as there are cores, and
// returns the results in the order of the frames. Nearly all the time of a stream goes into
// decoding, and no frame needs the one before it.
//
//	                        ┌── decode batch 1 ──┐
//	frames ──▶ read ── go ──┼── decode batch 2 ──┼──▶ next: 1, 2, 3, …
//	            │           └── decode batch 3 ──┘      ▲
//	            └──────── order: batch 1, 2, 3 ─────────┘
//
// One goroutine, read, takes all frames that have arrived, as a batch. It sends the batch to order
// and starts a goroutine that decodes it. next receives the batches from order, one after another,
// and waits for each to be decoded. A frame that arrives alone is a batch of its own, so it does
// not wait for others. When frames arrive faster than they are decoded, a batch is cheaper than
// handing them over one by one.
//
// The number of batches is fixed, and they are reused: read waits until one is free. This limits
// how far the stream is read ahead of the caller of next, and how much memory it takes.
type ahead[V any] struct {
	ctx    context.Context // when it ends, nothing more is read
	cancel context.CancelFunc
	source frameSource
	decode func(frame []byte) (V, error)

	free    chan *batch[V] // batches that next is done with
	order   chan *batch[V] // batches that next has not seen, in the order of the stream
	end     error          // why order was closed; set before that
	running sync.WaitGroup // read, and everything that it has started

	now   *batch[V] // that next returns from; only next uses this field and those below
	ready []result[V]
	over  error // what all further calls of next return
}

// frameSource is where frames come from: the stream of a watch, or the items of a list.
type frameSource interface {
	// Next waits for the next frame. It is valid until Next is called again.
	Next() ([]byte, error)
	// ready returns a further frame if it has arrived and has at most room bytes, else nil.
	ready(room int) []byte
	// drained reports whether nothing at all has arrived after the last frame.
	drained() bool
}

// batch is some frames of the stream that have arrived together, and their results.
type batch[V any] struct {
	frames  [][]byte
	results []result[V]
	decoded chan struct{} // receives when results are complete
}

type result[V any] struct {
	value V
	err   error
	panic any // of decode
}

const (
	fullBatch  = 32 << 10 // bytes of frames; larger ones are hardly cheaper
	maxDecoder = 8        // batches decoded at a time: read can hardly fill more
)

// newAhead begins to read. The caller must call close. cancel must end ctx, and must make a Read
// that source waits for return.
func newAhead[V any](
	ctx context.Context, cancel context.CancelFunc, source frameSource,
	decode func(frame []byte) (V, error),
) *ahead[V] {
	n := min(runtime.GOMAXPROCS(0), maxDecoder) + 2 // one being filled, one that next returns from
	a := &ahead[V]{
		ctx: ctx, cancel: cancel, source: source, decode: decode,
		free: make(chan *batch[V], n), order: make(chan *batch[V], n),
	}
	for range n {
		a.free <- &batch[V]{decoded: make(chan struct{}, 1)}
	}
	a.running.Go(a.read)
	return a
}

// close ends the reading and returns when everything that was started has ended. It may be called
// again, and while next waits.
func (a *ahead[V]) close() {
	a.cancel()
	a.running.Wait()
}

// read is the goroutine that starts all others.
func (a *ahead[V]) read() {
	defer close(a.order)
	for {
		select {
		case b := <-a.free:
			if a.end = a.take(b); a.end != nil {
				return
			}
		case <-a.ctx.Done():
			a.end = a.ctx.Err()
			return
		}
	}
}

// take waits for a frame, adds the frames that have arrived with it, and has the batch decoded.
//
// A frame with nothing after it is decoded here, because there is nothing to do meanwhile. A very
// large frame is decoded here too: so only one such frame is in memory, not one for each core.
func (a *ahead[V]) take(b *batch[V]) error {
	frame, err := a.source.Next()
	if err != nil {
		return err
	}
	b.frames = append(b.frames[:0], frame)
	size := len(frame)
	for frame != nil {
		if frame = a.source.ready(fullBatch - size); frame != nil {
			b.frames = append(b.frames, frame)
			size += len(frame)
		}
	}
	if len(b.frames) == 1 && (a.source.drained() || size > keepBuffer) {
		defer func() { a.order <- b }() // even if decode ends this goroutine
		a.decodeAll(b)
		return nil
	}
	buffer := copyFrames(b.frames, size)
	a.order <- b // has room for all batches
	a.running.Go(func() {
		a.decodeAll(b)
		buffers.Put(buffer)
	})
	return nil
}

// buffers are for the bytes of batches while they are decoded. All streams share them, so that idle
// streams hold none.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// copyFrames copies frames, size bytes in all, into a buffer of their own and makes them point
// there: the original bytes are overwritten when more is read.
func copyFrames(frames [][]byte, size int) *[]byte {
	buffer := buffers.Get().(*[]byte)
	all := slices.Grow((*buffer)[:0], size)
	for i, frame := range frames {
		start := len(all)
		all = append(all, frame...)
		frames[i] = all[start:]
	}
	*buffer = all
	return buffer
}

// errPanicked is the error of all calls of next after the one in which decode has panicked.
var errPanicked = errors.New("the decoder of an object before this one has panicked")

// decodeAll decodes a batch. It drops the references to the frames, whose buffers may be large.
func (a *ahead[V]) decodeAll(b *batch[V]) {
	defer func() {
		p := recover()
		if len(b.results) < len(b.frames) { // decode has not returned
			if p == nil {
				p = "runtime.Goexit"
			}
			b.results = append(b.results, result[V]{
				panic: fmt.Sprintf("%v\n\nwhile decoding:\n\n%s", p, debug.Stack()),
			})
		}
		clear(b.frames)
		b.decoded <- struct{}{}
	}()
	for _, frame := range b.frames {
		var r result[V]
		if r.err = a.ctx.Err(); r.err == nil {
			r.value, r.err = a.decode(frame)
		}
		b.results = append(b.results, r)
	}
}

// endsStream reports whether err is about more than one object.
func endsStream(err error) bool {
	if err == nil {
		return false
	}
	_, object := errors.AsType[*reflector.ObjectError](err)
	return !object
}

// next waits for the next result. An error that ends the stream is returned by all further calls as
// well. After the context has ended, next returns its error, even if results are ready. A panic of
// decode continues here, where the caller may recover from it, and ends the stream.
func (a *ahead[V]) next() (V, error) {
	var none V
	if a.over == nil {
		a.over = a.ctx.Err()
	}
	for a.over == nil && len(a.ready) == 0 {
		a.over = a.advance()
	}
	if a.over != nil {
		return none, a.over
	}
	r := a.ready[0]
	a.ready = a.ready[1:]
	if r.panic != nil {
		a.over = errPanicked
		a.close() // the panic may end the caller before it calls close
		panic(r.panic)
	}
	if endsStream(r.err) {
		a.over = r.err
		a.cancel()
	}
	return r.value, r.err
}

// advance gives back the batch that next has returned, and waits for the one after it.
func (a *ahead[V]) advance() error {
	if b := a.now; b != nil {
		clear(b.results)
		b.results = b.results[:0]
		a.free <- b
	}
	b, ok := <-a.order
	if !ok {
		a.now = nil
		return a.end
	}
	<-b.decoded
	a.now, a.ready = b, b.results
	return nil
}
