package indexer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

// This measures single updates. A key without a namespace needs no allocation, and the maps have
// reached their size before, so only the update of the indices is left to allocate.
func TestAnUpdateAllocatesNothing(t *testing.T) {
	three := Indexers{NamespaceIndex: MetaNamespaceIndexFunc, "node": byNode, "node-2": byNode}
	many := strings.Repeat(" n", 100)
	cases := []struct {
		promise       string
		trace         *Trace
		before, after string
	}{
		{"if no value changes", nil, "web-1@1 a", "web-1@2 a"},
		{"with a trace without funcs", &Trace{}, "web-1@1 a", "web-1@2 a"},
		{"with a trace with all funcs", fullTrace(), "web-1@1 a", "web-1@2 a"},
		{"if other objects have the old and the new value too", nil, "web-1@1 a", "web-1@2 b"},
		{"if one of several values changes", nil, "web-1@1 a b c", "web-1@2 a c d"},
		{"if the object loses all values and gets them back", nil, "web-1@1 a b c d", "web-1@2"},
		{"with many values", nil, "web-1@1 a" + many, "web-1@2 b" + many},
	}
	for _, c := range cases {
		t.Run(c.promise, func(t *testing.T) {
			ix := New(Options{Indexers: three, Trace: c.trace})
			for _, node := range []string{"a", "b", "c", "d", "n"} {
				require.NoError(t, ix.Add(newPod(fmt.Sprintf("other-%s@1 %s", node, node))))
			}
			states := pods(c.before, c.after)
			n := 0
			allocs := testing.AllocsPerRun(1000, func() { n++; _ = ix.Update(states[n%2]) })
			assert.Zero(t, allocs, "an update allocates nothing %s", c.promise)
		})
	}
}

func TestRoomForValuesIsKeptOncePerIndex(t *testing.T) {
	ix := New(nodeOnly())
	for i := range 1000 {
		require.NoError(t, ix.Add(newPod(fmt.Sprintf("web-%d@1 a b c", i))))
	}
	index := ix.objects.indices[0]
	assert.LessOrEqual(t, cap(index.to), 8, "the index keeps room for the values of one object")
	assert.Empty(t, index.from, "an add has no old values")
}

// Most objects of a relist are stored already, so the sets of an index are made as large as before
// and need not grow.
func TestARelistDoesNotGrowTheSets(t *testing.T) {
	list := make([]watchglass.Object, 1000)
	for i := range list {
		list[i] = newPod(fmt.Sprintf("web-%d@1 a own-%d", i, i))
	}
	ix := New(nodeOnly())
	empty := New(nodeOnly())
	require.NoError(t, ix.Replace(list, "1"))
	relist := testing.AllocsPerRun(10, func() { _ = ix.Replace(list, "2") })
	first := testing.AllocsPerRun(10, func() {
		_ = empty.Replace(nil, "0")
		_ = empty.Replace(list, "1")
	})
	assert.Greater(t, first-relist, 30.0,
		"a relist must not grow the set of 1,000 keys, nor the map of 1,001 values")
}

// Most indices give an object one value. Then Index reads the keys of that value where they are.
func TestIndexCopiesNoKeysForOneValue(t *testing.T) {
	ix := New(nodeOnly())
	for i := range 1000 {
		require.NoError(t, ix.Add(newPod(fmt.Sprintf("web-%d@1 a", i))))
	}
	obj := newPod("x a")
	allocs := testing.AllocsPerRun(10, func() { _, _ = ix.Index("node", obj) })
	assert.LessOrEqual(t, allocs, 2.0, "one slice of values and one of objects")
}
