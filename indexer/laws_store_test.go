package indexer

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

func TestStore(t *testing.T) {
	prove(t, []law{
		{"an empty store holds nothing", Options{}, func(r rig) {
			r.holds()
			assert.Empty(r, r.ListKeys())
			assert.Zero(r, r.Len())
		}},
		{"an added object is found by object and by key", Options{}, func(r rig) {
			obj := newPod("shop/web-1@1")
			require.NoError(r, r.Add(obj))
			got, exists, err := r.GetByKey("shop/web-1")
			require.NoError(r, err)
			assert.True(r, exists)
			assert.Same(r, obj, got, "the stored object, not a copy")
			got, exists, err = r.Get(newPod("shop/web-1@99"))
			require.NoError(r, err)
			assert.True(r, exists, "Get compares only the key")
			assert.Same(r, obj, got)
		}},
		{"an object that is not stored is not found, which is no error", Options{}, func(r rig) {
			r.add("web-1@1")
			obj, exists, err := r.GetByKey("web-2")
			assert.Nil(r, obj)
			assert.False(r, exists)
			assert.NoError(r, err)
			_, exists, err = r.Get(newPod("web-2@1"))
			assert.False(r, exists)
			assert.NoError(r, err)
		}},
		{"Add updates an object that is stored, and Update adds one that is not", Options{},
			func(r rig) {
				r.add("web-1@1", "web-1@2")
				require.NoError(r, r.Update(newPod("web-2@1")))
				require.NoError(r, r.Update(newPod("web-2@2")))
				r.holds("web-1@2", "web-2@2")
				assert.ElementsMatch(r, []string{"web-1", "web-2"}, r.ListKeys())
				assert.Equal(r, 2, r.Len())
			}},
		{"Swap stores an object and returns the one that it replaced", Options{}, func(r rig) {
			first, second := newPod("web-1@1"), newPod("web-1@2")
			old, existed, err := r.Swap(first)
			require.NoError(r, err)
			assert.False(r, existed)
			assert.Nil(r, old)
			old, existed, err = r.Swap(second)
			require.NoError(r, err)
			assert.True(r, existed)
			assert.Same(r, first, old)
			r.holds("web-1@2")
			_, _, err = r.Swap(nil)
			_, keyless := errors.AsType[*watchglass.KeyError](err)
			assert.True(r, keyless, "%v", err)
		}},
		{"Delete removes the object with the key, and no other", Options{}, func(r rig) {
			r.add("web-1@1", "web-2@1")
			r.remove("web-1@7")
			r.holds("web-2@1")
		}},
		{"deleting an object that is not stored is no error", Options{}, func(r rig) {
			r.add("web-1@1")
			r.remove("web-2@1")
			r.holds("web-1@1")
		}},
		{"the slices of List and ListKeys belong to the caller", Options{}, func(r rig) {
			r.add("web-1@1", "web-2@1")
			list, keys := r.List(), r.ListKeys()
			clear(list)
			clear(keys)
			r.holds("web-1@1", "web-2@1")
		}},
	})
}

func TestReplace(t *testing.T) {
	prove(t, []law{
		{"the list becomes the whole content, indices included", nodeOnly(), func(r rig) {
			r.add("web-1@1 a", "web-2@1 b")
			require.NoError(r, r.Replace(pods("web-2@2 c", "db-1@1 c"), "2"))
			r.holds("db-1@1", "web-2@2")
			r.index("node", "c: db-1 web-2")
		}},
		{"of several objects with one key the last one is stored and indexed", nodeOnly(),
			func(r rig) {
				require.NoError(r, r.Replace(pods("web-1@1 a", "web-1@2 b"), "2"))
				r.holds("web-1@2")
				r.index("node", "b: web-1")
			}},
		{"an empty list empties the store", nodeOnly(), func(r rig) {
			r.add("web-1@1 a")
			require.NoError(r, r.Replace(nil, "2"))
			r.holds()
			r.index("node")
		}},
		{"the list is not kept", Options{}, func(r rig) {
			list := pods("web-1@1")
			require.NoError(r, r.Replace(list, "1"))
			list[0] = newPod("web-9@9")
			r.holds("web-1@1")
		}},
		{"a list with an object without a key changes nothing", nodeOnly(), func(r rig) {
			r.add("web-1@1 a")
			var keyError *watchglass.KeyError
			assert.ErrorAs(r, r.Replace(pods("web-2@1 b", "@1"), "2"), &keyError)
			r.holds("web-1@1")
		}},
	})
}

func TestKeys(t *testing.T) {
	nameless := newPod("@1")
	byVersion := func(obj watchglass.Object) (string, error) {
		if obj.GetResourceVersion() == "" {
			return "", errors.New("no version")
		}
		return obj.GetResourceVersion(), nil
	}
	prove(t, []law{
		{"every method refuses an object without a key, with a KeyError", Options{}, func(r rig) {
			_, _, getError := r.Get(nameless)
			for _, err := range []error{
				r.Add(nameless), r.Update(nameless), r.Delete(nameless), getError, r.Add(nil),
				r.Replace([]watchglass.Object{nameless}, "1"),
			} {
				var keyError *watchglass.KeyError
				assert.ErrorAs(r, err, &keyError)
			}
			r.holds()
		}},
		{"a custom key func computes the key, and its error becomes a KeyError",
			Options{KeyFunc: byVersion}, func(r rig) {
				r.add("web-1@7")
				_, exists, _ := r.GetByKey("7")
				assert.True(r, exists)
				var keyError *watchglass.KeyError
				versionless := newPod("web-1")
				require.ErrorAs(r, r.Add(versionless), &keyError)
				assert.Same(r, versionless, keyError.Obj)
				assert.EqualError(r, keyError.Err, "no version")
			}},
	})
}
