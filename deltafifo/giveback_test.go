package deltafifo

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

// A map's size cannot be seen, so this law looks at what New and giveBack say of it.
func TestALongListIsNotPaidForForEver(t *testing.T) {
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
		assert.Zero(t, f.mostItems, "%s: the map is given back when it is empty", which)
	}
	relist(manyItems - 1)
	drain()
	assert.Equal(t, manyItems-1, f.mostItems, "a small map is kept: making one costs time")
}
