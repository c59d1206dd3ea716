// Fails: TestDelays/done is not success
// Done with it, so forget it. But a worker is done also when it has failed.

// Package limit is exercise 7.1 of the workshop: a workqueue for keys that may fail.
package limit

import "time"

const (
	first   = 5 * time.Millisecond
	longest = 1000 * time.Second
)

// A Queue hands out keys to workers. It does not lock and does not wait: the real one does both.
type Queue struct {
	// Order holds the keys that can be handed out, each once.
	Order []string
	// Dirty holds the keys that have to be processed: those in Order, and those that were added
	// again while a worker has them.
	Dirty map[string]bool
	// Processing holds the keys that a worker has. No key is in Order and in Processing.
	Processing map[string]bool
	// Failures holds how often each key has failed since it was last forgotten.
	Failures map[string]int
}

// New returns an empty queue.
func New() *Queue {
	return &Queue{nil, map[string]bool{}, map[string]bool{}, map[string]int{}}
}

// Add says that a key has to be processed. A key that waits already is not added twice. One that a
// worker has is handed out again when that worker is done. Two workers must never have the same key,
// and the one that has it may have looked before the change that led to Add.
func (q *Queue) Add(key string) {
	if q.Dirty[key] {
		return
	}
	q.Dirty[key] = true
	if !q.Processing[key] {
		q.Order = append(q.Order, key)
	}
}

// Get hands out the first key, to be processed. It returns false if there is none.
func (q *Queue) Get() (key string, ok bool) {
	if len(q.Order) == 0 {
		return "", false
	}
	key, q.Order = q.Order[0], q.Order[1:]
	delete(q.Dirty, key)
	q.Processing[key] = true
	return key, true
}

// Done says that the worker that has a key has processed it. If it was added in the meantime, it goes to the end
// of the queue.
func (q *Queue) Done(key string) {
	delete(q.Processing, key)
	q.Forget(key)
	if q.Dirty[key] {
		q.Order = append(q.Order, key)
	}
}

// Failed notes a failure of a key, and returns after which delay it is to be added again: first,
// and twice as long each time that it fails, up to longest. Other keys do not count.
func (q *Queue) Failed(key string) time.Duration {
	delay := first
	for range q.Failures[key] {
		if delay *= 2; delay >= longest {
			delay = longest
			break
		}
	}
	q.Failures[key]++
	return delay
}

// Forget says that a key has succeeded: its next failure is the first again. It must not leave
// anything behind, because keys come and go for as long as the program runs.
func (q *Queue) Forget(key string) {
	delete(q.Failures, key)
}
