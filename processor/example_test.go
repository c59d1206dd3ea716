package processor_test

import (
	"context"
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/processor"
)

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
	}, processor.HandlerOptions{}, nil)
	if err != nil {
		panic(err)
	}
	before := &watchglass.ObjectMeta{Name: "web-1", ResourceVersion: "1"}
	after := &watchglass.ObjectMeta{Name: "web-1", ResourceVersion: "2"}
	p.Gather(processor.AddNotification(before, false), false)
	p.Gather(processor.UpdateNotification(before, after), false)
	p.Gather(processor.DeleteNotification(after), false)
	p.Flush()
	_ = p.Run(ctx) // the error is for a second Run
	// Output:
	// added web-1
	// updated web-1 to 2
	// deleted web-1
}
