package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
)

type Widget struct {
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct{ Color string }
}

// A client knows one collection. It lists it, and watches what happens afterwards.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.FormValue("watch") == "true" {
			fmt.Fprintln(w, `{"type":"MODIFIED","object":{"metadata":{"name":"web-1",`+
				`"resourceVersion":"8"},"spec":{"color":"blue"}}}`)
			return
		}
		fmt.Fprintln(w, `{"kind":"WidgetList","metadata":{"resourceVersion":"7"},"items":[`+
			`{"metadata":{"name":"web-1","resourceVersion":"5"},"spec":{"color":"red"}}]}`)
	}))
	defer server.Close()

	url := server.URL + "/widgets"
	client, err := wire.NewClient[Widget](wire.ClientOptions{URL: url})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	list, err := client.List(ctx, reflector.ListOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range list.Items {
		fmt.Println(item.GetName(), "is", item.(*Widget).Spec.Color)
	}
	watch, err := client.Watch(ctx, reflector.ListOptions{ResourceVersion: list.ResourceVersion})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer watch.Close()
	for {
		event, err := watch.Next()
		if errors.Is(err, io.EOF) {
			fmt.Println("the server has ended the watch")
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(event.Type, event.Object.GetName(), event.Object.(*Widget).Spec.Color)
	}
	// Output:
	// web-1 is red
	// MODIFIED web-1 blue
	// the server has ended the watch
}
