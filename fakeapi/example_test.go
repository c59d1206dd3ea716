package fakeapi_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"time"

	"example.com/watchglass/fakeapi"
)

// A server, an object, and a watch over HTTP that receives its events. No
// socket is opened: the client's connections are pipes within the process.
func Example() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()

	widget := `{"metadata":{"name":"web-1"},"spec":{"color":"red"}}`
	if _, err := server.Create("widgets", widget); err != nil {
		fmt.Println(err)
	}
	resp, err := server.Client().Get(fakeapi.URL + "/apis/workshop.example.dev/v1/widgets?watch=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()

	_, _ = server.Patch("widgets", "default", "web-1", `{"spec":{"color":"blue"}}`)
	_ = server.Delete("widgets", "default", "web-1")

	frames := bufio.NewScanner(resp.Body)
	for range 3 {
		frames.Scan()
		var e struct {
			Type   string
			Object struct {
				Metadata struct{ Name, ResourceVersion string }
				Spec     struct{ Color string }
			}
		}
		if err := json.Unmarshal(frames.Bytes(), &e); err != nil {
			fmt.Println(err)
		}
		m := e.Object.Metadata
		fmt.Println(e.Type, m.Name, "at", m.ResourceVersion, e.Object.Spec.Color)
	}
	// Output:
	// ADDED web-1 at 2 red
	// MODIFIED web-1 at 3 blue
	// DELETED web-1 at 4 blue
}

// An overloaded server refuses two lists. Everything else is served as usual.
func ExampleServer_Inject() {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	server.Inject(fakeapi.Fault{Kind: fakeapi.FaultStatus, Verb: "list", Count: 2, Code: 429,
		Message: "too many requests, please try again later", RetryAfter: time.Second})

	for range 3 {
		resp, err := server.Client().Get(fakeapi.URL + "/api/v1/pods")
		if err != nil {
			fmt.Println(err)
			return
		}
		_ = resp.Body.Close()
		fmt.Println(resp.StatusCode, resp.Header.Get("Retry-After"))
	}
	// Output:
	// 429 1
	// 429 1
	// 200
}
