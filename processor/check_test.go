package processor

import (
	"fmt"
	"reflect"
)

// check returns an error if an invariant of the processor's fields is broken.
func (p *SharedProcessor) check() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == stopped && len(p.listeners) > 0 {
		return fmt.Errorf("stopped, but there are %d listeners", len(p.listeners))
	}
	if len(p.gathered) >= maxBatch {
		return fmt.Errorf("%d notifications gathered: a full batch was not flushed", len(p.gathered))
	}
	if p.state > waiting && !p.resyncSettled {
		return fmt.Errorf("Run was called, but the resync period is not settled")
	}
	seen := map[*processorListener]bool{}
	for _, l := range p.listeners {
		if seen[l] {
			return fmt.Errorf("%s is listed twice", l.name)
		}
		seen[l] = true
		if err := p.checkListener(l); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return nil
}

func (p *SharedProcessor) checkListener(l *processorListener) error {
	pending, highWater := l.pending.Load(), l.highWater.Load() // raised only with the lock held
	switch {
	case isClosed(l.removed):
		return fmt.Errorf("removed, but still among the listeners")
	case l.started != (p.state == running):
		return fmt.Errorf("started is %v in state %v", l.started, p.state)
	case pending < 0 || pending > highWater:
		return fmt.Errorf("%d pending, high water %d", pending, highWater)
	case l.resync != 0 && (p.resyncPeriod == 0 || l.resync < p.resyncPeriod):
		return fmt.Errorf("resync every %v, check every %v", l.resync, p.resyncPeriod)
	case p.upstreamSynced != l.tracker.upstream.Load():
		return fmt.Errorf("upstream has synced: processor %t, tracker %t",
			p.upstreamSynced, l.tracker.upstream.Load())
	case !l.started:
		return l.checkRing()
	}
	return nil
}

// checkRing may be called before start, or in a bubble that has settled.
func (l *processorListener) checkRing() error {
	inRing, pending := 0, int(l.pending.Load())
	for i := range l.ring.count {
		batch := l.ring.slots[l.ring.wrap(l.ring.start+i)]
		if len(batch) == 0 {
			return fmt.Errorf("batch %d in the ring is empty", i)
		}
		inRing += len(batch)
	}
	if inRing > pending || !l.started && inRing != pending {
		return fmt.Errorf("%d in the ring, %d pending", inRing, pending)
	}
	return l.ring.check()
}

// check returns an error if an invariant of the ring's fields is broken.
func (r *RingGrowing[T]) check() error {
	capacity := len(r.slots)
	switch {
	case r.count < 0 || r.count > capacity:
		return fmt.Errorf("%d values in %d slots", r.count, capacity)
	case r.start < 0 || r.start > 0 && r.start >= capacity:
		return fmt.Errorf("start %d in %d slots", r.start, capacity)
	case capacity > minRing && r.count <= capacity/4:
		return fmt.Errorf("%d slots for %d values: the ring did not shrink", capacity, r.count)
	}
	for i := r.count; i < capacity; i++ {
		at := r.wrap(r.start + i)
		if !reflect.ValueOf(&r.slots[at]).Elem().IsZero() {
			return fmt.Errorf("slot %d was read and still holds %v", at, r.slots[at])
		}
	}
	return nil
}
