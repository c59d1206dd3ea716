package processor

// pop always listens to the processor, and to the handler's side only when it has something in its
// hand. That is what the two channel variables say: a nil channel is never ready, so a case on it
// is a case switched off.
//
//	        addCh   nextCh    pop can
//	empty   open    nil       take from the processor; the batch goes straight into the hand
//	loaded  open    open      hand over, and take more, which goes into the ring
//	drain   nil     open      hand over what is left, and end when the hand is empty
//
// Order is kept because there is one way through: hand before ring, ring before addCh. Batches are
// handed over one by one as they came: putting small ones together was tried and gained nothing.
//
// The ring has no bound, and must not have one. If pop refused to listen while the handler is slow,
// the processor would wait for this handler, and all others with it; and a handler that waits for
// something the informer does next would wait for ever. (The event bus of tailscale started with
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
