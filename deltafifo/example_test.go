package deltafifo_test

import (
	"errors"
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

func pod(name, version string) watchglass.Object {
	return &watchglass.ObjectMeta{Namespace: "shop", Name: name, ResourceVersion: version}
}

// The producer queues what a list and a watch report, and the consumer takes it key by key.
func Example() {
	q := deltafifo.New(deltafifo.Options{})

	_ = q.Replace([]watchglass.Object{pod("web-1", "10"), pod("web-2", "11")}, "11")
	_ = q.Update(pod("web-1", "12"))
	q.Close()

	for {
		deltas, err := q.Pop(func(d deltafifo.Deltas, isInInitialList bool) error {
			fmt.Println(d.Newest().Object.GetName(), d)
			return nil
		})
		if errors.Is(err, deltafifo.ErrClosed) {
			break
		}
		_ = deltas // the same deltas again, for callers that process them after Pop
	}
	fmt.Println("synced:", q.HasSynced())
	// Output:
	// web-1 [Replaced@10 Updated@12]
	// web-2 [Replaced@11]
	// synced: true
}

// A list holds no deletions. The queue finds them, and their deltas hold a tombstone: always check
// for it before you assert your own type.
func ExampleDeltaFIFO_Replace() {
	q := deltafifo.New(deltafifo.Options{})
	_ = q.Add(pod("web-1", "10"))
	_ = q.Replace(nil, "20")

	_, _ = q.Pop(func(d deltafifo.Deltas, _ bool) error {
		switch obj := d.Newest().Object.(type) {
		case deltafifo.DeletedFinalStateUnknown:
			fmt.Println(obj.Key, "is gone, last seen at", obj.Obj.GetResourceVersion())
		case *watchglass.ObjectMeta:
			fmt.Println(obj.Name, "is gone, and this is its last state")
		}
		return nil
	})
	// Output:
	// shop/web-1 is gone, last seen at 10
}
