package informer_test

import (
	"context"
	"fmt"
	"sync"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/workqueue"
	"example.com/watchglass/reflector/wire"
)

// Pod declares what the example reads of a pod, and nothing else.
type Pod struct {
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct {
		NodeName string `json:"nodeName"`
	} `json:"spec"`
}

// A controller begins like this, here with a fake server. For a cluster, URL and HTTPClient come from a kubeconfig;
// see package cluster.
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
	collection := wire.ClientOptions{
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
		registration, err := pods.Handle(
			informer.OnKey[*Pod](q.Add), informer.HandlerOptions{Name: "ctl"})
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
