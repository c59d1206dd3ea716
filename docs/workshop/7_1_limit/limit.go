// Package limit is exercise 7.1 of the workshop: a workqueue for keys that may fail.
package limit

import "time"

const (
	firstDelay   = 5 * time.Millisecond
	longestDelay = 1000 * time.Second
)

// A Queue hands out keys to workers. It does not lock and does not wait: the real one does both.
type Queue struct {
	// Order holds the keys that can be handed out, each once.
	Order []string
	// Dirty holds the keys that have to be processed: those in Order, and those that were added
	// again while a worker has them. Other keys have no entry in the map, not even false: keys come
	// and go for as long as the program runs.
	Dirty map[string]bool
	// Processing holds the keys that a worker has, and no others. No key is in Order and in
	// Processing.
	Processing map[string]bool
	// Failures holds how often each key has failed since it was last forgotten. A key that has not
	// failed since then has no entry.
	Failures map[string]int
}

// New returns an empty queue.
func New() *Queue {
	return &Queue{nil, map[string]bool{}, map[string]bool{}, map[string]int{}}
}

// Add says that a key has to be processed. A key that waits already is not added twice. One that a
// worker has is handed out again when that worker is done. Two workers must never have the same
// key, and the one that has it may have looked before the change that led to Add.
func (q *Queue) Add(key string) {
	panic("TODO")
}

// Get hands out the first key, to be processed. It returns false if there is none.
func (q *Queue) Get() (key string, ok bool) {
	panic("TODO")
}

// Done says that the worker that has a key has processed it. If the key was added in the meantime,
// it goes to the end of the queue.
func (q *Queue) Done(key string) {
	panic("TODO")
}

// Failed notes a failure of a key, and returns how long to wait before the key is added again:
// firstDelay after its first failure, then twice as long after each further one, but at most
// longestDelay. Failures of other keys do not count.
func (q *Queue) Failed(key string) time.Duration {
	panic("TODO")
}

// Forget says that a key has succeeded: its next failure counts as the first again.
func (q *Queue) Forget(key string) {
	panic("TODO")
}
