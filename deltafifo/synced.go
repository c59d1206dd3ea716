package deltafifo

// progress counts down the first list for a queue, which guards it with its lock and tells it what
// happens. Only the channel may be read without the lock.
type progress struct {
	// populated says that the producer has begun: a list was queued to its end, or there was an
	// event. It never becomes false again.
	populated bool
	// initialPopulationCount is how many entries of the first list are still to be processed. They
	// stand at the front of the queue, so it is never larger than the queue. It stays 0 if an event
	// came before the first list.
	initialPopulationCount int
	// synced is closed if and only if populated is true and initialPopulationCount is 0.
	synced chan struct{}

	onSynced func() // called once, just before synced is closed
}

// newProgress returns the progress of a new queue. It will call onSynced when HasSynced becomes
// true.
func newProgress(onSynced func()) progress {
	return progress{synced: make(chan struct{}), onSynced: onSynced}
}

// event records that there is an event. If there was no list before, there is none to wait for, and
// the queue has synced.
func (p *progress) event() {
	if !p.populated {
		p.populated = true
		p.announce()
	}
}

// listEnded records that a whole list is queued now, and how many entries the queue has. If there
// was no list and no event before, these entries are the initial population: each key of the list
// once, even if the list contains it twice, and each deletion that the list showed.
func (p *progress) listEnded(queued int) {
	if !p.populated {
		p.populated = true
		p.initialPopulationCount = queued
		if queued == 0 {
			p.announce()
		}
	}
}

// processed records that the first entry was processed, and says whether HasSynced has become true:
// then announce must follow. The initial population stands in front of all that was queued later,
// so as long as the count is not 0, that entry belongs to it.
func (p *progress) processed() (synced bool) {
	if p.initialPopulationCount == 0 {
		return false
	}
	p.initialPopulationCount--
	return p.hasSynced()
}

// hasSynced says whether the first list has been processed, or there was none to wait for.
func (p *progress) hasSynced() bool { return p.populated && p.initialPopulationCount == 0 }

// state returns the numbers of a queue that has so many entries.
func (p *progress) state(queued int) State {
	return State{
		Len:                    queued,
		Populated:              p.populated,
		InitialPopulationCount: p.initialPopulationCount,
		Synced:                 p.hasSynced(),
	}
}

// announce is called when HasSynced has just become true. It stays true, so the channel is closed
// once. The trace is called first: otherwise a goroutine that waits for the channel could report
// what follows from it before that.
func (p *progress) announce() {
	p.onSynced()
	close(p.synced)
}
