package indexer_test

import (
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
)

type pod struct {
	watchglass.ObjectMeta
	Node string
}

// byNode is the index by node: a pod has one value, or none while it is not scheduled.
func byNode(obj watchglass.Object) ([]string, error) {
	p, ok := obj.(*pod)
	if !ok || p.Node == "" {
		return nil, nil
	}
	return []string{p.Node}, nil
}

func Example() {
	ix := indexer.New(indexer.Options{Indexers: indexer.Indexers{
		indexer.NamespaceIndex: indexer.MetaNamespaceIndexFunc,
		"node":                 byNode,
	}})
	for _, p := range []*pod{
		{watchglass.ObjectMeta{Namespace: "shop", Name: "web-1"}, "node-a"},
		{watchglass.ObjectMeta{Namespace: "shop", Name: "web-2"}, ""},
		{watchglass.ObjectMeta{Namespace: "bank", Name: "db-1"}, "node-a"},
	} {
		if err := ix.Add(p); err != nil {
			fmt.Println(err)
		}
	}

	inShop, _ := ix.IndexKeys(indexer.NamespaceIndex, "shop")
	onA, _ := ix.IndexKeys("node", "node-a")
	fmt.Println("in shop:", inShop)
	fmt.Println("on node-a:", onA)
	fmt.Println("nodes in use:", ix.ListIndexFuncValues("node"))
	// Output:
	// in shop: [shop/web-1 shop/web-2]
	// on node-a: [bank/db-1 shop/web-1]
	// nodes in use: [node-a]
}

// Stored objects are shared with all readers. To change one, change a copy and store the copy.
func ExampleIndexer_Update() {
	ix := indexer.New(indexer.Options{Indexers: indexer.Indexers{"node": byNode}})
	_ = ix.Add(&pod{watchglass.ObjectMeta{Namespace: "shop", Name: "web-1"}, "node-a"})

	stored, _, _ := ix.GetByKey("shop/web-1")
	moved := *stored.(*pod)
	moved.Node = "node-b"
	_ = ix.Update(&moved)

	fmt.Println(ix.ListIndexFuncValues("node"))
	// Output: [node-b]
}
