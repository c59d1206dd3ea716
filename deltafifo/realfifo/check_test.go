package realfifo

import "fmt"

// check returns an error that names a broken invariant, nil if all hold. Tests call it after every
// step; it takes the lock.
func (f *RealFIFO) check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := &f.backlog
	if f.Len() != b.len() || b.head < 0 || b.head > len(b.out) {
		return fmt.Errorf("length %d, %d deltas in the backlog, head %d", f.Len(), b.len(), b.head)
	}
	for _, d := range append(b.out[:b.head:b.head], b.in[len(b.in):cap(b.in)]...) {
		if d.Object != nil {
			return fmt.Errorf("a free slot keeps %v alive", d)
		}
	}
	announced := false
	select {
	case <-f.Synced():
		announced = true
	default:
	}
	if announced != f.progress.HasSynced() {
		return fmt.Errorf("HasSynced is %t, and its channel is not", f.progress.HasSynced())
	}
	return nil
}
