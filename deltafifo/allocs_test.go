package deltafifo

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

func TestAllocations(t *testing.T) {
	obj := object("web-1", "1")
	cases := []struct {
		promise string
		trace   *Trace
	}{
		{"add and pop allocate the Deltas and nothing else", nil},
		{"a trace without funcs costs no allocation", &Trace{}},
		{"a trace with all funcs costs no allocation", fullTrace()},
	}
	for _, c := range cases {
		t.Run(c.promise, func(t *testing.T) {
			q := New(Options{Trace: c.trace})
			allocs := testing.AllocsPerRun(1000, func() {
				_ = q.Add(obj)
				_, _ = q.Pop(discard)
			})
			assert.InDelta(t, 1, allocs, 0, "allocations of one add and its pop")
		})
	}
}

func TestTheFirstListDoesNotGrowTheQueue(t *testing.T) {
	const size = 1000
	list := make([]watchglass.Object, size)
	for i := range list {
		list[i] = object(fmt.Sprint("web-", i), "1") // without a namespace, the key is the name
	}
	allocs := testing.AllocsPerRun(10, func() { _ = New(Options{}).Replace(list, "1") })
	assert.Less(t, allocs-size, 20.0, "beside the Deltas: the map and the queue must not grow")
}

func TestTheMemoryOfTheFirstListIsGivenBack(t *testing.T) {
	list := manyObjects(20_000)
	heap := func() int {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return int(stats.HeapAlloc)
	}
	q := New(Options{})
	before := heap()
	require.NoError(t, q.Replace(list, "1"))
	full := heap() - before
	for range list {
		_, _ = q.Pop(discard)
	}
	empty := heap() - before
	assert.Less(t, empty, full/20, "the empty queue still holds %d of %d bytes", empty, full)
	runtime.KeepAlive(q)
	runtime.KeepAlive(list)
}
