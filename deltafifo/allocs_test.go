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
		{"nor does the queue allocate for a trace that has them all", fullTrace()},
	}
	for _, c := range cases {
		t.Run(c.promise, func(t *testing.T) {
			q := New(Options{Trace: c.trace})
			allocs := testing.AllocsPerRun(1000, func() {
				_ = q.Add(obj)
				_, _ = q.Pop(discard)
			})
			assert.InDelta(t, 1, allocs, 0)
		})
	}
}

func TestTheFirstListMakesRoomAtOnce(t *testing.T) {
	const size = 1000
	list := make([]watchglass.Object, size)
	for i := range list {
		list[i] = object(fmt.Sprint("web-", i), "1") // without a namespace, the key is the name
	}
	allocs := testing.AllocsPerRun(10, func() { _ = New(Options{}).Replace(list, "1") })
	assert.Less(t, allocs-size, 20.0, "one for each Deltas; the map and the queue do not grow")
}

func TestFirstListIsGivenBack(t *testing.T) {
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
	assert.Less(t, empty, full/20, "what an empty queue holds after its list: %d of %d bytes",
		empty, full)
	runtime.KeepAlive(q)
	runtime.KeepAlive(list)
}
