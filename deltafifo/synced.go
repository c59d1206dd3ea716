package deltafifo

// Progress counts down the first list for a queue, which guards it with its lock and tells it what
// happens. Only Synced may be called without the lock.
type Progress struct {
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

// NewProgress returns the progress of a new queue. It will call onSynced when HasSynced becomes
// true.
func NewProgress(onSynced func()) Progress {
	return Progress{synced: make(chan struct{}), onSynced: onSynced}
}

// Event records that there is an event. If there was no list before, there is none to wait for, and
// the queue has synced.
func (p *Progress) Event() {
	if !p.populated {
		p.populated = true
		p.Announce()
	}
}

// ListEnded records that a whole list is queued now, and how many entries the queue has. If there
// was no list and no event before, these entries are the initial population: each key of the list
// once, even if the list contains it twice, and each deletion that the list showed.
func (p *Progress) ListEnded(queued int) {
	if !p.populated {
		p.populated = true
		p.initialPopulationCount = queued
		if queued == 0 {
			p.Announce()
		}
	}
}

// Processed records that the first entry was processed, and says whether HasSynced has become true:
// then Announce must follow. The initial population stands in front of all that was queued later,
// so as long as the count is not 0, that entry belongs to it.
func (p *Progress) Processed() (synced bool) {
	if p.initialPopulationCount == 0 {
		return false
	}
	p.initialPopulationCount--
	return p.HasSynced()
}

// HasSynced says whether the first list has been processed, or there was none to wait for.
func (p *Progress) HasSynced() bool { return p.populated && p.initialPopulationCount == 0 }

// Synced returns a channel that is closed when HasSynced becomes true.
func (p *Progress) Synced() <-chan struct{} { return p.synced }

// State returns the numbers of a queue that has so many entries.
func (p *Progress) State(queued int) State {
	return State{
		Len:                    queued,
		Populated:              p.populated,
		InitialPopulationCount: p.initialPopulationCount,
		Synced:                 p.HasSynced(),
	}
}

// Announce is called when HasSynced has just become true. It stays true, so the channel is closed
// once. The trace is called first: otherwise a goroutine that waits for the channel could report
// what follows from it before that.
func (p *Progress) Announce() {
	p.onSynced()
	close(p.synced)
}
