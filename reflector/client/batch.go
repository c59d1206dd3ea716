package client

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"example.com/watchglass/reflector"
)

// batches decodes the values of a source. Nearly all the time of a stream goes into decoding, and
// no value needs the one before it, so next takes all values that have arrived as one batch,
// decodes them on all cores, and returns the results one by one, in the order of the source:
//
//	                   ┌─▶ decode 1, 3, 4 ─┐
//	source ──▶ batch ──┤                   ├──▶ next: 1, 2, 3, 4, 5
//	                   └─▶ decode 2, 5 ────┘
//
// All of that happens while a call of next runs. When it returns, nothing reads and nothing
// decodes, so nothing has to be stopped. While a batch is decoded nothing is read, so its bytes
// stay where they are. A slow caller of next slows down the server.
//
// A value does not wait for others: one that arrives alone is decoded at once. When values arrive
// faster than they are decoded, batches grow up to what the buffer of the source holds.
type batches[V any] struct {
	ctx    context.Context // when it ends, nothing more is decoded
	from   source
	decode decodeFunc[V]
	by     decoder // of the goroutine that calls next

	ready [][]result[V] // of each value of the present batch: nearly always one result
	over  error         // what all further calls of next return
}

type result[V any] struct {
	value V
	err   error
}

type decodeFunc[V any] func(by *decoder, data []byte) (V, error)

// next returns the next result. An error that ends the stream is returned by all further calls as
// well. After the context has ended, next returns its error, even if results are ready.
func (b *batches[V]) next() (V, error) {
	var r result[V]
	if b.over == nil {
		b.over = b.ctx.Err()
	}
	if b.over == nil && len(b.ready) == 0 {
		b.over = b.fill()
	}
	if b.over != nil {
		return r.value, b.over
	}
	first := b.ready[0]
	r, first[0] = first[0], r // nothing here keeps the object from being freed
	if b.ready[0] = first[1:]; len(first) == 1 {
		b.ready = b.ready[1:]
	}
	if _, skip := errors.AsType[*reflector.ObjectError](r.err); r.err != nil && !skip {
		b.over = r.err
	}
	return r.value, r.err
}

// errPanicked is returned after a panic of a decoder that a caller of next has recovered from: the
// values of the batch are lost.
var errPanicked = errors.New("a decoder has panicked")

// fill waits for the next batch and decodes it. It returns what over is then.
func (b *batches[V]) fill() error {
	b.ready = nil // nothing is kept while next waits
	values, size, err := take(b.from)
	if err != nil {
		return err
	}
	b.over = errPanicked // unless fill returns
	b.decodeAll(values, size)
	return b.ctx.Err()
}

const (
	// fullBatch is how many bytes a batch has at most, or one value more. Until the last of them is
	// decoded the first one waits, and all are in memory.
	fullBatch = 256 << 10
	// decoderShare is how many bytes are worth a goroutine: decoding them takes ten times as long as
	// starting it.
	decoderShare = 2 << 10
	// maxDecoders is the most goroutines that decode a batch.
	maxDecoders = 8
)

// take waits for a value, and returns it with those that have arrived with it, and their size.
func take(from source) (values [][]byte, size int, _ error) {
	value, err := await(from)
	if err != nil {
		return nil, 0, err
	}
	for err == nil {
		values, size = append(values, value), size+len(value)
		if size >= fullBatch {
			break
		}
		value, err = from.next() // an error is returned again by the next call
	}
	return values, size, nil
}

// decodeAll makes ready of values. Each goroutine takes the next value that no other has taken,
// so all of them end at the same time, whatever the sizes of the values.
//
// T may have an UnmarshalJSON that panics, or ends its goroutine. If that happens on another
// goroutine, the value is decoded once more by the caller's, so that it happens there: the caller
// can recover, and the stack trace shows where the call of Next came from.
func (b *batches[V]) decodeAll(values [][]byte, size int) {
	results := make([]result[V], len(values))
	b.ready = make([][]result[V], len(values))
	var taken atomic.Int64
	work := func(by *decoder) {
		for b.ctx.Err() == nil {
			i := int(taken.Add(1)) - 1
			if i >= len(values) {
				return
			}
			b.ready[i] = appendDecoded(results[i:i:i+1], by, b.decode, values[i])
		}
	}
	var others sync.WaitGroup
	defer others.Wait() // also after a panic
	for range min(runtime.GOMAXPROCS(0), maxDecoders, len(values), size/decoderShare) - 1 {
		others.Go(func() {
			defer func() { _ = recover() }()
			work(new(decoder))
		})
	}
	work(&b.by)
	others.Wait()
	for i, value := range values {
		if b.ready[i] == nil && b.ctx.Err() == nil {
			b.ready[i] = appendDecoded(nil, &b.by, b.decode, value)
		}
	}
}

// appendDecoded appends the result of data, which is one value or several. Nearly always it is one:
// only when it cannot be decoded as one is it cut at its braces.
func appendDecoded[V any](
	results []result[V], by *decoder, decode decodeFunc[V], data []byte,
) []result[V] {
	value, err := decode(by, data)
	if err == nil {
		return append(results, result[V]{value, nil})
	}
	for values := (cutter{buf: data}); values.start < len(data); {
		one, err := values.next()
		if err != nil { // a value without its end
			one, values.start = data[values.start:], len(data)
		}
		value, err = decode(by, one)
		results = append(results, result[V]{value, err})
	}
	return results
}
