package workqueue_test

import (
	"context"
	"fmt"
	"time"

	"example.com/watchglass/informer/workqueue"
)

// A key whose reconciliation failed is queued again after a delay, which grows with each failure.
func ExampleRateLimitingQueue() {
	q := workqueue.NewRateLimiting(
		workqueue.ExponentialFailure[string](time.Millisecond, time.Second))
	q.Add("shop/web-1")
	for key := range q.All(context.Background()) {
		if failed := q.NumRequeues(key); failed < 2 {
			fmt.Println(key, "failed", failed+1, "times")
			q.AddRateLimited(key)
			continue
		}
		fmt.Println(key, "is as it should be")
		q.Forget(key)
		q.ShutDown()
	}
	// Output:
	// shop/web-1 failed 1 times
	// shop/web-1 failed 2 times
	// shop/web-1 is as it should be
}
