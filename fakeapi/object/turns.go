package object

import (
	"context"
	"slices"
	"sync"
)

// Turns let the requests of a server compute one at a time. Decoded, a document may take seventy
// times the memory of its bytes, so two of the largest at once would take most of a gigabyte. Of
// those that wait, the smallest is next: small requests do not wait for all the large ones, and
// large ones may have to wait for long. Nil does not limit.
type Turns struct {
	mu      sync.Mutex
	taken   bool
	waiting []*turn // the smallest first, and of one size in the order in which they came
}

type turn struct {
	size int
	come chan struct{} // closed when the turn has come
}

// Take waits for the turn of a request that decodes documents of a size in bytes, and returns the
// function that ends the turn. The error is ctx's. During its turn a request must not wait for a
// client, or for a second turn: then turns always end.
func (t *Turns) Take(ctx context.Context, size int) (end func(), err error) {
	if t == nil {
		return func() {}, nil
	}
	mine := t.join(size)
	select {
	case <-mine.come:
		return t.next, nil
	case <-ctx.Done():
		if t.leave(mine) {
			return nil, ctx.Err()
		}
		return t.next, nil // it has just come
	}
}

func (t *Turns) join(size int) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	mine := &turn{size, make(chan struct{})}
	if !t.taken {
		t.taken = true
		close(mine.come)
		return mine
	}
	// It comes after all of its own size, too.
	at, _ := slices.BinarySearchFunc(t.waiting, size+1, func(t *turn, size int) int {
		return t.size - size
	})
	t.waiting = slices.Insert(t.waiting, at, mine)
	return mine
}

// leave reports whether the turn was still being waited for.
func (t *Turns) leave(mine *turn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.Index(t.waiting, mine)
	if at < 0 {
		return false
	}
	t.waiting = slices.Delete(t.waiting, at, at+1)
	return true
}

// next ends a turn.
func (t *Turns) next() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.taken = len(t.waiting) > 0; t.taken {
		close(t.waiting[0].come)
		t.waiting = slices.Delete(t.waiting, 0, 1)
	}
}

// TreeIn decodes the document again, in a turn that ends when the caller calls end.
func (t *Turns) TreeIn(d *Document) (_ Tree, end func()) {
	end, _ = t.Take(context.Background(), len(d.Raw)) // the context is never done
	return d.Tree(), end
}
