package deltafifo

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

func TestTombstone(t *testing.T) {
	cases := []struct{ key, namespace, name string }{
		{"shop/web-1", "shop", "web-1"},
		{"web-1", "", "web-1"},
		{"a/b/c", "a", "b/c"}, // not a key of Kubernetes, but a custom key func may return it
		{"/web-1", "", "/web-1"},
		{"shop/", "", "shop/"},
	}
	for _, c := range cases {
		t.Run("namespace and name of a tombstone come from its key "+c.key, func(t *testing.T) {
			gone := DeletedFinalStateUnknown{c.key, object("other", "5")}
			assert.Equal(t, c.namespace, gone.GetNamespace())
			assert.Equal(t, c.name, gone.GetName())
			assert.Empty(t, gone.GetResourceVersion(), "the version of the deletion is not known")
		})
	}
}

// MetaNamespaceKeyFunc needs no special case for tombstones: their namespace and name come from
// their key.
func FuzzTombstoneKey(f *testing.F) {
	for _, key := range []string{"shop/web-1", "web-1", "a/b/c", "/", "//", "/x", "x/"} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if key == "" {
			return // no queue makes an empty key
		}
		got, err := watchglass.MetaNamespaceKeyFunc(DeletedFinalStateUnknown{Key: key})
		require.NoError(t, err)
		assert.Equal(t, key, got)
	})
}

func TestDeletionHandlingKeyFunc(t *testing.T) {
	byVersion := func(obj watchglass.Object) (string, error) {
		if obj.GetResourceVersion() == "" {
			return "", errors.New("no version")
		}
		return obj.GetResourceVersion(), nil
	}
	keyFunc := DeletionHandlingKeyFunc(byVersion)

	key, err := keyFunc(DeletedFinalStateUnknown{Key: "as it was"})
	require.NoError(t, err)
	assert.Equal(t, "as it was", key, "the key of a tombstone is the one that it holds")

	key, err = keyFunc(object("web-1", "17"))
	require.NoError(t, err)
	assert.Equal(t, "17", key, "the key of every other object comes from the key func")

	key, err = DeletionHandlingKeyFunc(nil)(object("web-1", "17"))
	require.NoError(t, err)
	assert.Equal(t, "web-1", key, "nil means MetaNamespaceKeyFunc")
}

func TestDelta(t *testing.T) {
	var none Deltas
	assert.Nil(t, none.Oldest())
	assert.Nil(t, none.Newest())

	d := Deltas{{Added, object("web-1", "1")}, {Deleted, DeletedFinalStateUnknown{Key: "web-1"}}}
	assert.Same(t, &d[0], d.Oldest())
	assert.Same(t, &d[1], d.Newest())

	assert.Equal(t, "Added@1", d[0].String())
	assert.Equal(t, "Deleted@unknown", d[1].String())
	assert.Equal(t, "Sync@none", Delta{Type: Sync}.String())
}
