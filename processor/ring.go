package processor

// minRing is the capacity of a [RingGrowing] from its first write on, and the least it shrinks to.
const minRing = 16

// RingGrowing is a first-in, first-out queue without an upper bound, in one slice that is used as a
// circular buffer:
//
//	start = 6, count = 5        [ 8 ][ 9 ][ 10 ][   ][   ][   ][ 6 ][ 7 ]
//	                                        last               first
//
// When it is full it moves to a slice of twice the size. When it is three quarters empty it moves
// to one of half the size: a burst must not cost memory forever, not even if the reader always
// stays a little behind. Before each move there are at least half as many writes or reads as values
// to move, so both cost constant time on average. Slots that have been read are zeroed, so that the
// ring does not keep alive what was read.
//
// The zero value is an empty ring that has not allocated anything: a thousand idle handlers cost
// nothing here. A ring is not safe for use by several goroutines.
type RingGrowing[T any] struct {
	slots []T // len(slots) is the capacity; all slots outside the window below are zero
	start int // 0 <= start < len(slots), or 0 when there are no slots
	count int // 0 <= count <= len(slots); the window is slots[start:start+count], wrapped
}

// Len returns how many values wait in the ring.
func (r *RingGrowing[T]) Len() int { return r.count }

// Cap returns how many values the ring has room for without growing.
func (r *RingGrowing[T]) Cap() int { return len(r.slots) }

// WriteOne puts v behind all others. It never fails and never blocks; it may allocate.
func (r *RingGrowing[T]) WriteOne(v T) {
	if r.count == len(r.slots) {
		r.resize(max(2*len(r.slots), minRing))
	}
	r.slots[r.wrap(r.start+r.count)] = v
	r.count++
}

// ReadOne takes out the oldest value. It returns false, and the zero value, if there is none.
func (r *RingGrowing[T]) ReadOne() (v T, ok bool) {
	if r.count == 0 {
		return v, false
	}
	v, r.slots[r.start] = r.slots[r.start], v // v was zero: the slot is now
	r.start = r.wrap(r.start + 1)
	r.count--
	if len(r.slots) > minRing && r.count <= len(r.slots)/4 {
		r.resize(len(r.slots) / 2)
	}
	return v, true
}

// resize moves the values, oldest first, to the beginning of a slice of another size.
func (r *RingGrowing[T]) resize(capacity int) {
	slots := make([]T, capacity)
	first := r.slots[r.start:min(r.start+r.count, len(r.slots))]
	n := copy(slots, first)
	copy(slots[n:], r.slots[:r.count-n])
	r.slots, r.start = slots, 0
}

// wrap returns the slot of an index that may be beyond the end, by less than the length. So a
// comparison is enough, and cheaper than a division.
func (r *RingGrowing[T]) wrap(i int) int {
	if i >= len(r.slots) {
		return i - len(r.slots)
	}
	return i
}
