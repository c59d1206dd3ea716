package processor

// pop is always ready to receive from the processor, and sends to run when it has a batch in its
// hand. A channel variable switches each of the two off when it is nil: a nil channel is never
// ready, so select never chooses its case.
//
//	        addCh   nextCh    pop can
//	empty   open    nil       take from the processor; the batch goes straight into the hand
//	loaded  open    open      hand over, and take more, which goes into the ring
//	drain   nil     open      hand over what is left, and end when the hand is empty
//
// Order is kept because every batch takes the same way: addCh, ring, hand, nextCh. It skips the
// ring only when hand and ring are empty. Batches are handed over one by one as they came: joining
// small ones was tried and gained nothing.
//
// The ring has no bound, and must not have one. If pop did not receive while its handler is slow,
// the processor would wait for that handler, and all other handlers with it. A handler that waits
// for something the informer does next would wait forever. (The event bus of tailscale started with
// bounded queues for its subscribers and had to give them up for this: tailscale/tailscale#18020.)
func (l *processorListener) pop() {
	defer close(l.nextCh) // ends run
	addCh := l.addCh
	hand, loaded := l.ring.ReadOne() // what came before start
	for addCh != nil || loaded {
		var nextCh chan<- []Notification
		if loaded {
			nextCh = l.nextCh
		}
		select {
		case batch, open := <-addCh:
			switch {
			case open && loaded:
				l.ring.WriteOne(batch)
			case open:
				hand, loaded = batch, true
			case l.drain:
				addCh = nil
			default:
				return // and what is in the hand and in the ring is dropped
			}
		case nextCh <- hand:
			hand, loaded = l.ring.ReadOne()
		}
	}
}
