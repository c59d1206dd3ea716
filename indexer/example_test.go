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
		{watchglass.ObjectMeta{Namespace: "bank", Name: "db-1"}, "node-b"},
	} {
		if err := ix.Add(p); err != nil {
			fmt.Println(err)
		}
	}

	inShop, _ := ix.ByIndex(indexer.NamespaceIndex, "shop")
	onB, _ := ix.ByIndex("node", "node-b")
	fmt.Println("in shop:", len(inShop))
	fmt.Println("on node-b:", onB[0].GetName())
	fmt.Println("nodes in use:", ix.ListIndexFuncValues("node"))
	// Output:
	// in shop: 2
	// on node-b: db-1
	// nodes in use: [node-a node-b]
}
