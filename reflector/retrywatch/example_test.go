package retrywatch_test

import (
	"context"
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/retrywatch"
	"example.com/watchglass/reflector/wire"
)

// A program waits until an object that it knows has changed, whatever happens to its connections.
func Example() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	ctx := context.Background()
	client, err := wire.NewClient[watchglass.Unstructured](wire.ClientOptions{
		URL: fakeapi.URL + "/api/v1/pods", HTTPClient: server.Client(),
		FieldSelector: "metadata.name=web-1",
	})
	if err != nil {
		panic(err)
	}
	list, _ := client.List(ctx, reflector.ListOptions{})
	go func() {
		server.DropConnections()
		_, _ = server.Create("pods", `{"metadata":{"name":"web-1"}}`)
	}()
	for event, err := range retrywatch.From(ctx, client, list.ResourceVersion) {
		if err != nil {
			fmt.Println(err) // events may be missing from here on: list again
			return
		}
		fmt.Println(event.Type, event.Object.GetName())
		break
	}
	// Output: ADDED web-1
}
