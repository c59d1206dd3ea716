package processor

import (
	"fmt"
	"reflect"
)

// check returns an error if an invariant of the processor's fields is broken.
func (p *SharedProcessor) check() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.gathered.list) >= maxBatch || p.state == stopped && len(p.listeners) > 0 {
		return fmt.Errorf("%d notifications gathered, %d listeners in state %d",
			len(p.gathered.list), len(p.listeners), p.state)
	}
	for _, l := range p.listeners {
		pending, high := l.pending.Load(), l.highWater.Load() // raised only with the lock held
		switch {
		case isClosed(l.removed):
			return fmt.Errorf("%s is removed, but still among the listeners", l.Name)
		case l.started != (p.state == running):
			return fmt.Errorf("%s: started is %v in state %v", l.Name, l.started, p.state)
		case pending < 0 || pending > high:
			return fmt.Errorf("%s: %d pending, high water %d", l.Name, pending, high)
		}
	}
	return nil
}

// checkRing may be called in a bubble that has settled.
func (l *processorListener) checkRing() error {
	inRing, pending := 0, int(l.pending.Load())
	for i := range l.ring.len() {
		inRing += len(l.ring.at(i).list)
	}
	if inRing > pending || !l.started && inRing != pending {
		return fmt.Errorf("%d in the ring, %d pending", inRing, pending)
	}
	return l.ring.check()
}

// check returns an error if an invariant of the ring's fields is broken.
func (r *ring[T]) check() error {
	size := len(r.buf)
	switch {
	case size&(size-1) != 0 || r.n < 0 || r.n > size || r.head < 0 || r.head > 0 && r.head >= size:
		return fmt.Errorf("%d values from slot %d on, of %d slots", r.n, r.head, size)
	case size > minRing && r.n <= size/4:
		return fmt.Errorf("%d slots for %d values: the ring did not shrink", size, r.n)
	}
	for i := r.n; i < size; i++ {
		if v := r.at(i); !reflect.ValueOf(&v).Elem().IsZero() {
			return fmt.Errorf("slot %d was read and still holds %v", r.slot(i), v)
		}
	}
	return nil
}
