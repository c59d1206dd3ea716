package realfifo

import (
	"slices"

	"example.com/watchglass/deltafifo"
)

// backlog is a first-in first-out queue in two slices: new deltas are appended to in, the oldest
// are taken from out. When out is used up, the two change places. So no delta is moved, and what
// front returns stays in its place while a producer pushes: a consumer may read it without a lock.
// The zero value is an empty queue.
type backlog struct {
	in   []deltafifo.Delta // the newest deltas, in the order of arrival
	out  []deltafifo.Delta // the oldest deltas begin at head; the slots before it are zero
	head int               // 0 ≤ head ≤ len(out)
}

// keptCap is the capacity, in deltas, of the largest slice that is used again. A larger one has
// held a burst, and would keep its memory for as long as the queue lives.
const keptCap = 4 * MaxBatch

func (b *backlog) len() int { return len(b.out) - b.head + len(b.in) }

// push puts d at the end. A full slice doubles: append alone would make a long slice only a quarter
// longer, and so copy it more often.
func (b *backlog) push(d deltafifo.Delta) {
	if len(b.in) == cap(b.in) {
		b.in = slices.Grow(b.in, len(b.in)+1)
	}
	b.in = append(b.in, d)
}

// front returns deltas from the front: those that are left in out or, if out is used up, all. The
// caller may read them until drop.
func (b *backlog) front() []deltafifo.Delta {
	if b.head == len(b.out) {
		used := b.out[:0]
		if cap(used) > keptCap {
			used = nil
		}
		b.in, b.out, b.head = used, b.in, 0
	}
	return b.out[b.head:]
}

// drop removes n deltas from the front, at most as many as front returned. It clears their slots,
// because otherwise the slice would keep the objects alive.
func (b *backlog) drop(n int) {
	clear(b.out[b.head : b.head+n])
	b.head += n
}
