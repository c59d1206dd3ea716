package indexer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

// pod is an object with something to index: the nodes on which it runs. Usually there is one, but
// an index must also handle none and many.
type pod struct {
	watchglass.ObjectMeta
	nodes []string
}

// newPod makes a pod of a word like "web-1@7 a b": name, version, nodes.
func newPod(word string) *pod {
	fields := strings.Fields(word)
	name, version, _ := strings.Cut(fields[0], "@")
	meta := watchglass.ObjectMeta{Name: name, ResourceVersion: version}
	if namespace, rest, namespaced := strings.Cut(name, "/"); namespaced {
		meta.Namespace, meta.Name = namespace, rest
	}
	return &pod{meta, fields[1:]}
}

func pods(words ...string) []watchglass.Object {
	var list []watchglass.Object
	for _, word := range words {
		list = append(list, newPod(word))
	}
	return list
}

var errBadNode = errors.New("bad node")

// byNode is the index func of most tests. It refuses the node "bad", and panics at "worse".
func byNode(values []string, obj watchglass.Object) ([]string, error) {
	nodes := obj.(*pod).nodes
	switch {
	case slices.Contains(nodes, "bad"):
		return nil, errBadNode
	case slices.Contains(nodes, "worse"):
		panic("worse than bad")
	}
	return append(values, nodes...), nil
}

func byVersion(values []string, obj watchglass.Object) ([]string, error) {
	return append(values, obj.GetResourceVersion()), nil
}

func nodeOnly() Options { return Options{Indexers: Indexers{"node": byNode}} }

// rig is an indexer in a law.
type rig struct {
	*testing.T
	*Indexer
}

// A law is a sentence of the contract and the proof that it holds. The sentence is the name of the
// subtest, so a failure says which promise is broken.
type law struct {
	promise string
	options Options
	prove   func(r rig)
}

func prove(t *testing.T, laws []law) {
	for _, l := range laws {
		t.Run(l.promise, func(t *testing.T) {
			r := rig{t, New(l.options)}
			l.prove(r)
			require.NoError(t, r.objects.check(), "broken: %s", l.promise)
		})
	}
}

func (r rig) add(words ...string) {
	r.Helper()
	for _, obj := range pods(words...) {
		require.NoError(r, r.Add(obj))
		require.NoError(r, r.objects.check())
	}
}

func (r rig) remove(words ...string) {
	r.Helper()
	for _, obj := range pods(words...) {
		require.NoError(r, r.Delete(obj))
		require.NoError(r, r.objects.check())
	}
}

// holds checks that exactly the wanted objects are stored: "web-1@7".
func (r rig) holds(want ...string) {
	r.Helper()
	assert.Equal(r, append([]string{}, want...), describe(r.List()), "broken: %s", r.Name())
}

// index checks the whole content of an index: "a: web-1 web-2".
func (r rig) index(name string, want ...string) {
	r.Helper()
	assert.Equal(r, append([]string{}, want...), lines(r.Indexer, name), "broken: %s", r.Name())
}

func describe(list []watchglass.Object) []string {
	words := []string{}
	for _, obj := range list {
		key, _ := watchglass.MetaNamespaceKeyFunc(obj)
		words = append(words, key+"@"+obj.GetResourceVersion())
	}
	slices.Sort(words)
	return words
}

// lines returns the content of an index, one line per value: "a: web-1 web-2".
func lines(ix *Indexer, name string) []string {
	lines := []string{}
	for _, value := range ix.ListIndexFuncValues(name) {
		keys, _ := ix.IndexKeys(name, value)
		lines = append(lines, fmt.Sprintf("%s: %s", value, strings.Join(keys, " ")))
	}
	return lines
}
