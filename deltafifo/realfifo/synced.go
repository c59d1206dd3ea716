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
	return f.progress.HasSynced()
}

// Synced returns a channel that is closed when HasSynced becomes true. It is the same channel every
// time.
func (f *RealFIFO) Synced() <-chan struct{} { return f.progress.Synced() }
