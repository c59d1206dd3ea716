package object

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/store"
)

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The limits of the history count documents by their size.
func TestADocumentTakesNoMoreMemoryThanItsSize(t *testing.T) {
	labels := Tree{}
	for i := range 5_000 {
		labels[strconv.Itoa(i)] = ""
	}
	before := heap()
	d, err := New(custom, Tree{"metadata": Tree{"labels": labels}}, 1, store.Added)
	require.NoError(t, err)
	assert.LessOrEqual(t, int(heap()-before), d.Size())
	runtime.KeepAlive(labels)
}

// The desk admits requests by this weight: if it is too low, their memory is not bounded.
func TestADecodedDocumentTakesNoMoreMemoryThanItsWeight(t *testing.T) {
	for _, element := range []string{`{"a":1}`, `{"":0}`, `{}`, `[]`, `[0]`, `[[[[0]]]]`, `0`, `1.5`,
		`""`, `"abc"`, strings.Repeat(`{"":`, 50) + `0` + strings.Repeat(`}`, 50),
		`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9}`} {
		doc := []byte("[" + strings.Repeat(element+",", 10_000/len(element)) + element + "]")
		before := heap()
		tree, err := DecodeValue(doc)
		require.NoError(t, err)
		assert.LessOrEqual(t, int(heap()-before), Weight(doc)+16<<10, element)
		runtime.KeepAlive(tree)
	}
}
