package processor

// maxBatch is how many notifications a batch holds at most that the processor makes itself. Larger
// ones are hardly cheaper to hand over, and a handler keeps the whole batch alive that it is busy
// with.
const maxBatch = 128

// Gather takes one notification for all handlers or, if isSync, only for those that are due for a
// resync. Handlers are called in the order of the calls to Gather, but perhaps not before the next
// [SharedProcessor.Flush]: to hand over a batch of many costs about as much as one notification, so
// up to 128 are put together. These flush by themselves, because they change which handlers get a
// notification or what has been delivered: AddListener, RemoveListener, UpstreamSynced,
// ShouldResync, Distribute and the end of Run.
func (p *SharedProcessor) Gather(n Notification, isSync bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if isSync != p.gatheredSync {
		p.flush()
		p.gatheredSync = isSync
	}
	p.gathered = append(p.gathered, n)
	if len(p.gathered) == maxBatch {
		p.flush()
	}
}

// Flush distributes what has been gathered. Call it before nothing more is gathered for a while.
func (p *SharedProcessor) Flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush()
}

// Distribute gives a batch to all handlers or, if isSync, only to those that are due for a resync.
// It takes the batch over: from now on the slice is shared, and it must not be changed.
//
// Distribute does not wait for handlers. Before Run it does not wait for Run either: the batch is
// kept with each handler until then. (Waiting would be a trap: the caller usually holds a lock that
// is needed on the way to Run. client-go has been mended twice for that:
// kubernetes/kubernetes#136509 and #137296.) After Run there are no handlers, and the batch is
// dropped.
func (p *SharedProcessor) Distribute(batch []Notification, isSync bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush()
	p.distribute(batch, isSync)
}

// flush is called with p.mu held. The slice belongs to the listeners from then on, so the next
// batch begins with a new one.
func (p *SharedProcessor) flush() {
	batch := p.gathered
	p.gathered = nil
	if len(batch) == maxBatch { // then the next one is likely to become as long
		p.gathered = make([]Notification, 0, maxBatch)
	}
	p.distribute(batch, p.gatheredSync)
}

// distribute is called with p.mu held, when nothing is gathered.
func (p *SharedProcessor) distribute(batch []Notification, isSync bool) {
	if len(batch) == 0 || p.state == stopped {
		return
	}
	if p.options.Trace.Distributed != nil {
		p.options.Trace.Distributed(batch, isSync)
	}
	initial := countInitial(batch)
	for _, l := range p.listeners {
		if !isSync || l.syncing {
			l.add(batch, initial)
		}
	}
}
