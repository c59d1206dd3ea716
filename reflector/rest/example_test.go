package rest_test

import (
	"context"
	"fmt"
	"net/http"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector/rest"
)

type Widget struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct {
		Color string `json:"color"`
	} `json:"spec"`
}

// A write is made on the state that was read. If another program has written since, the server
// refuses, and the answer is to read and to try again.
func ExampleDo() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	ctx, client := context.Background(), server.Client()
	widgets := fakeapi.URL + "/apis/workshop.example.dev/v1/namespaces/default/widgets"

	widget := Widget{TypeMeta: watchglass.TypeMeta{
		APIVersion: "workshop.example.dev/v1", Kind: "Widget",
	}}
	widget.Name = "web-1"
	var created Widget
	err := rest.Do(ctx, client, http.MethodPost, widgets, widget, &created)
	fmt.Println("created at version", created.ResourceVersion, err)
	err = rest.Do(ctx, client, http.MethodPost, widgets, widget, nil)
	fmt.Println("already exists:", rest.IsAlreadyExists(err))

	created.Spec.Color = "red"
	err = rest.Do(ctx, client, http.MethodPut, widgets+"/web-1", created, nil)
	fmt.Println("painted:", err)
	created.Spec.Color = "blue" // but created is the state before red
	err = rest.Do(ctx, client, http.MethodPut, widgets+"/web-1", created, nil)
	fmt.Println("conflict:", rest.IsConflict(err))
	// Output:
	// created at version 2 <nil>
	// already exists: true
	// painted: <nil>
	// conflict: true
}
