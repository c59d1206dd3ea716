package client

import (
	"context"
	"errors"
	"sync"

	"example.com/watchglass/reflector"
)

// ahead decodes the values of a source before they are asked for, several at the same time, and
// returns the results in the order of the source. Nearly all the time of a stream goes into
// decoding, and no frame needs the one before it.
//
//	                        ┌─▶ decode batch 1 ─┐
//	source ──▶ read ── go ──┼─▶ decode batch 2 ─┼──▶ next: 1, 2, 3, …
//	            │           └─▶ decode batch 3 ─┘      ▲
//	            └───────── order: 1, 2, 3 ─────────────┘
//
// A channel of channels keeps the order. One goroutine, read, takes all values that have arrived,
// as a batch. It makes a channel for the results of this batch, sends that channel to order, and
// starts a goroutine that decodes the batch and sends the results. next takes the channels from
// order, one after another, and waits on each until its results are there.
//
// A value does not wait for others: one that arrives alone is a batch of its own. When values
// arrive faster than they are decoded, a batch is cheaper than handing them over one by one.
//
// The capacity of order limits how far read is ahead: when it is full, read waits. So a slow caller
// of next slows down the server, and the stream takes little memory.
type ahead[V any] struct {
	ctx     context.Context // when it ends, nothing more is read
	cancel  context.CancelFunc
	running sync.WaitGroup // read, and everything that it has started
	order   chan chan []result[V]
	end     error // why order was closed; set before that

	ready []result[V] // of the present batch; only next uses this field and the next one
	over  error       // what all further calls of next return
}

type result[V any] struct {
	value V
	err   error
}

type decodeFunc[V any] func(by *decoder, data []byte) (V, error)

// newAhead begins to read. The caller must call close. cancel must end ctx, and must make a Read
// that from waits for return.
func newAhead[V any](
	ctx context.Context, cancel context.CancelFunc, from source, decode decodeFunc[V],
) *ahead[V] {
	a := &ahead[V]{ctx: ctx, cancel: cancel,
		order: make(chan chan []result[V], maxAhead)}
	a.running.Go(func() { a.read(from, decode) })
	return a
}

// maxAhead is how many batches read is ahead. With two, a core has nothing to decode whenever next
// takes its time; read can hardly fill more than eight in the time that decoding takes.
const maxAhead = 8

// close ends the reading and returns when everything that was started has ended. It may be called
// again, and while next waits.
func (a *ahead[V]) close() {
	a.cancel()
	a.running.Wait()
}

// read is the goroutine that starts all others. It decodes a small value that arrives alone itself,
// because there is nothing to do meanwhile, and a very large one, so that only one such value is in
// memory, and not one for each core.
func (a *ahead[V]) read(from source, decode decodeFunc[V]) {
	defer close(a.order)
	for {
		b, err := take(from)
		if err != nil {
			a.end = err
			return
		}
		results := make(chan []result[V], 1)
		select {
		case a.order <- results:
		case <-a.ctx.Done():
			a.end = a.ctx.Err()
			return
		}
		if n := len(b.bytes); n > keepBuffer || n < fullBatch/2 && len(b.ends) == 1 {
			a.decode(b, decode, results)
			continue
		}
		a.running.Go(func() { a.decode(b, decode, results) })
	}
}

// decode decodes a batch and sends its results.
func (a *ahead[V]) decode(b *batch, decode decodeFunc[V], to chan<- []result[V]) {
	results := make([]result[V], 0, len(b.ends))
	start := 0
	for _, end := range b.ends {
		if err := a.ctx.Err(); err != nil {
			results = append(results, result[V]{err: err})
			break
		}
		results = appendDecoded(results, &b.decoder, decode, b.bytes[start:end])
		start = end
	}
	if cap(b.bytes) <= keepBuffer {
		batches.Put(b)
	}
	to <- results
}

// appendDecoded appends the result of data, which is one value or several. Nearly always it is one:
// only when it cannot be decoded as one is it cut at its braces.
func appendDecoded[V any](
	results []result[V], by *decoder, decode decodeFunc[V], data []byte,
) []result[V] {
	value, err := decode(by, data)
	if err == nil || new(scanner).find(data) == len(data) {
		return append(results, result[V]{value, err})
	}
	for values := (cutter{buf: data}); values.start < len(data); {
		one, err := values.next(len(data))
		if err != nil { // a value without its end
			one = values.cut(len(data) - values.start)
		}
		value, err = decode(by, one)
		results = append(results, result[V]{value, err})
	}
	return results
}

// next waits for the next result. An error that ends the stream is returned by all further calls as
// well. After the context has ended, next returns its error, even if results are ready.
func (a *ahead[V]) next() (V, error) {
	var r result[V]
	if a.over == nil {
		a.over = a.ctx.Err()
	}
	for a.over == nil && len(a.ready) == 0 {
		a.ready = nil // nothing is kept while next waits
		if results, ok := <-a.order; ok {
			a.ready = <-results
		} else {
			a.ready = []result[V]{{err: a.end}}
		}
	}
	if a.over != nil {
		return r.value, a.over
	}
	r, a.ready[0] = a.ready[0], r // nothing here keeps the object from being freed
	a.ready = a.ready[1:]
	if _, skip := errors.AsType[*reflector.ObjectError](r.err); r.err != nil && !skip {
		a.over = r.err
	}
	return r.value, r.err
}

// batch is some values that have arrived together, copied, because the original bytes are
// overwritten when more is read.
type batch struct {
	bytes   []byte
	ends    []int // in bytes
	decoder decoder
}

const fullBatch = 32 << 10 // bytes; larger batches are hardly cheaper

// batches are used again. All streams share them, so that idle streams hold none.
var batches = sync.Pool{New: func() any { return &batch{bytes: make([]byte, 0, fullBatch)} }}

// take waits for a value, and makes a batch of it and of those that have arrived with it.
func take(from source) (*batch, error) {
	value, err := await(from)
	if err != nil {
		return nil, err
	}
	b := batches.Get().(*batch)
	b.bytes, b.ends = b.bytes[:0], b.ends[:0]
	for err == nil {
		b.bytes = append(b.bytes, value...)
		b.ends = append(b.ends, len(b.bytes))
		value, err = from.next(fullBatch - len(b.bytes))
	}
	return b, nil
}
