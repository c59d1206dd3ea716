package informer_test

import (
	"context"
	"fmt"
	"sync"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/workqueue"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector/client"
)

// An informer of the pods of a server, here a fake one. For a cluster, set the URL to that of
// kubectl proxy, http://127.0.0.1:8001/api/v1/pods, and leave the HTTPClient out.
func Example() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	_, _ = server.Create("pods", `{"metadata":{"name":"web-1"}}`)

	collection, err := client.New[watchglass.Unstructured](client.Options{
		URL:        fakeapi.URL + "/api/v1/pods",
		HTTPClient: server.Client(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	pods := informer.NewSharedIndexInformer(informer.Options{ListerWatcher: collection})
	registration, err := pods.AddEventHandler(processor.ResourceEventHandlerFuncs{
		AddFunc: func(pod watchglass.Object, isInInitialList bool) {
			fmt.Println("there is", pod.GetName())
		},
	}, processor.HandlerOptions{})
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

// Pod declares what the example reads of a pod, and nothing else.
type Pod struct {
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct {
		NodeName string `json:"nodeName"`
	} `json:"spec"`
}

// A controller begins like this. For a cluster, URL and HTTPClient come from a kubeconfig; see
// package cluster.
func ExampleFor() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	for _, name := range []string{"web-1", "web-2"} {
		_, _ = server.Create("pods", `{"metadata":{"name":"`+name+`"},"spec":{"nodeName":"n1"}}`)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	use := func(p *Pod, neighbours []*Pod) {
		fmt.Println(p.Name, "is one of", len(neighbours), "on", p.Spec.NodeName)
		if p.Name == "web-2" {
			stop()
		}
	}
	collection := client.Options{
		URL: fakeapi.URL + "/api/v1/pods", HTTPClient: server.Client(),
	}

	err := func() error {
		pods, err := informer.For[Pod](collection, informer.Options{})
		if err != nil {
			return err
		}
		byNode, err := pods.Index("node", func(p *Pod) []string { return []string{p.Spec.NodeName} })
		if err != nil {
			return err
		}
		q := workqueue.New[string]()
		registration, err := pods.AddEventHandler(
			informer.OnKey[*Pod](q.Add), processor.HandlerOptions{Name: "ctl"})
		if err != nil {
			return err
		}
		running.Go(func() { _ = pods.Run(ctx) })
		if err := informer.WaitForSync(ctx, registration); err != nil {
			return err // "not synced: ctl: …"
		}
		for key := range q.All(ctx) {
			if p, ok := pods.Lister().Get(key); ok {
				use(p, byNode.Get(p.Spec.NodeName))
			}
		}
		return nil
	}()
	fmt.Println(err)
	// Output:
	// web-1 is one of 2 on n1
	// web-2 is one of 2 on n1
	// <nil>
}
