package realfifo

// HasSynced says whether the first list has been processed: every delta that was queued at the end
// of the first Replace has been popped, and its process func has returned. It says nothing about
// what the process func returned, nor about handlers further down the pipe.
//
// An empty list is a delta, too: unlike in DeltaFIFO, it has to be processed. If Add, Update or
// Delete was called before the first Replace, HasSynced is true from then on, because there is no
// list to wait for. Once true it stays true.
func (f *RealFIFO) HasSynced() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hasSynced()
}

// Synced returns a channel that is closed when HasSynced becomes true. It is the same channel every
// time.
func (f *RealFIFO) Synced() <-chan struct{} { return f.synced }

func (f *RealFIFO) hasSynced() bool { return f.populated && f.initialPopulationCount == 0 }

// markPopulated records that there was an event. If there was no list before, nothing is counted
// down and the queue has synced.
func (f *RealFIFO) markPopulated() {
	if !f.populated {
		f.populated = true
		f.announceSynced()
	}
}

// populate records the end of a Replace. If there was no list and no event before, what is queued
// now is the initial population: the list, and resyncs and bookmarks before it, which do not count
// as events.
func (f *RealFIFO) populate() {
	if !f.populated {
		f.populated = true
		f.initialPopulationCount = f.backlog.len()
	}
}

// countDown records that a batch was processed. A batch of the initial population is always a
// single delta: no list, resync or bookmark shares a batch, and an event before the list would have
// left the population empty.
func (f *RealFIFO) countDown() {
	if f.initialPopulationCount > 0 {
		f.initialPopulationCount--
		f.announceSynced()
	}
}

// announceSynced is called when one of the two conditions of hasSynced has just become true. Both
// stay true, so the channel is closed once.
func (f *RealFIFO) announceSynced() {
	if !f.hasSynced() {
		return
	}
	close(f.synced)
	if f.trace.Synced != nil {
		f.trace.Synced()
	}
}
