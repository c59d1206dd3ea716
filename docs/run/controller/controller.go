package main

import (
	"context"
	"net/http"
	"sync"
	"time"

	"example.com/watchglass/informer"
	"example.com/watchglass/informer/workqueue"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector/client"
)

const (
	longestRetry = time.Minute      // the longest pause between two attempts, without a Retry-After
	attemptLimit = 10 * time.Second // otherwise a server that never answers would keep a worker
	drainLimit   = 30 * time.Second // how long queued keys are worked on after a stop
)

// options say which server a controller works on, and how. All are required.
type options struct {
	server  string // without a slash at its end
	client  *http.Client
	workers int
	// outcome is called after each reconciliation that did something with what it did, or with its
	// error, and with an empty key after a failed list or watch. Several workers call it at the same
	// time.
	outcome func(key, did string, err error)
}

// A controller makes the status of each widget say what its spec asks for. It runs once.
type controller struct {
	options
	widgets informer.Informer[*Widget]
	writer  *client.Client[Widget]
	queue   *workqueue.RateLimitingQueue[string]
}

func newController(o options) (*controller, error) {
	collection := client.Options{URL: o.server + widgetsPath, HTTPClient: o.client}
	widgets, err := informer.For[Widget](collection,
		informer.Options{WatchErrorHandler: func(err error) { o.outcome("", "", err) }})
	if err != nil {
		return nil, err
	}
	writer, err := client.New[Widget](collection)
	if err != nil {
		return nil, err
	}
	queue := workqueue.NewRateLimiting(
		workqueue.WithMaxWait(workqueue.DefaultController[string](), longestRetry))
	_, err = widgets.AddEventHandler(informer.OnKey[*Widget](queue.Add), processor.HandlerOptions{})
	return &controller{o, widgets, writer, queue}, err
}

// run reconciles until ctx ends. Then it works on the keys that are still queued, for drainLimit at
// most. It returns when everything it started has ended, with an error if ctx ended before the
// first list, or if keys are left.
func (c *controller) run(ctx context.Context) error {
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { _ = c.widgets.Run(ctx) }) // an error only for a second run
	// Before the first list is in the cache, a reconciliation that reads several objects would find
	// only some of them. This one reads one object; it waits because most controllers have to.
	if err := informer.WaitForSync(ctx, c.widgets); err != nil {
		return err
	}
	// Writes are not cancelled when ctx ends: the server may have made a cancelled write, or not.
	return workqueue.RunAndDrain(ctx, c.queue, c.workers, drainLimit, c.reconcile)
}

// reconcile compares the spec of a widget with its status, and writes the status if it has to
// change. The key does not say what has happened, and reconcile does not need to know: it reads the
// latest state from the cache, so a call too many does no harm.
//
// workqueue.RunAndDrain calls it, and queues a key that failed for another attempt, whatever the
// error: 409 Conflict and 404 Not Found mean that the cache was behind the server, and the next
// attempt finds the newer state, or no widget.
func (c *controller) reconcile(ctx context.Context, key string) (none workqueue.Result, _ error) {
	widget, ok := c.widgets.Lister().Get(key)
	if !ok {
		c.outcome(key, "gone", nil)
		return none, nil
	}
	changed := *widget // the cache's object is shared
	if changed.Status = widget.wanted(); changed.Status == widget.Status {
		return none, nil // for example because this is the controller's own write coming back
	}
	ctx, cancel := context.WithTimeout(ctx, attemptLimit)
	defer cancel()
	// The write has the version that was read: if the server holds a newer state, it refuses.
	written, err := c.writer.UpdateStatus(ctx, &changed)
	if err != nil {
		c.outcome(key, "", err)
		return none, err // refused; or written, and the answer was lost: the cache will show it
	}
	// Without this wait, a worker that gets the same key soon after could read the state from before
	// the write, and would be refused with 409 Conflict. That is the worst that follows if the wait
	// ends early, for example because the watch is broken. So its error is dropped.
	_ = c.widgets.WaitFor(ctx, key, written.ResourceVersion)
	c.outcome(key, "painted "+changed.Status.Color+" @"+written.ResourceVersion, nil)
	return none, nil
}
