package watchglass_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass"
)

func TestUnusable(t *testing.T) {
	why := errors.New("odd")
	u := &watchglass.Unusable{Namespace: "shop", Name: "web-1", ResourceVersion: "8", Err: why}
	t.Run("it has the key of the object, and says why it cannot be used", func(t *testing.T) {
		key, err := watchglass.MetaNamespaceKeyFunc(u)
		assert.NoError(t, err)
		assert.Equal(t, "shop/web-1", key)
		assert.EqualError(t, u, `"shop/web-1" at version "8" cannot be used: odd`)
		assert.ErrorIs(t, u, why)
	})
	t.Run("an error for many names ten, and one for none is nil", func(t *testing.T) {
		assert.NoError(t, watchglass.JoinUnusable(nil))
		many := []*watchglass.Unusable{}
		for range 12 {
			many = append(many, u)
		}
		err := watchglass.JoinUnusable(many)
		assert.Equal(t, 10, strings.Count(err.Error(), "web-1"))
		assert.ErrorContains(t, err, "\nand 2 more")
		_, ok := errors.AsType[*watchglass.Unusable](err)
		assert.True(t, ok)
	})
}
