package informer_test

import (
	"context"
	"fmt"
	"sync"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector/wire"
)

// An informer of the pods of a server, here a fake one. For a cluster, set the URL to that of
// kubectl proxy, http://127.0.0.1:8001/api/v1/pods, and leave the HTTPClient out.
func Example() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	_, _ = server.Create("pods", `{"metadata":{"name":"web-1"}}`)

	client, err := wire.NewClient[watchglass.Unstructured](wire.ClientOptions{
		URL:        fakeapi.URL + "/api/v1/pods",
		HTTPClient: server.Client(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	pods := informer.NewSharedIndexInformer(informer.Options{ListerWatcher: client})
	registration, err := pods.AddEventHandler(processor.ResourceEventHandlerFuncs{
		AddFunc: func(pod watchglass.Object, isInInitialList bool) {
			fmt.Println("there is", pod.GetName())
		},
	}, informer.HandlerOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}

	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = pods.Run(ctx) })
	<-registration.Synced() // the handler has been called with the first list
	stop()
	running.Wait()
	fmt.Println("in the cache:", pods.GetIndexer().ListKeys())
	// Output:
	// there is web-1
	// in the cache: [default/web-1]
}
