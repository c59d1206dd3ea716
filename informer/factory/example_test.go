package factory_test

import (
	"context"
	"fmt"
	"sync"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer/factory"
	"example.com/watchglass/reflector/client"
)

// A Pod is what this program needs of a pod.
type Pod struct {
	watchglass.ObjectMeta `json:"metadata"`
}

// Two parts of a program share one informer, and read their own writes. For a cluster, URL
// and HTTPClient come from a kubeconfig; see package cluster.
func ExampleFactory() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	f := factory.New(factory.Options{
		Collection: func(path string) client.Options {
			return client.Options{URL: fakeapi.URL + path, HTTPClient: server.Client()}
		},
	})
	pods, err := factory.Of[Pod](f, "/api/v1/pods")
	if err != nil {
		fmt.Println(err)
		return
	}
	again, _ := factory.Of[Pod](f, "/api/v1/pods")
	fmt.Println("one informer:", pods == again)

	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = f.Run(ctx) })
	if err := f.WaitForSync(ctx); err != nil {
		fmt.Println(err)
	}
	_, _ = server.Create("pods", `{"metadata":{"name":"web-1"}}`)
	_, version, _ := server.List("pods", "")
	if err := pods.WaitFor(ctx, "default/web-1", version); err != nil {
		fmt.Println(err)
	}
	for pod := range pods.Lister().Namespace("default").All() {
		fmt.Println("there is", pod.Name)
	}
	stop()
	running.Wait()
	// Output:
	// one informer: true
	// there is web-1
}
