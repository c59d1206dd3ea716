package deltafifo

import "fmt"

// check returns an error that names a broken invariant, nil if all hold. Tests call it after every
// step; it takes the lock.
func (f *DeltaFIFO) check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.queue.len()
	if len(f.items) != n || f.Len() != n {
		return fmt.Errorf("%d keys in queue, %d in items, length %d", n, len(f.items), f.Len())
	}
	if f.mostItems < len(f.items) {
		return fmt.Errorf("mostItems is %d, items holds %d keys", f.mostItems, len(f.items))
	}
	seen := map[string]bool{}
	for i := range n {
		key := f.queue.at(i)
		if seen[key] || len(f.items[key]) == 0 {
			return fmt.Errorf("key %q is queued twice, or without deltas", key)
		}
		seen[key] = true
	}
	for i := n; i < len(f.queue.buf); i++ {
		if f.queue.at(i) != "" {
			return fmt.Errorf("a free slot of the ring keeps key %q", f.queue.at(i))
		}
	}
	p := &f.progress
	if count := p.initialPopulationCount; count < 0 || count > n || count > 0 && !p.populated {
		return fmt.Errorf("initialPopulationCount %d, populated %t with %d keys queued",
			count, p.populated, n)
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
