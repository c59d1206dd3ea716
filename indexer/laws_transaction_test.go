package indexer

import (
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

func TestTransaction(t *testing.T) {
	prove(t, []law{
		{"writes are made in their order, and each returns what was stored before it", nodeOnly(),
			func(r rig) {
				r.add("web-1@1 a")
				writes := []Write{
					{Object: newPod("web-1@2 b")},
					{Object: newPod("web-2@3 b")},
					{Object: newPod("web-2@4"), Delete: true},
					{Object: newPod("web-2@5 c")},
					{Object: newPod("web-9@6"), Delete: true},
				}
				r.Transaction(writes)
				r.holds("web-1@2", "web-2@5")
				r.index("node", "b: web-1", "c: web-2")
				for i, want := range []string{"web-1@1", "", "web-2@3", "", ""} {
					w := writes[i]
					assert.NoError(r, w.Err)
					assert.Equal(r, want != "", w.Existed, "write %d", i)
					if want != "" {
						assert.Equal(r, []string{want}, describe([]watchglass.Object{w.Old}))
					}
				}
			}},
		{"an object without a key is not stored, and the others are", nodeOnly(),
			func(r rig) {
				writes := []Write{{Object: newPod("@1 a")}, {Object: newPod("web-1@2 a")},
					{Object: newPod("@3"), Delete: true}}
				r.Transaction(writes)
				r.holds("web-1@2")
				for _, i := range []int{0, 2} {
					_, ok := errors.AsType[*watchglass.KeyError](writes[i].Err)
					assert.True(r, ok, "write %d: %v", i, writes[i].Err)
				}
				assert.NoError(r, writes[1].Err)
			}},
		{"an object that an index refuses is stored, and the others are indexed", nodeOnly(),
			func(r rig) {
				writes := []Write{{Object: newPod("web-1@1 bad")}, {Object: newPod("web-2@2 a")}}
				r.Transaction(writes)
				r.holds("web-1@1", "web-2@2")
				r.index("node", "a: web-2")
				_, ok := errors.AsType[*IndexError](writes[0].Err)
				assert.True(r, ok, "%v", writes[0].Err)
				assert.ErrorContains(r, writes[0].Err, "indexer: transaction: ")
				assert.NoError(r, writes[1].Err)
			}},
		{"after a panic of an index func, the writes before it are kept and the lock is free", nodeOnly(),
			func(r rig) {
				assert.Panics(r, func() {
					r.Transaction([]Write{{Object: newPod("web-1@1 a")}, {Object: newPod("web-2@2 worse")}})
				})
				r.holds("web-1@1")
				r.index("node", "a: web-1")
			}},
	})
}

// No reader may see the cache between two writes of a transaction.
func TestATransactionIsOneStep(t *testing.T) {
	for range 20 {
		var ix *Indexer
		seen := make(chan int, 2)
		readerDuringWrite := func(values []string, _ watchglass.Object) ([]string, error) {
			go func() { seen <- ix.Len() }()
			for range 100 {
				runtime.Gosched() // until the reader waits for the lock
			}
			return values, nil
		}
		ix = New(Options{Indexers: Indexers{"node": readerDuringWrite}})
		calls := 0
		ix.trace = &Trace{Added: func(string, watchglass.Object) {
			calls++
			assert.Equal(t, 2, ix.Len(), "the trace is called after all writes")
		}}
		ix.Transaction([]Write{{Object: newPod("web-1@1")}, {Object: newPod("web-2@2")}})
		assert.Equal(t, 2, <-seen, "a reader saw half of a transaction")
		assert.Equal(t, 2, <-seen)
		assert.Equal(t, 2, calls)
	}
}

func TestTraceReportsTransactions(t *testing.T) {
	var told []string
	ix := New(Options{Trace: narrator(func(line string) { told = append(told, line) })})
	require.NoError(t, ix.Add(newPod("web-1@1")))
	ix.Transaction([]Write{
		{Object: newPod("web-1@2")}, {Object: newPod("web-2@3")}, {Object: newPod("@4")},
		{Object: newPod("web-1@5"), Delete: true}, {Object: newPod("web-1@6"), Delete: true},
	})
	assert.Equal(t, []string{"added web-1@1", "updated web-1@1 to @2", "added web-2@3",
		"deleted web-1@2"}, told)
}
