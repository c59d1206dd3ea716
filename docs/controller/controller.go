package main

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"example.com/watchglass/informer"
	"example.com/watchglass/informer/workqueue"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
)

const (
	longestRetry = time.Minute      // the longest pause between two attempts
	echoLimit    = time.Second      // how long a worker waits until the cache shows its write
	drainLimit   = 30 * time.Second // how long queued keys are worked on after a stop
	gone         = "gone"           // what reconcile returns for a widget that does not exist
)

// options say which server a controller works on, and how. server and client are required.
type options struct {
	server  string // without a slash at its end
	client  *http.Client
	workers int // zero: 2
	// outcome is called after each reconciliation that did something or failed, and with an empty
	// key after a failed list or watch. Several workers call it at the same time. Nil: no calls.
	outcome func(key, did string, err error)
}

// A controller makes the status of each widget say what its spec asks for. It runs once.
type controller struct {
	options
	widgets      informer.Informer[*Widget]
	registration *processor.Registration       // of the handler that fills the queue
	limiter      workqueue.RateLimiter[string] // the queue's
	queue        *workqueue.RateLimitingQueue[string]
}

func newController(o options) (*controller, error) {
	if o.workers == 0 {
		o.workers = 2
	}
	if o.outcome == nil {
		o.outcome = func(string, string, error) {}
	}
	widgets, err := informer.For[Widget](
		wire.ClientOptions{URL: o.server + collection, HTTPClient: o.client},
		informer.Options{Name: "widgets", Reflector: reflector.Options{
			WatchErrorHandler: func(err error) { o.outcome("", "", err) },
		}})
	if err != nil {
		return nil, err
	}
	limiter := workqueue.WithMaxWait(workqueue.DefaultController[string](), longestRetry)
	queue := workqueue.NewRateLimiting(limiter)
	c := &controller{options: o, widgets: widgets, limiter: limiter, queue: queue}
	c.registration, err = widgets.Handle(
		informer.OnKey[*Widget](queue.Add), informer.HandlerOptions{Name: "controller"})
	return c, err
}

// run reconciles until ctx ends. Then it works on the keys that are still queued, for drainLimit at
// most. It returns when everything it started has ended, with an error if ctx ended before the
// first list, or if keys are left.
func (c *controller) run(ctx context.Context) error {
	var informing, workers sync.WaitGroup
	informing.Go(func() { _ = c.widgets.Run(ctx) }) // an error only for a second run
	defer informing.Wait()
	defer c.queue.ShutDown() // also if there is no first list: it stops the queue's timer
	// Before the first list is in the cache, a reconciliation that reads several objects would find
	// only some of them. This one reads one object; it waits because most controllers have to.
	if err := informer.WaitForSync(ctx, c.registration); err != nil {
		return err
	}
	// Workers go on when ctx ends, and their writes are not cancelled: the server may have made a
	// cancelled write, or not.
	working, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer workers.Wait()
	defer giveUp()
	for range c.workers {
		workers.Go(func() { c.work(working) })
	}
	<-ctx.Done()
	limit := time.AfterFunc(drainLimit, giveUp)
	defer limit.Stop()
	return c.queue.ShutDownWithDrain(working)
}

// work is one worker. It queues a key that failed for another attempt. It forgets the failures of a
// key that succeeded: otherwise the next failure would wait as long as if there had been no
// success.
func (c *controller) work(ctx context.Context) {
	for key := range c.queue.All(ctx) {
		did, err := c.reconcile(ctx, key)
		if err != nil || did != "" {
			c.outcome(key, did, err)
		}
		if err != nil {
			c.retry(key, err)
			continue
		}
		c.queue.Forget(key)
	}
}

// reconcile compares the spec of a widget with its status, and writes the status if it has to
// change. It returns what it did, "" if nothing. The key does not say what has happened, and
// reconcile does not need to know: it reads the latest state from the cache, so a call too many
// does no harm.
func (c *controller) reconcile(ctx context.Context, key string) (did string, err error) {
	widget, ok := c.widgets.Lister().Get(key)
	if !ok {
		return gone, nil
	}
	status := widget.wanted()
	if status == widget.Status {
		return "", nil // for example because this is the controller's own write coming back
	}
	changed := *widget // the cache's object is shared
	changed.Status = status
	version, err := c.putStatus(ctx, &changed)
	if err != nil {
		return "", err
	}
	c.awaitEcho(ctx, version)
	return "painted " + status.Color + " @" + version, nil
}

// awaitEcho waits until the cache shows what was written. Without this wait, a worker that gets the
// same key soon after could read the state from before the write, and the server would answer its
// own write with 409 Conflict. The wait may end early, for example because the watch is broken. Its
// error is dropped, because a conflict is the worst that follows.
func (c *controller) awaitEcho(ctx context.Context, version string) {
	ctx, cancel := context.WithTimeout(ctx, echoLimit)
	defer cancel()
	_ = c.widgets.WaitForVersion(ctx, version)
}

// retry queues a key for later. It treats all errors alike, because each attempt begins by reading
// the cache. 409 Conflict and 404 Not Found mean that the cache was behind the server: the next
// attempt finds the newer state, or no widget. An overloaded server sends Retry-After: an earlier
// attempt would be refused again, and add to the load.
func (c *controller) retry(key string, err error) {
	pause := c.limiter.When(key)
	if status, ok := errors.AsType[*reflector.StatusError](err); ok {
		pause = max(pause, min(status.RetryAfter, longestRetry))
	}
	c.queue.AddAfter(key, pause)
}
