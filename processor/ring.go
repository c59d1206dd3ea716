package processor

// ring is a first-in first-out queue in a circular buffer. A plain slice (append at the end,
// re-slice at the front) allocates again and again, because it cannot use the room at its front
// again. A ring can. The zero value is an empty queue.
type ring[T any] struct {
	buf  []T // its length is 0 or a power of two; slots that hold nothing are zero
	head int // the slot of the first element, 0 ≤ head < len(buf)
	n    int // how many elements there are, 0 ≤ n ≤ len(buf)

	onChange func(batches, slots int) // nil, or called after each change
}

// minRing is the smallest buffer, in elements. It is not shrunk any further.
const minRing = 16

func (r *ring[T]) len() int { return r.n }

func (r *ring[T]) changed() {
	if r.onChange != nil {
		r.onChange(r.n, len(r.buf))
	}
}

// at returns element i, counted from the front. There must be more than i elements.
func (r *ring[T]) at(i int) T { return r.buf[r.slot(i)] }

// slot returns the slot of element i. The mask replaces a modulo: len(buf) is a power of two.
func (r *ring[T]) slot(i int) int { return (r.head + i) & (len(r.buf) - 1) }

// push puts v at the end. When the buffer is full it doubles, so that n pushes copy fewer than 2n
// elements altogether.
func (r *ring[T]) push(v T) {
	if r.n == len(r.buf) {
		r.resize(max(minRing, 2*r.n))
	}
	r.buf[r.slot(r.n)] = v
	r.n++
	r.changed()
}

// pop takes the first element. There must be one. It clears the slot, because otherwise the buffer
// would keep alive what the element refers to. It halves a buffer that is three quarters empty,
// because otherwise the room for one burst would be kept for good. Three quarters and not one half:
// at one half the next push could double the buffer again, and the next pop halve it.
func (r *ring[T]) pop() T {
	var zero T
	v := r.buf[r.head]
	r.buf[r.head] = zero
	r.head = r.slot(1)
	r.n--
	if len(r.buf) > minRing && r.n <= len(r.buf)/4 {
		r.resize(len(r.buf) / 2)
	}
	r.changed()
	return v
}

// clear drops all elements and the buffer.
func (r *ring[T]) clear() {
	r.buf, r.head, r.n = nil, 0, 0
	r.changed()
}

// resize moves the elements to the start of a buffer of the given size.
func (r *ring[T]) resize(size int) {
	buf := make([]T, size)
	copied := copy(buf[:r.n], r.buf[r.head:])
	copy(buf[copied:r.n], r.buf)
	r.buf, r.head = buf, 0
}
