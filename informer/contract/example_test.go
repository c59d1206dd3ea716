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

// An informer that forgets to tell of a deletion is found out by the next add.
func Example() {
	c := contract.New(nil, nil)
	c.OnAdd(newPod("web-1", "1"), true)
	c.OnUpdate(newPod("web-1", "1"), newPod("web-1", "2"))
	c.OnAdd(newPod("web-1", "4"), false)
	fmt.Println(c.Err())
	// Output:
	// default/web-1@4 is added, and the handler knows default/web-1@2
}
