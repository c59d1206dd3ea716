// Pods prints the pods of a cluster, and then every pod that is created. Before it, start kubectl
// proxy, or go run ./fakeapi/serve.
package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"

	"example.com/watchglass"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector/client"
)

func main() {
	collection, err := client.New[watchglass.Unstructured](client.Options{
		URL: "http://127.0.0.1:8001/api/v1/pods",
	})
	if err != nil {
		log.Fatal(err)
	}
	pods := informer.NewSharedIndexInformer(informer.Options{
		ListerWatcher: collection,
		Logger:        slog.Default(), // says so if the server cannot be reached
	})
	_, err = pods.AddEventHandler(processor.ResourceEventHandlerFuncs{
		AddFunc: func(pod watchglass.Object, isInInitialList bool) {
			fmt.Println("there is", pod.GetNamespace(), pod.GetName())
		},
	}, informer.HandlerOptions{})
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(pods.Run(context.Background()))
}
