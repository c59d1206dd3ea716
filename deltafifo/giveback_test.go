package deltafifo

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

// A program cannot read how much memory a map has. This law reads mostItems, which giveBack resets
// when it makes a new map.
func TestTheMapOfALongListIsReplaced(t *testing.T) {
	f := New(Options{})
	relist := func(objects int) {
		var list []watchglass.Object
		for i := range objects {
			list = append(list, object(fmt.Sprint("web-", i), "1"))
		}
		require.NoError(t, f.Replace(list, "1"))
		require.NoError(t, f.check())
	}
	drain := func() {
		for f.Len() > 0 {
			_, err := f.Pop(func(Deltas, bool) error { return nil })
			require.NoError(t, err)
			require.NoError(t, f.check())
		}
	}
	for _, which := range []string{"the first list", "a relist"} {
		relist(manyItems)
		assert.Equal(t, manyItems, f.mostItems, which)
		drain()
		assert.Zero(t, f.mostItems, "%s: a large map is replaced when it is empty", which)
	}
	relist(manyItems - 1)
	drain()
	assert.Equal(t, manyItems-1, f.mostItems, "a small map is kept: making one costs time")
}
