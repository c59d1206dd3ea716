package store

import (
	"context"
	"sync"
)

// queues has a queue for each key of which a writer has lost a round of GuaranteedUpdate.
// From then on, writers of this key work one after the other, until the queue is empty.
// Otherwise each round would waste the work of all writers but one.
type queues struct {
	mu    sync.Mutex
	byKey map[string]*queue
}

type queue struct {
	turn    chan struct{} // full while a writer has its turn
	writers int           // guarded by queues.mu; those that wait, and the one that has its turn
}

// lookAlone returns the object under a key, nil if there is none. ok is false if writers of the
// key have a queue. It looks under the lock: when a queue begins, all writers without a turn
// have looked already. One of them may still win against the queue, and then the others lose.
func (c *Collection) lookAlone(key string) (before Object, ok bool) {
	c.queues.mu.Lock()
	defer c.queues.mu.Unlock()
	if c.queues.byKey[key] != nil {
		return nil, false
	}
	return c.Get(key), true
}

// queueUp waits for the caller's turn to write a key, and returns the function that ends it. It
// returns ctx's error if that is done first.
func (c *Collection) queueUp(ctx context.Context, key string) (leave func(), err error) {
	c.queues.mu.Lock()
	q := c.queues.byKey[key]
	if q == nil {
		q = &queue{turn: make(chan struct{}, 1)}
		c.queues.byKey[key] = q
	}
	q.writers++
	c.queues.mu.Unlock()
	select {
	case q.turn <- struct{}{}:
		return func() { <-q.turn; c.quit(key, q) }, nil
	case <-ctx.Done():
		c.quit(key, q)
		return nil, ctx.Err()
	}
}

// quit removes a writer from a queue, and the queue with the last one.
func (c *Collection) quit(key string, q *queue) {
	c.queues.mu.Lock()
	defer c.queues.mu.Unlock()
	if q.writers--; q.writers == 0 {
		delete(c.queues.byKey, key)
	}
}
