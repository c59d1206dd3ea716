package realfifo

// HasSynced says whether the first list has been processed: every delta that was queued at the end
// of the first Replace has been popped, and its process func has returned. It says nothing about
// what the process func returned, nor about handlers further down the pipe.
//
// An empty list is a delta, too: unlike in DeltaFIFO, it has to be processed. If Add, Update or
// Delete was called before the first Replace, HasSynced is true at once: then there is no list to
// wait for. Once true it stays true.
func (f *RealFIFO) HasSynced() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hasSynced()
}

// Synced returns a channel that is closed when HasSynced becomes true. It is the same channel every
// time.
func (f *RealFIFO) Synced() <-chan struct{} { return f.synced }

func (f *RealFIFO) hasSynced() bool { return f.populated && f.initialPopulationCount == 0 }

// markPopulated notes an event. If there was no list before, nothing is counted down and the queue
// is synced.
func (f *RealFIFO) markPopulated() {
	if !f.populated {
		f.populated = true
		f.announceSynced()
	}
}

// populate notes the end of a Replace. If there was no list and no event before, what is queued now
// has to be processed first. That is the list, and what did not count as an event: a resync or a
// bookmark before it.
func (f *RealFIFO) populate() {
	if !f.populated {
		f.populated = true
		f.initialPopulationCount = f.backlog.len()
	}
}

// countDown notes that a batch was processed. If it is one of the initial population, it is a
// single delta: an event would have ended the population before it began.
func (f *RealFIFO) countDown() {
	if f.initialPopulationCount > 0 {
		f.initialPopulationCount--
		f.announceSynced()
	}
}

// announceSynced is called where one of the two conditions has just become true. Both stay true, so
// the channel is closed once.
func (f *RealFIFO) announceSynced() {
	if !f.hasSynced() {
		return
	}
	close(f.synced)
	if f.trace.Synced != nil {
		f.trace.Synced()
	}
}
