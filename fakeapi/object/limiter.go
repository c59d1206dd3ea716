package object

import "context"

// A Limiter bounds the memory of the requests that compute at once. Decoded, a document may take
// seventy times the memory of its bytes. Nil does not limit.
type Limiter chan struct{}

// NewLimiter returns a limiter for two large requests at once. Four of the worst take 1.4 GB.
func NewLimiter() Limiter { return make(Limiter, 2) }

// Large is the size in bytes above which a request waits for its turn.
const Large = 256 << 10

// Enter waits for the turn of a request that decodes documents of a size in bytes, and returns the
// function that ends the turn. Small requests do not wait. The error is ctx's. During its turn a
// request must not wait for a client, or for a second turn: then turns always end.
func (l Limiter) Enter(ctx context.Context, size int) (leave func(), err error) {
	if l == nil || size <= Large {
		return func() {}, nil
	}
	select {
	case l <- struct{}{}:
		return func() { <-l }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TreeIn decodes the document again, in a turn that ends when the caller calls leave.
func (l Limiter) TreeIn(d *Document) (t Tree, leave func()) {
	leave, _ = l.Enter(context.Background(), len(d.Raw)) // the context is never done
	return d.Tree(), leave
}
