package watchglass_test

import (
	"encoding/json"
	"fmt"

	"example.com/watchglass"
)

// Your own struct becomes an Object by embedding ObjectMeta.
func Example() {
	type Widget struct {
		watchglass.TypeMeta
		watchglass.ObjectMeta `json:"metadata"`
		Spec                  struct {
			Color string `json:"color"`
		} `json:"spec"`
	}
	var w Widget
	err := json.Unmarshal([]byte(`{
		"kind": "Widget",
		"metadata": {"namespace": "default", "name": "web-1", "resourceVersion": "7"},
		"spec": {"color": "red"}
	}`), &w)
	if err != nil {
		fmt.Println(err)
		return
	}
	key, err := watchglass.MetaNamespaceKeyFunc(&w)
	fmt.Println(key, w.GetResourceVersion(), w.Spec.Color, err)
	// Output: default/web-1 7 red <nil>
}

// Unstructured serves for a resource you have no struct for. Numbers keep all their digits.
func ExampleUnstructured() {
	var u watchglass.Unstructured
	doc := `{"kind":"Widget","metadata":{"name":"web-1"},"spec":{"serial":9007199254740993}}`
	if err := json.Unmarshal([]byte(doc), &u); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u.GetKind(), u.GetName(), u.At("spec", "serial"))
	// Output: Widget web-1 9007199254740993
}
