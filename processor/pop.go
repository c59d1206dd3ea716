package processor

// pop is always ready to receive from the processor, and offers run the oldest of what waits in the
// ring. A channel variable switches each of the two off when it is nil: a nil channel is never
// ready, so select never chooses its case.
//
//	           addCh   nextCh   pop can
//	nothing    open    nil      only receive
//	waits      open    open     receive, or hand over the oldest
//	drains     nil     open     only hand over, and end when the ring is empty
//
// Order is kept because there is one way: addCh, ring, nextCh. What is handed over stays in the
// ring until run has received it. The package doc says why the ring must not have a bound.
func (l *processorListener) pop() {
	defer close(l.nextCh) // ends run
	addCh := l.addCh
	for addCh != nil || l.ring.len() > 0 {
		var nextCh chan<- batch
		var oldest batch
		if l.ring.len() > 0 {
			nextCh, oldest = l.nextCh, l.ring.at(0)
		}
		select {
		case b, open := <-addCh:
			switch {
			case open:
				l.ring.push(b)
			case l.Drain:
				addCh = nil
			default:
				l.ring.clear() // a handler that hangs would keep it in memory
				return
			}
		case nextCh <- oldest:
			l.ring.pop()
		}
	}
}
