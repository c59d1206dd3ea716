package deltafifo

// HasSynced says whether the first list has been processed: every key that was queued at the end of
// the first Replace has been popped, and its process func has returned. It says nothing about what
// the process func returned, nor about handlers further down the pipe.
//
// It is true immediately if nothing is queued at the end of the first Replace, and also if Add,
// Update or Delete was called before it: then there is no list to wait for. Once true it stays
// true. HasSynced waits for a running process func.
func (f *DeltaFIFO) HasSynced() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hasSynced()
}

// Synced returns a channel that is closed when HasSynced becomes true. It is the same channel every
// time.
//
// client-go's DeltaFIFO closes its channel when the last key of the list is taken, so a goroutine
// that waits for it may look for the last object before it is stored. Here the channel is closed
// when that key has been processed.
func (f *DeltaFIFO) Synced() <-chan struct{} { return f.synced }

func (f *DeltaFIFO) hasSynced() bool { return f.populated && f.initialPopulationCount == 0 }

// markPopulated records that there was an event. If there was no list before, nothing is counted
// down and the queue has synced.
func (f *DeltaFIFO) markPopulated() {
	if f.populated {
		return
	}
	f.populated = true
	f.announceSynced()
}

// populate records the end of a Replace. If there was no list and no event before, what is queued
// now is the initial population: each key of the list once, even if the list contains it twice, and
// each deletion that the list showed.
func (f *DeltaFIFO) populate() {
	if f.populated {
		return
	}
	f.populated = true
	f.initialPopulationCount = f.queue.len()
	f.announceSynced()
}

// countDown records that a key was processed. The initial population stands in front of all that
// was queued later, so as long as the count is not 0, that key belongs to it.
func (f *DeltaFIFO) countDown() {
	if f.initialPopulationCount == 0 {
		return
	}
	f.initialPopulationCount--
	f.announceSynced()
}

// announceSynced is called when one of the two conditions of hasSynced has just become true. Both
// stay true, so the channel is closed once.
func (f *DeltaFIFO) announceSynced() {
	if !f.hasSynced() {
		return
	}
	close(f.synced)
	if f.trace.Synced != nil {
		f.trace.Synced()
	}
}
