package processor_test

import (
	"context"
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/processor"
)

type pod struct{ watchglass.ObjectMeta }

func newPod(name, version string) *pod {
	return &pod{watchglass.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: version}}
}

// A handler prints what happens to one object, from its creation to its deletion. Run ends when the
// handler has been called with the deletion.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	p := processor.New(processor.Options{})
	_, err := p.AddListener(processor.ResourceEventHandlerFuncs{
		AddFunc: func(obj watchglass.Object, isInInitialList bool) {
			fmt.Println("added", obj.GetName())
		},
		UpdateFunc: func(oldObj, newObj watchglass.Object) {
			fmt.Println("updated", newObj.GetName(), "to", newObj.GetResourceVersion())
		},
		DeleteFunc: func(obj watchglass.Object) {
			fmt.Println("deleted", obj.GetName())
			stop()
		},
	}, processor.ListenerOptions{}, nil)
	if err != nil {
		panic(err)
	}
	p.Distribute([]processor.Notification{
		processor.AddNotification(newPod("web-1", "1"), false),
		processor.UpdateNotification(newPod("web-1", "1"), newPod("web-1", "2")),
		processor.DeleteNotification(newPod("web-1", "2")),
	}, false)
	p.Run(ctx)
	// Output:
	// added web-1
	// updated web-1 to 2
	// deleted web-1
}

// An update after which an object no longer passes the filter becomes a delete.
func ExampleFilteringResourceEventHandler() {
	web := processor.FilteringResourceEventHandler{
		FilterFunc: func(obj watchglass.Object) bool { return obj.GetResourceVersion() < "3" },
		Handler: processor.ResourceEventHandlerFuncs{
			UpdateFunc: func(_, newObj watchglass.Object) {
				fmt.Println("updated", newObj.GetName(), "to", newObj.GetResourceVersion())
			},
			DeleteFunc: func(obj watchglass.Object) {
				fmt.Println("deleted", obj.GetName(), "at", obj.GetResourceVersion())
			},
		},
	}
	web.OnUpdate(newPod("web-1", "1"), newPod("web-1", "2"))
	web.OnUpdate(newPod("web-1", "2"), newPod("web-1", "3"))
	// Output:
	// updated web-1 to 2
	// deleted web-1 at 2
}

// The ring grows while it is written to and shrinks again while it is read.
func ExampleRingGrowing() {
	var ring processor.RingGrowing[string]
	for i := range 20 {
		ring.WriteOne(fmt.Sprint("web-", i))
	}
	first, _ := ring.ReadOne()
	fmt.Println(first, ring.Len(), ring.Cap())
	for ring.Len() > 0 {
		ring.ReadOne()
	}
	fmt.Println(ring.Len(), ring.Cap())
	// Output:
	// web-0 19 32
	// 0 16
}
