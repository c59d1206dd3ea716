package workqueue

// Stats are the numbers of a queue, as they were at one moment, for a metrics page or a log line.
// Counts are since the queue was made.
type Stats struct {
	Queued     int // items that wait for a worker
	Processing int // items that a worker has
	Delayed    int // items that wait for their time; see DelayingQueue

	Adds    int // items that became dirty; an Add of a dirty item does not count
	Retries int // calls of AddAfter, AddRateLimited included
}

// Stats returns the numbers of the queue. Delayed and Retries are 0: only [DelayingQueue.Stats]
// sets them.
func (q *Queue[T]) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.stats()
}

func (q *Queue[T]) stats() Stats {
	return Stats{Queued: len(q.order), Processing: q.processing, Adds: q.adds}
}

// Stats returns the numbers of the queue, Delayed and Retries included.
func (q *DelayingQueue[T]) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.stats()
	s.Delayed, s.Retries = len(q.waiting), q.retries
	return s
}
