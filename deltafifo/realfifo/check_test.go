package realfifo

import "fmt"

// check returns an error that names a broken invariant, nil if all hold. Tests call it after every
// step; it takes the lock.
func (f *RealFIFO) check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Len() != f.backlog.len() {
		return fmt.Errorf("length is %d, the backlog holds %d deltas", f.Len(), f.backlog.len())
	}
	if b := &f.backlog; b.head < 0 || b.head > len(b.out) {
		return fmt.Errorf("head is %d of %d", b.head, len(b.out))
	}
	for i, d := range f.backlog.out[:f.backlog.head] {
		if d.Object != nil {
			return fmt.Errorf("slot %d was popped and keeps %v alive", i, d)
		}
	}
	for i, d := range f.backlog.in[len(f.backlog.in):cap(f.backlog.in)] {
		if d.Object != nil {
			return fmt.Errorf("free slot %d keeps %v alive", i, d)
		}
	}
	return nil
}
