package informer_test

import (
	"context"
	"fmt"
	"sync"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
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

// A Controller has no handlers. It calls Process with what comes out of the queue. This one deletes
// each pod on the server, until none is left. The queue needs the known objects, because it ignores
// the deletion of a pod that is unknown.
func ExampleController() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	for _, name := range []string{"web-1", "web-2"} {
		_, _ = server.Create("configmaps", `{"metadata":{"name":"`+name+`"}}`)
	}
	ctx, stop := context.WithCancel(context.Background())
	known := indexer.New(indexer.Options{})
	controller, err := informer.NewController(informer.Config{
		Reflector: reflector.Options{ListerWatcher: clientOf(server)},
		Queue:     deltafifo.New(deltafifo.Options{KnownObjects: known}),
		Process: func(deltas deltafifo.Deltas, isInInitialList bool) error {
			newest := deltas.Newest()
			fmt.Println(newest.Type, newest.Object.GetName())
			if newest.Type != deltafifo.Deleted {
				_ = known.Add(newest.Object)
				return server.Delete("configmaps", "default", newest.Object.GetName())
			}
			_ = known.Delete(newest.Object)
			if known.Len() == 0 {
				stop()
			}
			return nil
		},
		OnProcessError: func(err error) { fmt.Println("not deleted:", err) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = controller.Run(ctx)
	// Output:
	// Replaced web-1
	// Replaced web-2
	// Deleted web-1
	// Deleted web-2
}
