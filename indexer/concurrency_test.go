package indexer

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

// One writer moves an object between two nodes while readers look it up. An object that a reader
// finds under a node is on that node: object and index change together.
func TestReadersSeeWholeChanges(t *testing.T) {
	ix := New(nodeOnly())
	require.NoError(t, ix.Add(newPod("web-1@1 a")))

	var readers sync.WaitGroup
	wrong := make(chan watchglass.Object, 4)
	for _, node := range []string{"a", "b", "a", "b"} {
		readers.Go(func() {
			for range 500 {
				if obj := misplaced(ix, node); obj != nil {
					wrong <- obj
					return
				}
				ix.List()
				ix.ListKeys()
				ix.Len()
				_, _ = ix.Index("node", newPod("x a b"))
				_, _, _ = ix.GetByKey("web-1")
				ix.ListIndexFuncValues("node")
				ix.GetIndexers()
			}
		})
	}
	finished := make(chan struct{})
	go func() {
		readers.Wait()
		close(finished)
	}()
	writeUntil(finished, ix)
	assert.Empty(t, wrong, "an object was found on a node it is not on")
	require.NoError(t, ix.objects.check())
}

func misplaced(ix *Indexer, node string) watchglass.Object {
	found, _ := ix.ByIndex("node", node)
	for _, obj := range found {
		if obj.(*pod).nodes[0] != node {
			return obj
		}
	}
	return nil
}

func writeUntil(finished <-chan struct{}, ix *Indexer) {
	states := pods("web-1@1 a", "web-1@2 b")
	for n := 0; ; n++ {
		select {
		case <-finished:
			return
		default:
		}
		_ = ix.Update(states[n%2])
		switch n % 10 {
		case 3:
			_ = ix.Replace(states[n%2:n%2+1], "1")
		case 7:
			_ = ix.Delete(states[0])
		}
	}
}

// Two goroutines add the same index at the same time. One of them gets an error, and the index is
// built once.
func TestAddIndexersTwiceAtOnce(t *testing.T) {
	ix := New(Options{})
	require.NoError(t, ix.Add(newPod("web-1@1 a")))
	errs := make(chan error, 2)
	for range 2 {
		go func() { errs <- ix.AddIndexers(Indexers{"node": byNode}) }()
	}
	first, second := <-errs, <-errs
	assert.NotEqual(t, first == nil, second == nil, "exactly one of them succeeds")
	require.NoError(t, ix.objects.check())
}

// Writers of all kinds run at the same time. The race detector reports any use of shared data
// without the lock, such as of the map that Replace has handed over.
func TestWritersAtOnce(t *testing.T) {
	options := nodeOnly()
	options.Trace = fullTrace()
	ix := New(options)
	var writers sync.WaitGroup
	for n := range 4 {
		states := pods("web-1@1 a", "web-1@2 b", "web-2@1 a b", "web-3@1 bad")
		writers.Go(func() {
			for i := range 100 {
				if i%10 == 0 {
					_ = ix.AddIndexers(Indexers{fmt.Sprint(n, "-", i): byVersion})
				}
				_ = ix.Replace(states, "1")
				_ = ix.Update(states[n])
				_, _, _ = ix.Swap(states[(n+1)%4])
				_ = ix.Delete(states[n])
			}
		})
	}
	writers.Wait()
	require.NoError(t, ix.objects.check())
	assert.Len(t, ix.GetIndexers(), 1+4*10, "an index was lost")
}
