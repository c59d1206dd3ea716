// Fails: TestNothingIsLostWhenTheRingShrinks
// Growing unwraps the window. Shrinking does not, as if the few values that are left never wrapped.

// Package ring is exercise 5.1 of the workshop: a queue without a bound that gives memory back.
package ring

const minSlots = 4

// A Ring is a first-in, first-out queue in one slice that is used round and round. The zero value
// is empty and has no slots.
type Ring struct {
	Slots []string // all slots outside the window are ""
	Start int      // where the oldest value is
	Count int      // how many values there are: the window is Count slots from Start on, wrapped
}

// Write puts v behind all others. A ring without slots gets minSlots; a full one moves to a slice
// of twice the size first.
func (r *Ring) Write(v string) {
	if r.Count == len(r.Slots) {
		r.resize(max(2*len(r.Slots), minSlots))
	}
	r.Slots[(r.Start+r.Count)%len(r.Slots)] = v
	r.Count++
}

// Read takes out the oldest value, and zeroes its slot. It returns false if there is none.
//
// If after the read at most a quarter of the slots is in use, the ring moves to a slice of half the
// size, but never of fewer than minSlots.
func (r *Ring) Read() (v string, ok bool) {
	if r.Count == 0 {
		return "", false
	}
	v, r.Slots[r.Start] = r.Slots[r.Start], ""
	r.Start = (r.Start + 1) % len(r.Slots)
	r.Count--
	if half := len(r.Slots) / 2; half >= minSlots && r.Count <= len(r.Slots)/4 {
		slots := make([]string, half)
		copy(slots, r.Slots[r.Start:])
		r.Slots, r.Start = slots, 0
	}
	return v, true
}

// resize moves the values, oldest first, to the beginning of a slice of another size.
func (r *Ring) resize(size int) {
	slots := make([]string, size)
	for i := range r.Count {
		slots[i] = r.Slots[(r.Start+i)%len(r.Slots)]
	}
	r.Slots, r.Start = slots, 0
}
