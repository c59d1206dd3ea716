package contract_test

import (
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/informer/contract"
)

type pod struct{ watchglass.ObjectMeta }

func newPod(name, version string) *pod {
	return &pod{watchglass.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: version}}
}

// If an informer does not report a deletion, the next add of the key breaks the contract.
func Example() {
	c := contract.New(nil, nil)
	c.OnAdd(newPod("web-1", "1"), true)
	c.OnUpdate(newPod("web-1", "1"), newPod("web-1", "2"))
	c.OnAdd(newPod("web-1", "4"), false)
	fmt.Println(c.Err())
	// Output:
	// default/web-1@4 is added, but the handler already knows default/web-1@2
}
