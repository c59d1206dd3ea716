package workqueue

import "time"

// Stats are the numbers of a queue, as they were at one moment, for a metrics page or a log line.
// Counts are since the queue was made. They are what a MetricsProvider of client-go is told.
type Stats struct {
	Queued     int // items that wait for a worker
	Processing int // items that a worker has
	Delayed    int // items that wait for their time; see DelayingQueue

	Adds    int // items that became dirty; an Add of a dirty item does not count
	Done    int // items that a worker has finished with
	Retries int // calls of AddAfter, AddRateLimited included

	// The times are zero unless Measure was called.

	Waited  time.Duration // from Add to Get, of all items that were handed out, together
	Worked  time.Duration // from Get to Done, of all items that are done, together
	Longest time.Duration // since Get, of the item that has been worked on longest
	Pending time.Duration // since Get, of all items that are being worked on, together
}

// stats is what a [Queue] records. The lock of the queue guards it.
type stats[T comparable] struct {
	adds, done, retries int
	waited, worked      time.Duration
	addedAt, gotAt      map[T]time.Time // nil unless Measure was called
}

// Measure makes the queue measure times, which costs two readings of the clock for each item. Call
// it before the first Add: earlier items are not measured.
func (q *Queue[T]) Measure() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stats.addedAt, q.stats.gotAt = map[T]time.Time{}, map[T]time.Time{}
}

// Stats returns the numbers of the queue. Delayed is 0: only [DelayingQueue.Stats] sets it.
func (q *Queue[T]) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.numbers()
}

func (q *Queue[T]) numbers() Stats {
	s := Stats{
		Queued: q.order.len(), Processing: q.processing,
		Adds: q.stats.adds, Done: q.stats.done, Retries: q.stats.retries,
		Waited: q.stats.waited, Worked: q.stats.worked,
	}
	for _, got := range q.stats.gotAt {
		running := time.Since(got)
		s.Pending += running
		s.Longest = max(s.Longest, running)
	}
	return s
}

func (s *stats[T]) added(item T) {
	s.adds++
	if s.addedAt != nil {
		s.addedAt[item] = time.Now()
	}
}

func (s *stats[T]) started(item T) {
	if at, ok := s.addedAt[item]; ok {
		now := time.Now()
		s.waited += now.Sub(at)
		s.gotAt[item] = now
		delete(s.addedAt, item)
	}
}

func (s *stats[T]) finished(item T) {
	s.done++
	if at, ok := s.gotAt[item]; ok {
		s.worked += time.Since(at)
		delete(s.gotAt, item)
	}
}
