package watchglass

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompareResourceVersion(t *testing.T) {
	for _, c := range []struct {
		law, a, b string
		want      int
	}{
		{"versions are compared as numbers, not as text", "9", "10", -1},
		{"equal versions are the same", "10", "10", 0},
		{"versions may be longer than an int64", "99999999999999999998", "99999999999999999999", -1},
	} {
		got, err := CompareResourceVersion(c.a, c.b)
		assert.NoError(t, err, c.law)
		assert.Equal(t, c.want, got, c.law)
		got, err = CompareResourceVersion(c.b, c.a)
		assert.NoError(t, err, c.law)
		assert.Equal(t, -c.want, got, "%s: the opposite with a and b exchanged", c.law)
	}
}

func TestVersionsThatHaveNoOrder(t *testing.T) {
	odds := []string{"", "0", "07", "abc", "v1", "1.5", "-1", "1 ", "9x", "x9", "1²", "1a2"}
	for _, odd := range odds {
		for _, pair := range [][2]string{{odd, "10"}, {"10", odd}, {odd, odd}} {
			_, err := CompareResourceVersion(pair[0], pair[1])
			assert.ErrorContains(t, err, `"`+odd+`" is not a positive number`, "compare %q", pair)
		}
	}
}

func newPod(namespace, name string) *ObjectMeta {
	return &ObjectMeta{Namespace: namespace, Name: name}
}

func TestKeys(t *testing.T) {
	for _, c := range []struct{ law, namespace, name, key string }{
		{"an object in a namespace is namespace/name", "default", "web-1", "default/web-1"},
		{"a cluster-scoped object is its name alone", "", "node-1", "node-1"},
	} {
		obj := newPod(c.namespace, c.name)
		obj.UID, obj.ResourceVersion = "one life", "7" // which are no part of a key
		key, err := MetaNamespaceKeyFunc(obj)
		require.NoError(t, err, c.law)
		assert.Equal(t, c.key, key, c.law)
		namespace, name, err := SplitMetaNamespaceKey(key)
		require.NoError(t, err, c.law)
		assert.Equal(t, []string{c.namespace, c.name}, []string{namespace, name}, c.law)
	}
}

func TestWhatHasNoKey(t *testing.T) {
	for _, c := range []struct {
		law  string
		obj  Object
		want string
	}{
		{"a nil object has no key", nil, "no key: no object"},
		{"an object without a name has no key", newPod("default", ""), `no key for ` +
			`*watchglass.ObjectMeta (namespace "default", name "", resourceVersion ""): object has no name`},
		{"an empty document has no name, so no key", &Unstructured{}, `no key for ` +
			`*watchglass.Unstructured (namespace "", name "", resourceVersion ""): object has no name`},
	} {
		key, err := MetaNamespaceKeyFunc(c.obj)
		assert.Empty(t, key, c.law)
		assert.EqualError(t, err, c.want, "%s; it may be a Secret, so its content is not shown", c.law)
		var keyErr *KeyError
		require.ErrorAs(t, err, &keyErr, c.law)
		assert.Equal(t, c.obj, keyErr.Obj, "the error holds the object")
	}
}

func TestKeyOf(t *testing.T) {
	key, err := KeyFunc(nil).KeyOf(newPod("default", "web-1"))
	require.NoError(t, err)
	assert.Equal(t, "default/web-1", key, "a nil KeyFunc means MetaNamespaceKeyFunc")
	cause := errors.New("no label app")
	for law, f := range map[string]KeyFunc{
		"a key func's error becomes a KeyError": func(Object) (string, error) { return "half", cause },
		"an error that holds a KeyError is not wrapped again": func(obj Object) (string, error) {
			return "half", fmt.Errorf("mine: %w", &KeyError{Obj: obj, Err: cause})
		},
	} {
		key, err := f.KeyOf(newPod("default", "web-1"))
		assert.Empty(t, key, law)
		keyErr, ok := errors.AsType[*KeyError](err)
		require.True(t, ok, law)
		assert.Equal(t, cause, keyErr.Err, law)
		assert.ErrorIs(t, err, cause, law)
	}
	reads := KeyFunc(func(obj Object) (string, error) { return obj.GetName(), nil })
	_, err = reads.KeyOf(nil)
	assert.EqualError(t, err, "no key: no object", "a func is not called with a nil object")
}

func TestSplitRefusesTwoSlashes(t *testing.T) {
	for _, key := range []string{"a/b/c", "//", "default/web-1/"} {
		namespace, name, err := SplitMetaNamespaceKey(key)
		assert.ErrorContains(t, err, fmt.Sprintf("%q", key), "the error shows the key")
		assert.Empty(t, namespace+name, "an error comes without a namespace and a name")
	}
}

// For every namespace and name that an API server accepts, SplitMetaNamespaceKey returns them from
// their key.
func FuzzKeyRoundTrip(f *testing.F) {
	f.Add("default", "web-1")
	f.Add("", "system:node.x")
	f.Fuzz(func(t *testing.T, namespace, name string) {
		key, err := MetaNamespaceKeyFunc(newPod(namespace, name))
		if name == "" {
			assert.Error(t, err, "no name, no key")
			return
		}
		require.NoError(t, err)
		gotNamespace, gotName, err := SplitMetaNamespaceKey(key)
		if strings.Contains(namespace+name, "/") {
			return // no server accepts it; the only promise is that nothing panics
		}
		require.NoError(t, err)
		assert.Equal(t, namespace, gotNamespace)
		assert.Equal(t, name, gotName)
	})
}
