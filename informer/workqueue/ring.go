package workqueue

// A ring is a first-in, first-out list that reuses its memory. The zero value is empty.
type ring[T any] struct {
	slots []T // len is a power of two, or 0
	first int // where the oldest item is
	count int
}

// smallest is the size of a ring at its first push, and the size to which it shrinks when it gets
// empty: a burst of a million keys must not cost memory for ever.
const smallest = 16

func (r *ring[T]) len() int { return r.count }

func (r *ring[T]) push(item T) {
	if r.count == len(r.slots) {
		r.resize(max(smallest, 2*len(r.slots)))
	}
	r.slots[(r.first+r.count)&(len(r.slots)-1)] = item
	r.count++
}

// pop takes the oldest item out. There must be one.
func (r *ring[T]) pop() T {
	item := r.slots[r.first]
	var none T
	r.slots[r.first] = none // or the ring would keep what it refers to alive
	r.first = (r.first + 1) & (len(r.slots) - 1)
	r.count--
	if r.count <= len(r.slots)/8 && len(r.slots) > smallest {
		r.resize(len(r.slots) / 2)
	}
	return item
}

func (r *ring[T]) resize(size int) {
	slots := make([]T, size)
	n := copy(slots, r.slots[r.first:min(r.first+r.count, len(r.slots))])
	copy(slots[n:], r.slots[:r.count-n])
	r.slots, r.first = slots, 0
}
