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
	longestRetry = time.Minute      // between two attempts, however often a write has failed
	echoLimit    = time.Second      // for the cache to show what was written
	drainLimit   = 30 * time.Second // for what is queued when the controller is stopped
	gone         = "gone"           // what reconcile did about a widget that is not there
)

// options say which server a controller works on, and how. server and client are required.
type options struct {
	server  string // without a slash at its end
	client  *http.Client
	workers int // zero: 2
	// outcome is told of each reconciliation that did something or failed, and with an empty key
	// of a failed list or watch. Nil: nothing is told. Workers call it, several at a time.
	outcome func(key, did string, err error)
}

// A controller makes the status of each widget say what its spec asks for. It runs once.
type controller struct {
	options
	widgets informer.Informer[*Widget]
	told    *processor.Registration       // of the handler that fills the queue
	limiter workqueue.RateLimiter[string] // the queue's
	queue   *workqueue.RateLimitingQueue[string]
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
	c.told, err = widgets.Handle(
		informer.OnKey[*Widget](queue.Add), informer.HandlerOptions{Name: "controller"})
	return c, err
}

// run works until ctx ends, and then on what is still queued: until that is written, or for
// drainLimit. It returns when everything it started has ended. The error says that ctx ended before
// the first list.
func (c *controller) run(ctx context.Context) error {
	var informing, working sync.WaitGroup
	informing.Go(func() { _ = c.widgets.Run(ctx) }) // an error only for a second run
	defer informing.Wait()
	defer c.queue.ShutDown() // also if there is no first list: it stops the queue's timer
	// A reconciliation that looks at several objects would see half of them before the first list
	// is in the cache. This one looks at one only; it waits because most controllers have to.
	if err := informer.WaitForSync(ctx, c.told); err != nil {
		return err
	}
	// Writes are not cancelled when ctx ends: a write that is cancelled may have happened or not.
	writing, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	for range c.workers {
		working.Go(func() { c.work(writing) })
	}
	<-ctx.Done()
	limit := time.AfterFunc(drainLimit, giveUp)
	defer limit.Stop()
	c.queue.ShutDown() // workers take out what is queued, and then end
	working.Wait()
	return nil
}

// work is one worker. A key that failed is tried again; one that did not has no failures any more,
// or its next failure would wait as long as if it had never succeeded.
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

// reconcile compares what a widget asks for with what there is, and writes the difference. It says
// what it did. The key does not say what has happened, and reconcile does not need to know: it
// looks at the latest state only, so it can be called too often but not with too old news.
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

// awaitEcho waits until the cache shows what was written. If the key is queued again meanwhile, the
// next worker would otherwise read the state from before the write, and write in vain: the server
// would answer 409 Conflict. That is all that happens if the wait ends early, because the watch is
// broken, say, so the error is dropped.
func (c *controller) awaitEcho(ctx context.Context, version string) {
	ctx, cancel := context.WithTimeout(ctx, echoLimit)
	defer cancel()
	_ = c.widgets.WaitForVersion(ctx, version)
}

// retry queues a key for later. All errors are alike here, because each attempt begins with a look
// at the cache. After 409 Conflict and 404 Not Found, which say that the cache is behind the
// server, the next look finds the newer state, or the widget gone. A server that is overloaded says
// when to come back; an earlier attempt would be refused again, and add to the load.
func (c *controller) retry(key string, err error) {
	pause := c.limiter.When(key)
	if status, ok := errors.AsType[*reflector.StatusError](err); ok {
		pause = max(pause, min(status.RetryAfter, longestRetry))
	}
	c.queue.AddAfter(key, pause)
}
