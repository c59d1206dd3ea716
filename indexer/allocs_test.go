package indexer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// One update is measured at a time. Keys without a namespace cost nothing, and the maps have grown
// before, so what remains is what an update of the indices costs.
func TestAnUpdateAllocatesNothing(t *testing.T) {
	three := Indexers{NamespaceIndex: MetaNamespaceIndexFunc, "node": byNode, "node-2": byNode}
	many := strings.Repeat(" n", 100)
	cases := []struct {
		promise       string
		trace         *Trace
		before, after string
	}{
		{"if it moves nothing", nil, "web-1@1 a", "web-1@2 a"},
		{"with a trace without funcs", &Trace{}, "web-1@1 a", "web-1@2 a"},
		{"with a trace that has them all", fullTrace(), "web-1@1 a", "web-1@2 a"},
		{"if it moves the object between values that others have too", nil, "web-1@1 a", "web-1@2 b"},
		{"if it moves one of several values", nil, "web-1@1 a b c", "web-1@2 a c d"},
		{"if it moves away from all values and back", nil, "web-1@1 a b c d", "web-1@2"},
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
			assert.Zero(t, testing.AllocsPerRun(1000, func() { n++; _ = ix.Update(states[n%2]) }))
		})
	}
}

// The room for values is kept per index, not per object.
func TestWhatAnIndexKeeps(t *testing.T) {
	ix := New(nodeOnly())
	for i := range 1000 {
		require.NoError(t, ix.Add(newPod(fmt.Sprintf("web-%d@1 a b c", i))))
	}
	index := ix.objects.indices[0]
	assert.LessOrEqual(t, cap(index.to), 8, "room for the values of one object")
	assert.Empty(t, index.from, "an add has no old values")
}
