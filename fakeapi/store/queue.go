package store

import (
	"context"
	"sync"
)

// queues has a queue for each key of which a writer has lost a round of GuaranteedUpdate.
// From then on, writers of this key work one after the other, until the queue is empty.
// Otherwise all but one of many writers would work in vain in each round.
type queues struct {
	mu    sync.Mutex
	byKey map[string]*queue
}

// A queue is the writers of one key.
type queue struct {
	turn    chan struct{} // full while a writer has its turn
	writers int           // guarded by queues.mu; those that wait, and the one that has its turn
}

// look returns the object under a key, nil if there is none. If writers of the key have a
// queue, or if the caller has lost a round, it waits for its turn first, and the caller has to
// call leave when it is done; otherwise leave is nil. It returns ctx's error if that is done
// first.
//
// Writers without a turn look under the lock. So when a queue begins, all of them have looked
// already: one of them may still win against the queue, and then the others lose.
func (c *Collection) look(ctx context.Context, key string, lost bool) (
	before Object, leave func(), err error) {
	q := c.queues.join(key, lost, func() { before = c.Get(key) })
	if q == nil {
		return before, nil, nil
	}
	select {
	case q.turn <- struct{}{}:
		return c.Get(key), func() { <-q.turn; c.queues.quit(key, q) }, nil
	case <-ctx.Done():
		c.queues.quit(key, q)
		return nil, nil, ctx.Err()
	}
}

// join returns the queue of a key, with one more writer. If there is none, and the writer has
// not lost a round, it calls alone and returns nil.
func (s *queues) join(key string, lost bool, alone func()) *queue {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.byKey[key]
	switch {
	case q == nil && !lost:
		alone()
		return nil
	case q == nil && s.byKey == nil:
		s.byKey = map[string]*queue{}
		fallthrough
	case q == nil:
		q = &queue{turn: make(chan struct{}, 1)}
		s.byKey[key] = q
	}
	q.writers++
	return q
}

// quit removes a writer from a queue, and the queue with the last one.
func (s *queues) quit(key string, q *queue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q.writers--; q.writers == 0 {
		delete(s.byKey, key)
	}
}
