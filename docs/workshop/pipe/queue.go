package main

import (
	"context"
	"maps"
	"slices"
	"sync"

	push "example.com/watchglass/docs/workshop/3_1_push"
	missing "example.com/watchglass/docs/workshop/3_2_missing"
	synced "example.com/watchglass/docs/workshop/3_3_synced"
)

// A queue is what you wrote in 3.1, 3.2 and 3.3, behind a lock, with a wait for the consumer.
type queue struct {
	log *printer

	mu       sync.Mutex
	arrived  *sync.Cond
	queue    push.Queue
	progress synced.Progress
	known    func() map[string]string // the cache, key → state
	closed   bool
}

func newQueue(log *printer, known func() map[string]string) *queue {
	q := &queue{log: log, known: known}
	q.queue.Items = map[string][]push.Delta{}
	q.arrived = sync.NewCond(&q.mu)
	return q
}

// event queues what a watch says.
func (q *queue) event(key string, d push.Delta) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.progress.Event()
	q.queue.Push(key, d)
	q.arrived.Signal()
}

// replace queues a list, and a tombstone for each object that it proves to be missing.
func (q *queue) replace(list map[string]string) (tombstones int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	queued := map[string]string{}
	for key, deltas := range q.queue.Items {
		queued[key] = deltas[len(deltas)-1].State
	}
	gone := missing.Tombstones(slices.Sorted(maps.Keys(list)), queued, q.known())
	for _, key := range slices.Sorted(maps.Keys(list)) {
		q.queue.Push(key, push.Delta{Type: "Replaced", State: list[key]})
	}
	for _, t := range gone {
		q.log.note("3.2 missing", version(t.Last))
		q.queue.Push(t.Key, push.Delta{Type: "Deleted", State: t.Last, Tombstone: true})
	}
	q.progress.ListEnded(len(q.queue.Keys))
	q.arrived.Signal()
	return len(gone)
}

// run hands out one key after another until ctx ends. Like the real Pop it holds the lock while
// consume works, so that a list never finds a key neither in the queue nor in the cache.
func (q *queue) run(
	ctx context.Context, consume func(key string, deltas []push.Delta), onSync func(),
) {
	stop := context.AfterFunc(ctx, q.close)
	defer stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	told := false
	for !q.closed {
		if !told && q.progress.HasSynced() {
			told = true
			onSync()
		}
		if len(q.queue.Keys) == 0 {
			q.arrived.Wait()
			continue
		}
		key := q.queue.Keys[0]
		consume(key, q.queue.Items[key])
		q.queue.Keys = q.queue.Keys[1:]
		delete(q.queue.Items, key)
		q.progress.Processed()
	}
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.arrived.Broadcast()
}
