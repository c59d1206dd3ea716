package informer_test

import (
	"context"
	"fmt"
	"sync"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector/wire"
)

// clientOf returns a client of the pods of a server.
func clientOf(server *fakeapi.Server) *wire.Client {
	client, err := wire.NewClient[watchglass.Unstructured](wire.ClientOptions{
		URL:        fakeapi.URL + "/api/v1/configmaps",
		HTTPClient: server.Client(),
	})
	if err != nil {
		panic(err)
	}
	return client
}

// A program with one quick handler needs no more than a plain informer. The process loop calls the
// handler, so during a call the cache holds exactly the state of that call.
func ExampleNewInformer() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	for _, name := range []string{"web-1", "web-2"} {
		_, _ = server.Create("configmaps", `{"metadata":{"name":"`+name+`"}}`)
	}
	var cache *indexer.Indexer
	gone := make(chan struct{})
	cache, controller, err := informer.NewInformer(
		informer.Options{ListerWatcher: clientOf(server)},
		processor.ResourceEventHandlerFuncs{
			AddFunc: func(pod watchglass.Object, isInInitialList bool) {
				fmt.Println("added", pod.GetName(), "and the cache holds", cache.Len())
			},
			DeleteFunc: func(pod watchglass.Object) {
				fmt.Println("deleted", pod.GetName(), "and the cache holds", cache.Len())
				close(gone)
			},
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = controller.Run(ctx) })
	<-controller.Synced() // the handler has been called with the first list
	fmt.Println("synced")
	_ = server.Delete("configmaps", "default", "web-1")
	<-gone
	stop()
	running.Wait()
	// Output:
	// added web-1 and the cache holds 1
	// added web-2 and the cache holds 2
	// synced
	// deleted web-1 and the cache holds 1
}
