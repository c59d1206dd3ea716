package client_test

import (
	"context"
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
)

type Widget struct {
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct{ Color string }
}

// A client knows one collection. It lists it, and watches what happens afterwards.
func Example() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	_, _ = server.Create("widgets", `{"metadata":{"name":"web-1"},"spec":{"color":"red"}}`)

	widgets, err := client.New[Widget](client.Options{
		URL: fakeapi.URL + "/apis/workshop.example.dev/v1/widgets", HTTPClient: server.Client(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	list, err := widgets.List(ctx, reflector.ListOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range list.Items {
		fmt.Println(item.GetName(), "is", item.(*Widget).Spec.Color)
	}
	watch, err := widgets.Watch(ctx, reflector.ListOptions{ResourceVersion: list.ResourceVersion})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer watch.Close()
	_, _ = server.Patch("widgets", "default", "web-1", `{"spec":{"color":"blue"}}`)
	event, err := watch.Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(event.Type, event.Object.GetName(), event.Object.(*Widget).Spec.Color)
	// Output:
	// web-1 is red
	// MODIFIED web-1 blue
}
