package processor

import "example.com/watchglass"

// batch is what is handed from the processor to a listener, from pop to run, and what waits in the
// ring: a few notifications, in their order. A hop through an unbuffered channel costs as much as
// ten calls of a small handler, so it should carry more than one notification. A batch does not
// change any more, and all listeners share its list: a hundred handlers do not need a hundred
// copies.
type batch struct {
	list    []Notification // not empty, except in a batch that is being gathered
	initial int            // how many of them are adds of the initial list
	isSync  bool           // only for handlers that are due for a resync
}

// maxBatch is the largest number of notifications in a batch. A larger batch is hardly cheaper to
// hand over, and stays in memory until the handler has been called with its last notification.
const maxBatch = 128

// Gather takes one notification for all handlers or, if isSync, only for those that are due for a
// resync. Handlers are called in the order of the calls to Gather, but perhaps not before the next
// [SharedProcessor.Flush]: Gather collects up to 128 notifications into one batch.
//
// AddListener, RemoveListener, UpstreamSynced, ShouldResync and the end of Run flush by themselves,
// because they change which handlers get a notification, or need to have everything handed over.
//
// Gather and Flush do not wait for handlers. Before Run they do not wait for Run either: everything
// is kept for each handler until then. (Waiting could deadlock: the caller usually holds a lock
// that is needed to start Run. client-go has fixed that twice: kubernetes/kubernetes#136509 and
// #137296.) After Run there are no handlers, and notifications are dropped.
func (p *SharedProcessor) Gather(n Notification, isSync bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if isSync != p.gathered.isSync {
		p.flush()
		p.gathered.isSync = isSync
	}
	p.gathered.list = append(p.gathered.list, n)
	if n.IsInInitialList {
		p.gathered.initial++
	}
	if len(p.gathered.list) == maxBatch {
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

// flush is called with p.mu held. The list belongs to the listeners from then on, so the next batch
// begins with a new one.
func (p *SharedProcessor) flush() {
	b := p.gathered
	p.gathered = batch{}
	if len(b.list) == maxBatch { // the next one will probably be as long
		p.gathered.list = make([]Notification, 0, maxBatch)
	}
	if len(b.list) > 0 {
		p.distribute(b)
	}
}

// distribute gives a batch to all listeners, or to those that are due for a resync. It is called
// with p.mu held, when nothing is gathered.
func (p *SharedProcessor) distribute(b batch) {
	if p.state == stopped {
		return
	}
	if p.options.Trace.Distributed != nil {
		p.traceDistributed(b)
	}
	for _, l := range p.listeners {
		if l.gets(b) {
			l.add(b)
		}
	}
}

func (p *SharedProcessor) traceDistributed(b batch) {
	var names []string
	for _, l := range p.listeners {
		if l.gets(b) {
			names = append(names, l.Name)
		}
	}
	p.options.Trace.Distributed(b.list, b.isSync, names)
}

// initialAdds returns adds of an initial list. Each batch has an array of its own, which can be
// freed when its adds have been delivered.
func initialAdds(objs []watchglass.Object) batch {
	list := make([]Notification, len(objs))
	for i, obj := range objs {
		list[i] = AddNotification(obj, true)
	}
	return batch{list: list, initial: len(objs)}
}
