// Fails: TestHasSynced/an event before the first list syncs immediately
// The count goes down below zero.

// Package synced is exercise 3.3 of the workshop: when has the first list been processed?
package synced

// Progress is what a queue remembers to answer that question.
type Progress struct {
	// Populated says that the producer has begun: a list came to its end, or a single event was
	// queued.
	Populated bool
	// InitialPopulationCount is how many keys of the first list are still to be processed. They stand
	// at the front of the queue.
	InitialPopulationCount int
}

// Event notes that a single event is about to be queued: an add, an update or a deletion.
func (p *Progress) Event() {
	p.Populated = true
}

// ListEnded notes that a list has been queued. queued is how many keys are in the queue now.
//
// If it is the first thing that the producer did, these keys are the initial population. A list
// after an event or after another list is not waited for.
func (p *Progress) ListEnded(queued int) {
	if p.Populated {
		return
	}
	p.Populated = true
	p.InitialPopulationCount = queued
}

// Processed notes that one key was processed and has left the queue.
func (p *Progress) Processed() {
	p.InitialPopulationCount--
}

// HasSynced says whether the first list has been processed. After an empty list it is true
// immediately. It is also true as soon as an event comes before the first list: then there is no
// list to wait for. Once it is true it stays true.
func (p *Progress) HasSynced() bool {
	return p.Populated && p.InitialPopulationCount == 0
}
