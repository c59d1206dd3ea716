package store

import (
	"context"
	"sync"
)

// queues has a queue for each key that is being written by GuaranteedUpdate: its writers work one
// after the other. Otherwise a write could come between another one's thought and its commit.
type queues struct {
	mu    sync.Mutex
	byKey map[string]*queue
}

type queue struct {
	turn    chan struct{} // full while a writer has its turn
	writers int           // guarded by queues.mu; those that wait, and the one that has its turn
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
