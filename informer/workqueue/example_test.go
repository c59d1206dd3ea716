package workqueue_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/watchglass/informer/workqueue"
)

// A key whose reconciliation failed is queued again after a delay, which grows with each failure.
func ExampleRun() {
	q := workqueue.NewRateLimiting(
		workqueue.ExponentialFailure[string](time.Millisecond, time.Second))
	q.Add("shop/web-1")
	reconcile := func(_ context.Context, key string) (workqueue.Result, error) {
		if failed := q.NumRequeues(key); failed < 2 {
			fmt.Println(key, "failed", failed+1, "times")
			return workqueue.Result{}, errors.New("no answer")
		}
		fmt.Println(key, "is as it should be")
		q.ShutDown() // so that Run returns
		return workqueue.Result{}, nil
	}
	workqueue.Run(context.Background(), q, 1, reconcile)
	// Output:
	// shop/web-1 failed 1 times
	// shop/web-1 failed 2 times
	// shop/web-1 is as it should be
}
