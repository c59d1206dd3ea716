package deltafifo

import "fmt"

// check returns an error that names a broken invariant, nil if all hold. Tests call it after every
// step; it takes the lock.
func (f *DeltaFIFO) check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.items) != f.queue.len() {
		return fmt.Errorf("%d keys in items, %d in queue", len(f.items), f.queue.len())
	}
	if f.Len() != f.queue.len() {
		return fmt.Errorf("length is %d, the queue holds %d keys", f.Len(), f.queue.len())
	}
	if f.mostItems < len(f.items) {
		return fmt.Errorf("mostItems is %d, items holds %d keys", f.mostItems, len(f.items))
	}
	seen := map[string]bool{}
	for i := range f.queue.len() {
		key := f.queue.at(i)
		if seen[key] {
			return fmt.Errorf("key %q is queued twice", key)
		}
		seen[key] = true
		if len(f.items[key]) == 0 {
			return fmt.Errorf("key %q is queued without deltas", key)
		}
	}
	if n := f.progress.initialPopulationCount; n < 0 || n > f.queue.len() || n > 0 && !f.progress.populated {
		return fmt.Errorf("initialPopulationCount %d, populated %t with %d keys queued",
			n, f.progress.populated, f.queue.len())
	}
	if closed := isClosed(f.progress.synced); closed != f.progress.HasSynced() {
		return fmt.Errorf("hasSynced is %t, its channel is closed: %t", f.progress.HasSynced(), closed)
	}
	return nil
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}
