package processor

// maxBatch is the largest number of notifications in a batch that the processor makes itself. A
// larger batch is hardly cheaper to hand over, and stays in memory until the handler has been
// called with its last notification.
const maxBatch = 128

// Gather takes one notification for all handlers or, if isSync, only for those that are due for a
// resync. Handlers are called in the order of the calls to Gather, but perhaps not before the next
// [SharedProcessor.Flush]: handing over a batch costs about as much as handing over one
// notification, so Gather collects up to 128. AddListener, RemoveListener, UpstreamSynced,
// ShouldResync, Distribute and the end of Run flush by themselves, because they change which
// handlers get a notification, or need to have everything handed over.
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

// Flush distributes what has been gathered. Call it when no other notification is at hand, because
// until then the handlers wait.
func (p *SharedProcessor) Flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush()
}

// Distribute gives a batch to all handlers or, if isSync, only to those that are due for a resync.
// The slice belongs to the processor from then on: it is shared, and must not be changed.
//
// Distribute does not wait for handlers. Before Run it does not wait for Run either: the batch is
// kept for each handler until then. (Waiting could deadlock: the caller usually holds a lock that
// is needed to start Run. client-go has fixed that twice: kubernetes/kubernetes#136509 and
// #137296.) After Run there are no handlers, and the batch is dropped.
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
	if len(batch) == maxBatch { // the next one will probably be as long
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
