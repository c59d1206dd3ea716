package workqueue_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/watchglass/informer/workqueue"
)

// A key whose reconciliation failed is queued again after a delay, which grows with each failure.
func ExampleRateLimitingQueue() {
	q := workqueue.NewRateLimiting(
		workqueue.ExponentialFailure[string](time.Millisecond, time.Second))
	attempts := 0
	reconcile := func(key string) error {
		if attempts++; attempts < 3 {
			return errors.New("conflict")
		}
		return nil
	}
	q.Add("shop/web-1")
	for key := range q.All(context.Background()) {
		if err := reconcile(key); err != nil {
			fmt.Println(key, "failed", q.NumRequeues(key)+1, "times:", err)
			q.AddRateLimited(key)
			continue
		}
		fmt.Println(key, "is as it should be")
		q.Forget(key)
		q.ShutDown()
	}
	// Output:
	// shop/web-1 failed 1 times: conflict
	// shop/web-1 failed 2 times: conflict
	// shop/web-1 is as it should be
}
