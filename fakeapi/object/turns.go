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

// Do waits for the turn of a request that decodes documents of a size in bytes, and calls f in it.
// The error is f's, or ctx's if it is done before the turn comes. f must not wait for a client, or
// for a second turn: then turns always end.
func (t *Turns) Do(ctx context.Context, size int, f func() error) error {
	if t == nil {
		return f()
	}
	mine := t.join(size)
	select {
	case <-mine.come:
	case <-ctx.Done():
		if t.leave(mine) {
			return ctx.Err()
		}
		// It has just come.
	}
	defer t.next()
	return f()
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

// Decode decodes the document again, and calls f with it, in a turn.
func (t *Turns) Decode(d *Document, f func(Tree)) {
	_ = t.Do(context.Background(), len(d.Raw), func() error { // the context is never done
		f(d.Tree())
		return nil
	})
}
